// SPDX-License-Identifier: GPL-3.0-or-later
'use strict';

const { run, ioredis, during } = require('./worker');
const { createLock, createRedlock, IoredisAdapter } = require('redlock-universal');

run(({ servers, name, lease, lost }) => {
    const adapters = servers.map((server) => new IoredisAdapter(ioredis(server)));
    const options = { key: name, ttl: lease };
    const lock =
        servers.length === 1
            ? createLock({ ...options, adapter: adapters[0] })
            : createRedlock({ ...options, adapters, quorum: 2 });
    return during((hold) =>
        lock.using((signal) => {
            signal.addEventListener('abort', () => lost(signal.error ?? signal.reason ?? 'aborted'));
            return hold();
        }),
    );
});
