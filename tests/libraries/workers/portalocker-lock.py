# SPDX-License-Identifier: GPL-3.0-or-later
import portalocker
import redis
from worker import run


def make(config):
    connection = redis.Redis(**config["servers"][0], health_check_interval=10)
    return portalocker.RedisLock(config["name"], connection=connection, timeout=10)


run(make)
