#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""SOCKET KEY hold|try|wait SECONDS|endless: one redis-py lock, as an application has it.

Prints "held KEY TOKEN", or for one that waits "waiting KEY" and then "woken KEY TOKEN NS" (monotonic, ns). Takes orders, a line
each: "extend SECONDS", "release", "exit"; answers "extended", "released" or "failed ERROR".
"""
import sys
import time

import redis

path, key, mode, lease = sys.argv[1:]
client = redis.Redis(unix_socket_path=path)
lock = client.lock(key, timeout=None if lease == "endless" else float(lease))


def say(*words):
    print(*words, flush=True)


def token():
    return lock.local.token.decode()


if mode == "wait":
    if lock.acquire(blocking=False):
        sys.exit(f"{key} is free")
    say("waiting", key)
    lock.acquire()
    say("woken", key, token(), time.monotonic_ns())
else:
    if not lock.acquire(blocking=mode == "hold"):
        sys.exit(f"{key} is held by another")
    say("held", key, token())

for line in sys.stdin:
    order, *words = line.split()
    if order == "exit":
        break
    try:
        if order == "extend":
            lock.extend(float(words[0]))
            say("extended", key)
        elif order == "release":
            lock.release()
            say("released", key)
        else:
            sys.exit(f"no order: {order}")
    except redis.exceptions.LockError as error:
        say("failed", type(error).__name__)
