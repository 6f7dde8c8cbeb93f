# SPDX-License-Identifier: GPL-3.0-or-later
"""What a worker of a Python library does; see worker.js, whose protocol it speaks."""
import json
import random
import sys
import time


def say(event, detail=""):
    line = f"{time.monotonic_ns()} {event} {' '.join(str(detail).split())[:200]}\n"
    sys.stdout.write(line)
    sys.stdout.flush()


def told(error):
    return f"{type(error).__name__}: {error}"


def acquired(lock):
    try:
        return lock.acquire() is not False
    except Exception as error:
        say("gave-up", told(error))
        return False


def released(lock):
    try:
        answer = lock.release()
        say("release-failed" if answer is False else "released")
    except Exception as error:
        say("release-failed", told(error))


def pause(bounds):
    time.sleep(random.uniform(*bounds) / 1000)


def run(make):
    """`make(config)` returns the lock: acquire() and release(), which answer False, or raise, as in worker.js."""
    config = json.loads(sys.stdin.readline())
    lock = make(config)
    say("ready")
    first = True
    while True:
        if (first or config["baton"]) and not sys.stdin.readline():
            return
        first = False
        say("try")
        while not acquired(lock):
            time.sleep(0.01)
        say("enter")
        pause(config["hold"])
        say("leave")
        released(lock)
        pause(config["think"])
