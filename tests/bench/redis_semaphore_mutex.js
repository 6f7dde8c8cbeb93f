// SPDX-License-Identifier: GPL-3.0-or-later
// PORT MILLISECONDS: prints how many acquire + release pairs a second redis-semaphore's Mutex does, one client.
// The packages are found by NODE_PATH.
'use strict';

const load = (name) => {
    try {
        return require(name);
    } catch {
        console.error(`${name} is not installed`);
        process.exit(1);
    }
};
const Redis = load('ioredis');
const { Mutex } = load('redis-semaphore');

const [port, duration] = process.argv.slice(2).map(Number);

const pairsFor = async (mutex, milliseconds) => {
    const begin = performance.now();
    let pairs = 0;
    while (performance.now() - begin < milliseconds) {
        await mutex.acquire();
        await mutex.release();
        ++pairs;
    }
    return (pairs * 1000) / (performance.now() - begin);
};

(async () => {
    const client = new Redis(port, '127.0.0.1');
    const mutex = new Mutex(client, 'bench', { lockTimeout: 30000, refreshInterval: 0 });
    await pairsFor(mutex, duration / 10);
    console.log(await pairsFor(mutex, duration));
    client.disconnect();
})();
