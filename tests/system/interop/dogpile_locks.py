#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""SOCKET KEY hold|wait SECONDS: the lock under which dogpile.cache makes the value of a key once for all processes. 0 seconds: as
it is where an application names no lock_timeout.

Prints "held TOKEN" while it makes the value, or for one that waits "waiting" and then "woken TOKEN". Takes orders, a line each:
"release" (the value is there), "exit"; answers "released" or "failed ERROR".
"""
import sys

import redis
from dogpile.cache import make_region

path, key, mode, seconds = sys.argv[1:]
region = make_region().configure("dogpile.cache.redis", arguments={
    "url": f"unix://{path}",
    "distributed_lock": True,
    "thread_local_lock": False,
    "lock_timeout": int(seconds) or None,
})


def say(*words):
    print(*words, flush=True)


def make_value():
    token = region.backend.reader_client.get("_lock" + key).decode()
    say("held" if mode == "hold" else "woken", token)
    order = sys.stdin.readline().strip()
    if order != "release":
        sys.exit()
    return "made"


if mode == "wait":
    if region.backend.get_mutex(key).acquire(False):
        sys.exit(f"{key} is free")
    say("waiting")
try:
    region.get_or_create(key, make_value)
    say("released")
except redis.exceptions.LockError as error:
    say("failed", type(error).__name__)
sys.stdin.read()
