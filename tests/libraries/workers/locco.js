// SPDX-License-Identifier: GPL-3.0-or-later
'use strict';

const { run, ioredis } = require('./worker');
const { Locker, IoRedisAdapter } = require('@kontsedal/locco');

run(({ servers, name, lease }) => {
    const adapter = new IoRedisAdapter({ client: ioredis(servers[0]) });
    const locker = new Locker({ adapter, retrySettings: { retryDelay: 200, retryTimes: 10 } });
    let lock;
    return {
        acquire: async () => {
            lock = await locker.lock(name, lease).acquire();
        },
        release: async () => {
            await lock.release({ throwOnFail: true });
        },
    };
});
