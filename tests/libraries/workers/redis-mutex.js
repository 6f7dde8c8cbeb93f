// SPDX-License-Identifier: GPL-3.0-or-later
'use strict';

const { run, during } = require('./worker');
const { runWithMutex } = require('redis-mutex');

run(({ servers, name, lease }) => {
    const [{ host, port }] = servers;
    const redisClient = require('redis-2').createClient({ host, port, retry_strategy: () => 50 });
    redisClient.on('error', () => {});
    const options = {
        key: name,
        redisClient,
        intervalTime: lease,
        renewTime: 100,
        maxTime: 60000,
        attempts: 0, // no limit
        attemptInterval: 100,
    };
    return during((hold) => runWithMutex(options, hold));
});
