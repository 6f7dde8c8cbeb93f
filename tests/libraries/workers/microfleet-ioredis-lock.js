// SPDX-License-Identifier: GPL-3.0-or-later
'use strict';

const { run, ioredis, load } = require('./worker');

run(async ({ servers, name, lease }) => {
    const { createLock } = await load('@microfleet/ioredis-lock/lib/redislock.js');
    // Retries and delay of its documentation's example.
    const lock = createLock(ioredis(servers[0]), { timeout: lease, retries: 3, delay: 100 });
    return {
        acquire: async () => {
            await lock.acquire(name);
        },
        release: async () => {
            await lock.release();
        },
    };
});
