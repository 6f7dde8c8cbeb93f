// SPDX-License-Identifier: GPL-3.0-or-later
// What a worker of a Node library does: it reads its configuration, a line of JSON, then acquires and releases one lock again and
// again. Each event is a line on stdout: the time (CLOCK_MONOTONIC, ns), its name, and details. The packages are found by NODE_PATH.
'use strict';

const path = require('path');
const readline = require('readline');
const { setTimeout: sleep } = require('timers/promises');
const { pathToFileURL } = require('url');

const say = (event, detail = '') => {
    const line = String(detail instanceof Error ? `${detail.name}: ${detail.message}` : detail).replace(/\s+/g, ' ');
    process.stdout.write(`${process.hrtime.bigint()} ${event} ${line.slice(0, 200)}\n`);
};
const between = ([least, most]) => least + Math.random() * (most - least);
// Applications log such errors and go on; here the referee reads them.
process.on('uncaughtException', (error) => say('uncaught', error));
process.on('unhandledRejection', (error) => say('uncaught', error));
for (const level of ['log', 'warn', 'error', 'info', 'debug']) {
    console[level] = (...words) => say('log', words.join(' '));
}

const acquired = async (lock) => {
    try {
        return Boolean((await lock.acquire()) ?? true);
    } catch (error) {
        say('gave-up', error);
        return false;
    }
};
const released = async (lock) => {
    try {
        const answer = await lock.release();
        say(answer === false ? 'release-failed' : 'released');
    } catch (error) {
        say('release-failed', error);
    }
};

// `make(config)` returns the lock: acquire() answers false, or throws, where the library gave up; release() answers false, or throws,
// where the library says that the lock was not held any more. `config.lost` is called when the library tells of a lost lock.
exports.run = async (make) => {
    const lines = readline.createInterface({ input: process.stdin })[Symbol.asyncIterator]();
    const next = async () => (await lines.next()).value ?? process.exit(0);
    const config = JSON.parse(await next());
    const lock = await make({ ...config, lost: (error) => say('lost', error) });
    say('ready');
    for (let round = 0; ; ++round) {
        if (round === 0 || config.baton) {
            await next();
        }
        say('try');
        while (!(await acquired(lock))) {
            await sleep(10);
        }
        say('enter');
        await sleep(between(config.hold));
        say('leave');
        await released(lock);
        await sleep(between(config.think));
    }
};

exports.ioredis = (server) => {
    const Redis = require('ioredis');
    return new Redis({ ...server, retryStrategy: () => 50 }).on('error', (error) => say('log', error));
};
exports.nodeRedis = (server, version = 'redis') => {
    const socket = { ...server, reconnectStrategy: () => 50 };
    const client = require(version).createClient({ socket });
    return client.on('error', (error) => say('log', error)).connect();
};
// An import knows no NODE_PATH.
exports.load = (file) => import(pathToFileURL(path.join(process.env.NODE_PATH, file)));

// For libraries that hold the lock while a function runs.
exports.during = (start) => {
    let finish;
    let done;
    return {
        acquire: () =>
            new Promise((resolve, reject) => {
                done = start(
                    () =>
                        new Promise((end) => {
                            finish = end;
                            resolve();
                        }),
                );
                done.catch(reject);
            }),
        release: () => {
            finish();
            return done;
        },
    };
};
