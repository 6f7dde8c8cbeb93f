#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""SOCKET NAME hold|wait LEASE-MS: the mutex of a dogpile.cache region, as its application has it.

Speaks as node_locks.js does: "held TOKEN", or "waiting" and then "woken"; "release" is answered "released" or "failed ERROR".
"""
import sys

import redis
from dogpile.cache import make_region

path, name, mode, lease = sys.argv[1:]
region = make_region().configure("dogpile.cache.redis", arguments={
    "connection_pool": redis.ConnectionPool(connection_class=redis.UnixDomainSocketConnection, path=path),
    "distributed_lock": True,
    "lock_timeout": int(lease) / 1000,
    "lock_sleep": 0.05,
    "thread_local_lock": False,
})
mutex = region.backend.get_mutex(name)
client = redis.Redis(unix_socket_path=path)


def say(*words):
    print(*words, flush=True)


def token():
    return client.get("_lock" + name).decode()


got = mutex.acquire(False)
if got != (mode == "hold"):
    sys.exit(f"{name} is free" if got else f"{name} is held by another")
if mode == "hold":
    say("held", token())
else:
    say("waiting")
    mutex.acquire(True)
    say("woken", token())

for line in sys.stdin:
    if line.strip() == "exit":
        break
    try:
        mutex.release()
        say("released")
    except redis.exceptions.LockError as error:
        say("failed", type(error).__name__)
