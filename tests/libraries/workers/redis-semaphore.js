// SPDX-License-Identifier: GPL-3.0-or-later
// Mutex, RedlockMutex, or Semaphore with one permit, by the configuration's `variant`.
'use strict';

const { run, ioredis } = require('./worker');
const { Mutex, RedlockMutex, Semaphore } = require('redis-semaphore');

run(({ servers, name, lease, lost, variant }) => {
    const clients = servers.map(ioredis);
    const options = { lockTimeout: lease, onLockLost: lost };
    const make = {
        mutex: () => new Mutex(clients[0], name, options),
        redlock: () => new RedlockMutex(clients, name, options),
        semaphore: () => new Semaphore(clients[0], name, 1, options),
    };
    let lock;
    return {
        acquire: () => {
            lock = make[variant]();
            return lock.acquire();
        },
        release: () => lock.release(),
    };
});
