// SPDX-License-Identifier: GPL-3.0-or-later
// HOST:PORT,HOST:PORT,… KEY LEASE-MS: one lock of node-redlock on independent servers. Prints "held TOKEN". Takes orders, a line
// each: "extend MS", "release"; answers "extended", "released" or "failed ERROR". The packages are found by NODE_PATH.
'use strict';

const readline = require('readline');
const Redis = require('ioredis');
const { default: Redlock } = require('redlock');

const [servers, key, leaseText] = process.argv.slice(2);
const clients = servers.split(',').map((server) => {
    const [host, port] = server.split(':');
    return new Redis(Number(port), host);
});
for (const client of clients) client.on('error', () => {});
const redlock = new Redlock(clients, { retryCount: 0 });
redlock.on('error', () => {});

const main = async () => {
    let lock = await redlock.acquire([key], Number(leaseText));
    console.log('held', lock.value);
    for await (const line of readline.createInterface({ input: process.stdin })) {
        const [verb, milliseconds] = line.split(' ');
        try {
            if (verb === 'extend') lock = await lock.extend(Number(milliseconds));
            else await lock.release();
            console.log(verb === 'extend' ? 'extended' : 'released');
        } catch (error) {
            console.log('failed', error.constructor.name);
        }
    }
    process.exit(0);
};
main();
