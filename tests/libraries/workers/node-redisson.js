// SPDX-License-Identifier: GPL-3.0-or-later
'use strict';

const { run } = require('./worker');
const { Redisson } = require('node-redisson');

run(({ servers, name, lease }) => {
    const options = { ...servers[0], retryStrategy: () => 50 };
    const redisson = new Redisson({ redis: { options }, lockWatchdogTimeout: BigInt(lease) });
    let lock;
    return {
        acquire: async () => {
            lock = redisson.getLock(name);
            await lock.lock();
        },
        release: async () => {
            await lock.unlock();
        },
    };
});
