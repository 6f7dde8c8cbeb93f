// SPDX-License-Identifier: GPL-3.0-or-later
'use strict';

const { run, ioredis } = require('./worker');
const Redlock = require('redlock-4');

run(({ servers, name, lease }) => {
    const redlock = new Redlock(servers.map(ioredis));
    redlock.on('clientError', () => {});
    let lock;
    return {
        acquire: async () => {
            lock = await redlock.lock(name, lease);
        },
        release: () => lock.unlock(),
    };
});
