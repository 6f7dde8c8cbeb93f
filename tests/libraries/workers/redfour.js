// SPDX-License-Identifier: GPL-3.0-or-later
'use strict';

const { promisify } = require('util');
const { run } = require('./worker');
const Lock = require('redfour');

run(({ servers, name, lease }) => {
    const locks = new Lock({ redis: { ...servers[0], retry_strategy: () => 50 }, namespace: 'mylock' });
    let lock;
    return {
        acquire: async () => {
            lock = await promisify(locks.waitAcquireLock).call(locks, name, lease, 10000);
            return lock.success;
        },
        // It calls a lock that has expired a success, with this result.
        release: async () => {
            const { result } = await promisify(locks.releaseLock).call(locks, lock);
            if (result !== 'released') {
                throw new Error(result);
            }
        },
    };
});
