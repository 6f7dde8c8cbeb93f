# SPDX-License-Identifier: GPL-3.0-or-later
import os

from tooz import coordination
from worker import run


def make(config):
    server = config["servers"][0]
    url = f"redis://{server['host']}:{server['port']}?lock_timeout={config['lease'] // 1000}"
    coordinator = coordination.get_coordinator(url, f"worker-{os.getpid()}".encode())
    coordinator.start(start_heart=True)
    return coordinator.get_lock(config["name"].encode())


run(make)
