// SPDX-License-Identifier: GPL-3.0-or-later
// LIBRARY SOCKET NAME hold|wait LEASE-MS: one lock of a library (see `libraries` below), as an application has it. Lease 0 is the
// watchdog's of node-redisson.
// Prints "held TOKEN", or for one that waits "waiting" and then "woken TOKEN NS" (monotonic, ns); "lost ERROR" where the library
// says that the lock was lost. Takes orders, a line each: "extend MS" (redlock), "release", "exit"; answers "extended", "released" or
// "failed ERROR" ("failed NotHeld" where the library answers no and throws nothing). The packages are found by NODE_PATH.
'use strict';

const readline = require('readline');
const { setTimeout: sleep } = require('timers/promises');
const { pathToFileURL } = require('url');
const { promisify } = require('util');
const Redis = require('ioredis');
const { default: Redlock } = require('redlock');
const { Mutex, Semaphore } = require('redis-semaphore');

const [library, path, name, mode, leaseText] = process.argv.slice(2);
const lease = Number(leaseText);
const client = new Redis(path, { lazyConnect: true }); // some libraries have their own, or take node-redis only
const nodeRedis = () => require('redis').createClient({ socket: { path } }).connect();
const say = (...words) => console.log(words.join(' '));
const succeeds = (promise) => promise.then(() => true, () => false);
const stored = (key) => () => client.get(key); // the token where a library does not tell it
const pollMs = 50;
const endless = 1e9; // retries

class NotHeld extends Error {}

