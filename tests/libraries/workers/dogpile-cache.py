# SPDX-License-Identifier: GPL-3.0-or-later
from dogpile.cache import make_region
from worker import run


def make(config):
    region = make_region().configure("dogpile.cache.redis", arguments={
        **config["servers"][0],
        "distributed_lock": True,
        "thread_local_lock": False,
        "lock_timeout": config["lease"] // 1000,
    })
    return region.backend.get_mutex(config["name"])


run(make)
