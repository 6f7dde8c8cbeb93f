// SPDX-License-Identifier: GPL-3.0-or-later
'use strict';

const { run, ioredis, load } = require('./worker');

run(async ({ servers, name, lease }) => {
    const { Verrou } = await load('@verrou/core/build/index.js');
    const { redisStore } = await load('@verrou/core/build/src/drivers/redis.js');
    const driver = redisStore({ connection: ioredis(servers[0]) });
    const verrou = new Verrou({ default: 'redis', stores: { redis: { driver } } });
    let lock;
    return {
        acquire: () => {
            lock = verrou.createLock(name, lease);
            return lock.acquire();
        },
        release: () => lock.release(),
    };
});