// The same few doings for each library: one attempt that answers whether it got the lock, and one that waits for it.
const redlock = () => {
    const lockers = new Redlock([client]);
    let lock;
    const acquire = async (retryCount) => {
        lock = await lockers.acquire([name], lease, { retryCount });
    };
    return {
        attempt: () => succeeds(acquire(0)),
        wait: () => acquire(-1),
        token: () => lock.value,
        extend: async (milliseconds) => {
            lock = await lockers.extend(lock, milliseconds, { retryCount: 0 });
        },
        release: () => lockers.release(lock, { retryCount: 0 }),
    };
};
// `more`: of an application that handles lost locks; without it the library does what it does by default.
const handlesLosses = { onLockLost: (error) => say('lost', error.constructor.name) };
const semaphoreLike = (make, more = handlesLosses) => {
    const options = { lockTimeout: lease, refreshInterval: 1000, ...more };
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
const nodeRedisson = (eventAdapter) => {
    const { Redisson } = require('node-redisson');
    const lock = new Redisson({ redis: { options: { path } }, eventAdapter }).getLock(name);
    return {
        attempt: () => lock.tryLock(0, lease),
        wait: () => lock.tryLock(false, lease),
        token: () => lock.getClientName(lock.clientId),
        release: () => lock.unlock(),
    };
};
const simpleRedisMutex = async () => {
    const { lock, tryLock } = require('simple-redis-mutex');
    const connection = await nodeRedis();
    let got;
    let release;
    return {
        attempt: async () => {
            [got, release] = await tryLock(connection, name, { timeout: lease });
            return got;
        },
        wait: async () => {
            release = await lock(connection, name, { timeout: lease });
        },
        token: stored(`@simple-redis-mutex:lock-${name}`),
        release: () => release(),
    };
};
const redisLock = async () => {
    // By `v4` it tells node-redis 4 and later from 3; 5 has it no more.
    const lock = require('redis-lock')(Object.assign(await nodeRedis(), { v4: true }), pollMs);
    let unlock;
    let acquired;
    return {
        // It knows no single try: one that does not get it at once goes on.
        attempt: () => {
            acquired = lock(name, lease).then((its) => {
                unlock = its;
                return true;
            });
            return Promise.race([acquired, sleep(4 * pollMs, false)]);
        },
        wait: () => acquired,
        token: stored(`lock.${name}`),
        release: () => unlock(),
    };
};
const redisMutex = () => {
    const { runWithMutex } = require('redis-mutex');
    let deleted;
    const redisClient = {
        send_command: (command, words, done) => client.call(command, words, done), // of node-redis 3
        del: (key) => {
            deleted = client.del(key);
        },
    };
    const options = {
        key: name,
        redisClient,
        intervalTime: lease,
        renewTime: lease - 1000, // so it renews every second
        maxTime: 3600000,
        attemptInterval: pollMs,
    };
    let end;
    const acquire = (attempts) =>
        new Promise((resolve, reject) => {
            const work = (terminate) => {
                end = terminate;
                resolve();
            };
            runWithMutex({ ...options, attempts }, work).catch(reject);
        });
    return {
        attempt: () => succeeds(acquire(1)),
        wait: () => acquire(0), // for ever
        token: stored(name),
        release: async () => {
            end();
            await deleted; // its count is nothing that the library tells
        },
    };
};
const nodeRedisWarlock = () => {
    const warlock = require('node-redis-warlock')(client);
    let unlock;
    const acquire = async (how, ...more) => {
        unlock = await promisify(how)(name, lease, ...more);
        return Boolean(unlock);
    };
    return {
        attempt: () => acquire(warlock.lock),
        wait: () => acquire(warlock.optimistic, endless, pollMs),
        token: stored(warlock.makeKey(name)),
        release: promisify((done) => {
            unlock(done);
        }),
    };
};
// Those whose lock object is told how often to retry.
const retrying = (make, token) => {
    let lock;
    let handle; // of redlock-universal
    const acquire = async (retries) => {
        lock = make(retries);
        handle = await lock.acquire(name);
    };
    return {
        attempt: () => succeeds(acquire(0)),
        wait: () => acquire(endless),
        token: () => token(lock, handle),
        release: () => lock.release(handle),
    };
};
const redislockLike = ({ createLock }) =>
    retrying(
        (retries) => createLock(client, { timeout: lease, retries, delay: pollMs }),
        (lock) => lock._id,
    );
const redlockUniversal = (performance) => {
    const { createLock, IoredisAdapter } = require('redlock-universal');
    const options = { adapter: new IoredisAdapter(client), key: name, ttl: lease, performance };
    return retrying(
        (retryAttempts) => createLock({ ...options, retryAttempts }),
        (lock, handle) => handle.value,
    );
};
const nodeResque = { connection: { redis: client }, queues: ['mail'] };
const resqueLeader = () => {
    const { Scheduler } = require('node-resque');
    const scheduler = new Scheduler({ ...nodeResque, name, timeout: 500 });
    return {
        attempt: async () => {
            await scheduler.connect();
            const elected = new Promise((resolve) => {
                scheduler.once('leader', () => resolve(true));
            });
            await scheduler.start();
            return elected;
        },
        token: () => name,
        release: () => scheduler.end(),
    };
};
const resqueJob = () => {
    const { Plugins, Queue, Worker } = require('node-resque');
    let finish;
    let done;
    return {
        attempt: async () => {
            const started = new Promise((resolve) => {
                const perform = () => {
                    resolve(true);
                    return new Promise((end) => {
                        finish = end;
                    });
                };
                const jobs = { send: { plugins: [Plugins.JobLock], perform } };
                const worker = new Worker({ ...nodeResque, timeout: 100 }, jobs);
                done = new Promise((end) => {
                    worker.on('success', end);
                });
                worker.connect().then(() => worker.start());
            });
            const queue = new Queue(nodeResque);
            await queue.connect();
            await queue.enqueue('mail', 'send', [name]);
            return started;
        },
        token: stored(`resque:workerslock:send:mail:["${name}"]`),
        release: async () => {
            finish();
            await done;
        },
    };
};
const libraries = {
    redlock,
    mutex: () => semaphoreLike((options) => new Mutex(client, name, options)),
    semaphore: () => semaphoreLike((options) => new Semaphore(client, name, 2, options)),
    'mutex-by-default': () => semaphoreLike((options) => new Mutex(client, name, options), {}),
    'semaphore-by-default': () => semaphoreLike((options) => new Semaphore(client, name, 2, options), {}),
    'node-resque-leader': resqueLeader,
    'node-resque-job': resqueJob,
    'node-redisson': () => nodeRedisson('pubsub'),
    'node-redisson-streams': () => nodeRedisson('streams'),
    'simple-redis-mutex': simpleRedisMutex,
    'redis-lock': redisLock,
    'redis-mutex': redisMutex,
    'node-redis-warlock': nodeRedisWarlock,
    redislock: () => redislockLike(require('redislock')),
    'ioredis-lock': () => redislockLike(require('ioredis-lock')),
    // An ES module, whose import knows no NODE_PATH.
    'microfleet-ioredis-lock': async () =>
        redislockLike(await import(pathToFileURL(require.resolve('@microfleet/ioredis-lock')))),
    'redlock-universal': () => redlockUniversal('standard'),
    'redlock-universal-lean': () => redlockUniversal('lean'),
};

const obey = async (lock, order, words) => {
    const doings = {
        extend: () => lock.extend(Number(words[0])),
        release: () => lock.release(),
    };
    try {
        const answer = await doings[order]();
        if (answer === false || answer === 0) {
            throw new NotHeld();
        }
        say(order === 'extend' ? 'extended' : 'released');
    } catch (error) {
        say('failed', error.constructor.name);
    }
};

(async () => {
    const lock = await libraries[library]();
    const got = await lock.attempt();
    if (got !== (mode === 'hold')) {
        throw new Error(got ? `${name} is free` : `${name} is held by another`);
    }
    if (mode === 'hold') {
        say('held', await lock.token());
    } else {
        say('waiting');
        await lock.wait();
        const moment = process.hrtime.bigint();
        say('woken', await lock.token(), moment);
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
