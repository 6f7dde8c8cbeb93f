// SPDX-License-Identifier: GPL-3.0-or-later
'use strict';

require('reflect-metadata');
const { run, ioredis } = require('./worker');
const { RedisLockService } = require('@huangang/nestjs-simple-redis-lock');

run(({ servers, name, lease }) => {
    const locks = new RedisLockService({ prefix: ':lock:', client: ioredis(servers[0]) });
    return {
        acquire: () => locks.lock(name, lease),
        release: () => locks.unlock(name),
    };
});
