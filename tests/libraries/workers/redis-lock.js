// SPDX-License-Identifier: GPL-3.0-or-later
'use strict';

const { run, nodeRedis } = require('./worker');
const redisLock = require('redis-lock');

run(async ({ servers, name, lease }) => {
    const lock = redisLock(await nodeRedis(servers[0], 'redis-4'));
    let done;
    return {
        acquire: async () => {
            done = await lock(name, lease);
        },
        release: async () => {
            await done(); // the count of deleted keys, or nothing: not documented as an answer
        },
    };
});
