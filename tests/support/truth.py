# SPDX-License-Identifier: GPL-3.0-or-later
# What a server holds under some patterns, read by another client than the program's own. Arguments: socket, database, patterns
# in hexadecimal. A line a key: asked and heard (monotonic, ns), key, type, PTTL, then the value or fields and values; bytes as
# "x" and hexadecimal.
import sys
import time

import redis

client = redis.Redis(unix_socket_path=sys.argv[1], db=int(sys.argv[2]))
keys = set()
for pattern in sys.argv[3:]:
    keys.update(client.scan_iter(match=bytes.fromhex(pattern), count=1000))
keys = sorted(keys)


def spelled(data):
    return "x" + data.hex()


def content(pipe, key, kind):
    if kind == b"hash":
        pipe.hgetall(key)
    elif kind == b"string":
        pipe.get(key)
    else:
        pipe.exists(key)


for start in range(0, len(keys), 500):
    chunk = keys[start : start + 500]
    with client.pipeline(transaction=False) as pipe:
        for key in chunk:
            pipe.type(key)
        kinds = pipe.execute()
        for key, kind in zip(chunk, kinds):
            content(pipe, key, kind)
            pipe.pttl(key)
        asked = time.monotonic_ns()
        found = pipe.execute()
        heard = time.monotonic_ns()
    for key, kind, value, pttl in zip(chunk, kinds, found[::2], found[1::2]):
        if pttl == -2:
            continue
        words = [str(asked), str(heard), spelled(key), kind.decode(), str(pttl)]
        if kind == b"hash":
            for field, count in value.items():
                words += [spelled(field), spelled(count)]
        elif kind == b"string":
            words.append(spelled(value))
        print(" ".join(words))
