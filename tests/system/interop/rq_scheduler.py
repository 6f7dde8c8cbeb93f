#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""SOCKET QUEUE: rq's scheduler of a queue, started as its worker starts it.

Prints "held TOKEN"; a process of the scheduler's own then renews the lock every second. Takes orders, a line each: "release" (the
scheduler ends, as with its worker), "exit" (it dies and leaves the lock); answers "released".
"""
import logging
import signal
import sys

import redis
from rq.scheduler import RQScheduler

path, queue = sys.argv[1:]
client = redis.Redis(unix_socket_path=path)
scheduler = RQScheduler([queue], client, logging_level=logging.WARNING)


def say(*words):
    print(*words, flush=True)


def obey(order):
    if order != "release":
        sys.exit(f"no order: {order}")
    scheduler._process.terminate()  # as Worker.stop_scheduler has it
    scheduler._process.join()
    say("released")


if not scheduler.acquire_locks(auto_start=True):
    sys.exit(f"{queue} is held by another")
signal.signal(signal.SIGTERM, lambda *_: sys.exit())  # so that the scheduler's process does not outlive this one
try:
    say("held", client.get(scheduler.get_locking_key(queue)).decode())
    for line in sys.stdin:
        if line.strip() == "exit":
            break
        obey(line.strip())
finally:
    scheduler._process.kill()
