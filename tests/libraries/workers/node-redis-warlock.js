// SPDX-License-Identifier: GPL-3.0-or-later
'use strict';

const { promisify } = require('util');
const { run, ioredis } = require('./worker');

run(({ servers, name, lease }) => {
    const warlock = require('node-redis-warlock')(ioredis(servers[0]));
    let unlock;
    return {
        // Attempts and wait of its documentation's example: 4, 1000 ms.
        acquire: async () => {
            unlock = await promisify(warlock.optimistic)(name, lease, 4, 1000);
            return typeof unlock === 'function';
        },
        release: async () => (await promisify((done) => unlock(done))()) !== 0,
    };
});
