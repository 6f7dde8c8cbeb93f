// SPDX-License-Identifier: GPL-3.0-or-later
'use strict';

const { run, ioredis, during } = require('./worker');
const { default: Redlock } = require('redlock');

run(({ servers, name, lease, lost }) => {
    const redlock = new Redlock(servers.map(ioredis));
    redlock.on('error', () => {});
    return during((hold) =>
        redlock.using([name], lease, (signal) => {
            signal.addEventListener('abort', () => lost(signal.error));
            return hold();
        }),
    );
});
