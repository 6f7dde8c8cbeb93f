// SPDX-License-Identifier: GPL-3.0-or-later
'use strict';

const { run, nodeRedis } = require('./worker');
const { lock } = require('simple-redis-mutex');

run(async ({ servers, name, lease }) => {
    const client = await nodeRedis(servers[0]);
    let release;
    return {
        acquire: async () => {
            release = await lock(client, name, { timeout: lease });
        },
        release: () => release(),
    };
});
