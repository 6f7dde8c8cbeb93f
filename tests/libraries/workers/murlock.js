// SPDX-License-Identifier: GPL-3.0-or-later
'use strict';

require('reflect-metadata');
const { AsyncLocalStorage } = require('async_hooks');
const { run, during, load } = require('./worker');
const { MurLockService } = require('murlock');

run(async ({ servers, name, lease }) => {
    const { AsyncStorageManager } = (await load('murlock/dist/als/als-manager.js')).default;
    const { AsyncStorageService } = (await load('murlock/dist/als/als.service.js')).default;
    const storage = new AsyncStorageService(new AsyncStorageManager(new AsyncLocalStorage()));
    // Its documentation's example.
    const options = { wait: 1000, maxAttempts: 3, logLevel: 'error', ignoreUnlockFail: false, failFastOnRedisError: false };
    const locks = new MurLockService({ ...options, redisOptions: { socket: servers[0] } }, storage);
    await locks.onModuleInit();
    return during((hold) => locks.runWithLock(name, lease, hold));
});
