// SPDX-License-Identifier: GPL-3.0-or-later
// SOCKET QUEUE LOCK-DURATION-MS: adds one job to a BullMQ queue and works on it until it is told to stop. Prints "held JOB TOKEN" when the
// job runs, "error MESSAGE" and "failed MESSAGE" for what its worker reports. Orders, a line each: "finish" (the job's work is
// done), "exit". The packages are found by NODE_PATH.
'use strict';

const readline = require('readline');
const { Queue, Worker } = require('bullmq');

const [path, name, duration] = process.argv.slice(2);
const connection = { path, maxRetriesPerRequest: null };
const say = (...words) => console.log(words.join(' ').replace(/\n/g, ' '));

let finish;
const finished = new Promise((resolve) => {
    finish = resolve;
});
const work = async (job, token) => {
    say('held', job.id, token);
    await finished;
};

(async () => {
    const worker = new Worker(name, work, { connection, lockDuration: Number(duration) });
    worker.on('error', (error) => say('error', error.message));
    worker.on('failed', (job, error) => say('failed', error.message));
    worker.on('completed', (job) => say('completed', job.id));
    await new Queue(name, { connection }).add('welcome', { to: 'a customer' });
    for await (const line of readline.createInterface({ input: process.stdin })) {
        if (line === 'exit') {
            break;
        }
        finish();
    }
    process.exit(0);
})();
