// SPDX-License-Identifier: GPL-3.0-or-later
// LIBRARY SOCKET NAME hold|wait LEASE-MS: one lock of redlock or redis-semaphore (mutex; semaphore of two), as an application has it.
// Prints "held TOKEN", or for one that waits "waiting" and then "woken TOKEN NS" (monotonic, ns); "lost ERROR" where the library
// says that the lock was lost. Takes orders, a line each: "extend MS" (redlock), "release", "exit"; answers "extended", "released" or
// "failed ERROR". The packages are found by NODE_PATH.
'use strict';

const readline = require('readline');
const Redis = require('ioredis');
const { default: Redlock } = require('redlock');
const { Mutex, Semaphore } = require('redis-semaphore');

const [library, path, name, mode, leaseText] = process.argv.slice(2);
const lease = Number(leaseText);
const client = new Redis(path);
const say = (...words) => console.log(words.join(' '));

// The same few doings for each library: one attempt that answers whether it got the lock, and one that waits for it.
const redlock = () => {
    const lockers = new Redlock([client]);
    let lock;
    const acquire = async (retryCount) => {
        lock = await lockers.acquire([name], lease, { retryCount });
    };
    return {
        attempt: () => acquire(0).then(() => true, () => false),
        wait: () => acquire(-1),
        token: () => lock.value,
        extend: async (milliseconds) => {
            lock = await lockers.extend(lock, milliseconds, { retryCount: 0 });
        },
        release: () => lockers.release(lock, { retryCount: 0 }),
    };
};
const semaphoreLike = (make) => {
    const options = {
        lockTimeout: lease,
        refreshInterval: 1000,
        onLockLost: (error) => say('lost', error.constructor.name),
    };
    let lock;
    const acquire = async (more) => {
        lock = make({ ...options, ...more });
        return lock.tryAcquire();
    };
    return {
        attempt: () => acquire({ acquireAttemptsLimit: 1 }),
        wait: () => acquire({ acquireTimeout: 60000 }),
        token: () => lock.identifier,
        release: () => lock.release(),
    };
};
const libraries = {
    redlock,
    mutex: () => semaphoreLike((options) => new Mutex(client, name, options)),
    semaphore: () => semaphoreLike((options) => new Semaphore(client, name, 2, options)),
};

const obey = async (lock, order, words) => {
    const doings = {
        extend: () => lock.extend(Number(words[0])),
        release: () => lock.release(),
    };
    try {
        await doings[order]();
        say(order === 'extend' ? 'extended' : 'released');
    } catch (error) {
        say('failed', error.constructor.name);
    }
};

(async () => {
    const lock = libraries[library]();
    const got = await lock.attempt();
    if (got !== (mode === 'hold')) {
        throw new Error(got ? `${name} is free` : `${name} is held by another`);
    }
    if (mode === 'hold') {
        say('held', lock.token());
    } else {
        say('waiting');
        await lock.wait();
        say('woken', lock.token(), process.hrtime.bigint());
    }
    for await (const line of readline.createInterface({ input: process.stdin })) {
        const [order, ...words] = line.split(' ');
        if (order === 'exit') {
            break;
        }
        await obey(lock, order, words);
    }
    process.exit(0);
})();
