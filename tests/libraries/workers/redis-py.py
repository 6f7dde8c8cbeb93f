# SPDX-License-Identifier: GPL-3.0-or-later
import redis
from worker import run

run(lambda config: redis.Redis(**config["servers"][0]).lock(config["name"], timeout=config["lease"] / 1000))
