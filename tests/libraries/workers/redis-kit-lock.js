// SPDX-License-Identifier: GPL-3.0-or-later
'use strict';

const { run, nodeRedis } = require('./worker');
const { Redlock } = require('@redis-kit/lock');

run(async ({ servers, name, lease }) => {
    const redlock = new Redlock(await Promise.all(servers.map((server) => nodeRedis(server))));
    let lock;
    return {
        acquire: async () => {
            lock = await redlock.acquire(name, lease);
            lock?.startAutoExtension(500);
            return lock !== null;
        },
        release: () => lock.release(),
    };
});
