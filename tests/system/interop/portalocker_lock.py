#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""SOCKET CHANNEL: portalocker's lock over Redis. Prints "held", takes "release" as a line, and answers "released"."""
import sys

import portalocker
import redis

path, channel = sys.argv[1:]
with portalocker.RedisLock(channel, connection=redis.Redis(unix_socket_path=path)):
    print("held", flush=True)
    sys.stdin.readline()
print("released", flush=True)
