# SPDX-License-Identifier: GPL-3.0-or-later
"""The workers of one library, and what they said."""
import json
import os
import pathlib
import signal
import subprocess
import threading
import time
from typing import NamedTuple

from servers import with_referee

WORKERS = pathlib.Path(__file__).resolve().parent / "workers"
PROGRAMS = {".js": "node", ".py": "/usr/bin/python3", ".php": "php"}


class Event(NamedTuple):
    worker: int
    at: float  # ms, CLOCK_MONOTONIC
    name: str
    detail: str = ""


class Hold(NamedTuple):
    worker: int
    enter: float
    leave: float  # infinite while it goes on


def now():
    return time.monotonic_ns() / 1e6


class Crew:
    """Workers that are connected and wait for go(). Used as a context: at its end they are killed."""

    def __init__(self, library, addresses, count, npm, **config):
        self.events = []
        self.noise = []  # other lines, such as a program's own errors
        self.news = threading.Condition()
        self.processes = []
        file = WORKERS / library["worker"]
        config = {"servers": addresses, "name": "order-1001", "variant": library.get("variant", ""),
                  "baton": False, "think": [1, 5], **config}
        for worker in range(count):
            process = subprocess.Popen(
                [PROGRAMS[file.suffix], str(file)], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT, preexec_fn=with_referee, env={**os.environ, "NODE_PATH": str(npm)})
            self.processes.append(process)
            threading.Thread(target=self.read, args=(worker, process.stdout), daemon=True).start()
            self.send(worker, json.dumps(config))

    def __enter__(self):
        ready = self.wait(lambda: sum(event.name == "ready" for event in self.events) == len(self.processes), 20)
        if not ready:
            self.__exit__()
            raise RuntimeError("workers do not start: " + self.said())
        return self

    def __exit__(self, *_):
        for process in self.processes:
            process.kill()
        for process in self.processes:
            process.wait()

    def read(self, worker, lines):
        for line in lines:
            at, _, rest = line.decode(errors="replace").rstrip("\n").partition(" ")
            name, _, detail = rest.partition(" ")
            if at.isdigit():
                self.add(Event(worker, int(at) / 1e6, name, detail))
            elif len(self.noise) < 1000:
                self.noise.append(line.decode(errors="replace").strip()[:200])
        self.add(Event(worker, now(), "exit"))

    def add(self, event):
        with self.news:
            self.events.append(event)
            self.news.notify_all()

    def send(self, worker, line="go"):
        try:
            self.processes[worker].stdin.write(line.encode() + b"\n")
            self.processes[worker].stdin.flush()
        except OSError:
            pass  # it has gone

    def go(self):
        for worker in range(len(self.processes)):
            self.send(worker)

    def freeze(self):
        """All stop at once, and what they have said is read: what is open then is open."""
        for process in self.processes:
            process.send_signal(signal.SIGSTOP)
        time.sleep(0.2)

    def signal(self, worker, number):
        self.processes[worker].send_signal(number)

    def kill(self, worker):
        self.signal(worker, signal.SIGKILL)
        return now()

    def wait(self, condition, seconds):
        with self.news:
            return self.news.wait_for(condition, seconds)

    def wait_event(self, names, seconds, worker=None, after=0.0, but=None):
        """The first event of such a name, or nothing."""
        def found():
            return min((event for event in self.events if event.name in names and event.at > after
                        and worker in (None, event.worker) and event.worker != but),
                       key=lambda event: event.at, default=None)
        return self.wait(found, seconds)

    def first(self):
        """Who enters first."""
        entered = self.wait_event(["enter"], 10)
        if not entered:
            raise RuntimeError("no worker entered: " + self.said())
        return entered

    def said(self):
        with self.news:
            return "; ".join([event.detail for event in self.events if event.detail][:3] + self.noise[-1:])

    def holds(self):
        with self.news:
            events = sorted(self.events, key=lambda event: event.at)
        inside = {}
        holds = []
        for event in events:
            if event.name == "enter":
                inside[event.worker] = event.at
            elif event.name in ("leave", "exit") and event.worker in inside:
                holds.append(Hold(event.worker, inside.pop(event.worker), event.at))
        holds += [Hold(worker, enter, float("inf")) for worker, enter in inside.items()]
        return sorted(holds, key=lambda hold: hold.enter)


def overlaps(holds):
    """How many holds began while another one went on."""
    count = 0
    end = 0.0
    for hold in holds:
        count += hold.enter < end
        end = max(end, hold.leave)
    return count


def example(holds):
    """The first overlap with what came before it, in ms since then."""
    end = 0.0
    for at, hold in enumerate(holds):
        if hold.enter < end:
            return [(each.worker, round(each.enter - holds[0].enter, 3), round(each.leave - holds[0].enter, 3))
                    for each in holds[max(0, at - 2):at + 1]]
        end = max(end, hold.leave)
    return None
