// SPDX-License-Identifier: GPL-3.0-or-later
'use strict';

const { run, nodeRedis } = require('./worker');
const { Lock } = require('redis-promise-lock');

run(async ({ servers, name, lease }) => {
    const locks = new Lock(await nodeRedis(servers[0], 'redis-4'), { ttl: lease / 1000 });
    return {
        acquire: () => locks.acquireLock(name),
        release: () => locks.releaseLock(name),
    };
});
