# SPDX-License-Identifier: GPL-3.0-or-later
from django.conf import settings
from worker import run


def make(config):
    server = config["servers"][0]
    location = f"redis://{server['host']}:{server['port']}/0"
    settings.configure(CACHES={"default": {"BACKEND": "django_redis.cache.RedisCache", "LOCATION": location}})
    from django.core.cache import cache
    return cache.lock(config["name"], timeout=config["lease"] / 1000)


run(make)
