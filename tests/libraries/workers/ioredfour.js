// SPDX-License-Identifier: GPL-3.0-or-later
'use strict';

const { run } = require('./worker');
const Lock = require('ioredfour');

run(({ servers, name, lease }) => {
    const locks = new Lock({ redis: { ...servers[0], retryStrategy: () => 50 }, namespace: 'mylock' });
    let lock;
    return {
        acquire: async () => {
            lock = await locks.waitAcquireLock(name, lease, 10000);
            return lock.success;
        },
        // It calls a lock that has expired a success, with this result.
        release: async () => {
            const { result } = await locks.releaseLock(lock);
            if (result !== 'released') {
                throw new Error(result);
            }
        },
    };
});
