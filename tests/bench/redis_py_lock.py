#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""PORT MILLISECONDS: prints how many acquire + release pairs a second redis-py's Lock does, one client."""
import sys
import time

try:
    import redis
except ImportError:
    sys.exit("python3-redis is not installed")

port, duration = int(sys.argv[1]), int(sys.argv[2]) / 1000
lock = redis.Redis(port=port).lock("bench:redis-py", timeout=30)


def pairs_until(end):
    pairs = 0
    while time.perf_counter() < end:
        if not lock.acquire(blocking=False):
            sys.exit("the lock is held by another")
        lock.release()
        pairs += 1
    return pairs


pairs_until(time.perf_counter() + duration / 10)
begin = time.perf_counter()
pairs = pairs_until(begin + duration)
print(pairs / (time.perf_counter() - begin))
