#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs lock libraries under faults, each on a Redis server of the referee's own, and counts what happens.

referee.py [--brief] [--npm FOLDER] [--out FILE] [LIBRARY…]     all of libraries.toml unless named
referee.py --report FILE FILE                                   tables of two runs, for packaging/docs/libraries.md

The referee uses no lock: workers say when they enter and leave the critical section, by one clock of the machine.
"""
import argparse
import json
import pathlib
import signal
import statistics
import subprocess
import sys
import time
import tomllib

import report
from crew import Crew, example, now, overlaps
from servers import SentinelGroup, Server

HERE = pathlib.Path(__file__).resolve().parent
LEASE = 2000  # ms; some libraries know whole seconds only
WORKERS = 4  # three in the brief form
LIBRARY_SECONDS = 120
STRING = b"\0"  # what DUMP begins with
ENDS = ["released", "release-failed", "exit"]


class Referee:
    def __init__(self, library, npm, brief):
        self.library = library
        self.npm = npm
        self.brief = brief
        self.count = 3 if brief else WORKERS
        self.servers = [Server() for _ in range(library.get("servers", 1))]

    def crew(self, addresses=None, lease=LEASE, **config):
        for server in self.servers:
            server.client.flushall()
        addresses = addresses or [server.address for server in self.servers]
        return Crew(self.library, addresses, self.count, self.npm, lease=lease, **config)

    def commands(self):
        return sum(server.commands() for server in self.servers)

    def contention(self):
        """All acquire, hold briefly, release, without a fault."""
        with self.crew(hold=[1, 3]) as crew:
            crew.go()
            time.sleep(0.8 if self.brief else 4)
            crew.freeze()
            holds = crew.holds()
        shares = [sum(hold.worker == worker for hold in holds) for worker in range(self.count)]
        squares = sum(share * share for share in shares)
        return {"holds": len(holds), "overlaps": overlaps(holds), "example": example(holds),
                "jain": round(sum(shares) ** 2 / (self.count * squares), 3) if squares else None}

    def handoff(self):
        """Three wait while one holds. Who has left tries again only when another has entered, so that nobody overtakes them."""
        times = []
        with self.crew(hold=[5, 25], think=[0, 0], baton=True) as crew:
            crew.go()
            end = now() + 7000
            entered = crew.first()
            before = self.commands()
            while entered and now() < end:
                left = crew.wait_event(["leave"], 5, worker=entered.worker, after=entered.at)
                entered = left and crew.wait_event(["enter"], 10, after=left.at)
                if entered:
                    times.append(entered.at - left.at)
                    crew.send(left.worker)
            commands = self.commands() - before
        if len(times) < 2:
            return {"count": len(times)}
        cuts = statistics.quantiles(times, n=100, method="inclusive")
        return {"count": len(times), "p50": round(cuts[49], 2), "p99": round(cuts[98], 2),
                "commands": round(commands / len(times), 1)}

    def crash(self):
        """The holder is killed. Before that: what the server does while one holds and three wait."""
        with self.crew(hold=[60000, 60000]) as crew:
            crew.go()
            first = crew.first()
            time.sleep(0.2)
            before, since = self.commands(), now()
            time.sleep(1.2)
            waiting = (self.commands() - before) / (now() - since) * 1000
            killed = crew.kill(first.worker)
            limit = 2 * LEASE / 1000 + 4
            entered = crew.wait_event(["enter"], limit, after=killed, but=first.worker)
        return {"waiting": round(waiting, 1), "free_after": round(entered.at - killed) if entered else None,
                "limit": round(limit * 1000)}

    def pause(self):
        """The holder is stopped for longer than its lease; then it goes on, and releases while another holds the lock."""
        with self.crew(hold=[3200, 3200]) as crew:
            crew.go()
            first = crew.first()
            own = self.keys_soon(first)
            crew.signal(first.worker, signal.SIGSTOP)
            time.sleep(max(0.0, (first.at + 2800 - now()) / 1000))
            resumed = now()
            crew.signal(first.worker, signal.SIGCONT)
            foreign = self.foreign_release(crew, first, first.at + 3000, own)
            ended = crew.wait_event(ENDS, 6, worker=first.worker, after=resumed)
            return {**self.judged(crew, first, resumed, ended), "foreign": foreign}

    def loss(self, cause, addresses=None, lease=LEASE, hold=None, prepare=None):
        """The lock is gone while its holder works; the holder does not know."""
        hold = hold or (5000 if self.library.get("renews") and not self.brief else 1500)
        with self.crew(addresses, lease, hold=[hold, hold]) as crew:
            if prepare:
                prepare()
            crew.go()
            first = crew.first()
            own = self.keys_soon(first)
            if not prepare:
                time.sleep(0.25)
            at = now()
            cause()
            foreign = self.foreign_release(crew, first, first.at + hold - 100, own)
            ended = crew.wait_event(ENDS, 6, worker=first.worker, after=at)
            result = self.judged(crew, first, at, ended)
            goes_on = crew.wait_event(["enter"], 5, after=at)
        return {**result, "foreign": foreign, "goes_on": bool(goes_on)}

    def keys_soon(self, first):
        time.sleep(max(0.0, (first.at + 50 - now()) / 1000))
        return [set(server.content()) for server in self.servers]

    def foreign_release(self, crew, first, soon, own):
        """Whether the first's release ended the lock of another one inside: its key has changed, or somebody entered. Nothing where
        nobody was surely inside, or the keys are not known. `soon`: before the release."""
        crew.wait_event(["exit"], max(0.0, (soon - now()) / 1000), worker=first.worker)
        before = [server.content() for server in self.servers]
        left = crew.wait_event(["leave", "exit"], 3, worker=first.worker, after=first.at)
        # The release, and who enters by it; a release that does not succeed may go on for seconds.
        time.sleep(0.2)
        after = [server.content() for server in self.servers]
        holds = crew.holds()
        others = [hold for hold in holds if hold.worker != first.worker and hold.enter < left.at]
        if not any(own) or not others:
            return None
        lease = float("inf") if self.library.get("renews") else LEASE
        if now() >= min(others[-1].leave, others[-1].enter + lease):
            return None
        changed = [key for keys, old, new in zip(own, before, after) for key in keys & set(old)
                   if key not in new or (new[key] != old[key] and old[key].startswith(STRING))]
        return bool(changed) or any(hold.enter > left.at for hold in holds)

    @staticmethod
    def judged(crew, first, at, ended):
        """How many entered while the first was inside, and what its library let it know."""
        holds = crew.holds()
        own = next(hold for hold in holds if hold.worker == first.worker and hold.enter == first.at)
        others = [hold for hold in holds if hold is not own and own.enter < hold.enter < own.leave]
        told = crew.wait_event(["lost", "uncaught", "exit"], 0, worker=first.worker, after=at)
        if told and (not ended or told.at <= ended.at):
            noticed, after = told.name, round(told.at - at)
        else:
            noticed, after = (ended.name if ended else "hangs"), None
        return {"overlaps": len(others), "noticed": noticed, "after": after}

    def evict(self):
        server = self.servers[0]
        server.client.delete(*server.content() or ["none"])

    def run(self):
        rows = {"contention": self.contention, "handoff": self.handoff, "crash": self.crash, "pause": self.pause,
                "evicted": lambda: self.loss(self.evict),
                "flushed": lambda: self.loss(self.servers[0].client.flushall),
                "restarted": lambda: self.loss(self.servers[0].restart)}
        if self.brief:
            rows = {name: rows[name] for name in ("contention", "evicted")}
        elif len(self.servers) == 1:
            rows["failover"] = self.failover
        result = {}
        for name, row in rows.items():
            try:
                result[name] = row()
            except LateError:
                raise
            except Exception as error:  # one row that cannot be told leaves the others
                result[name] = {"error": f"{type(error).__name__}: {error}"}
        return result

    def failover(self):
        """The primary is lost before the lock has reached its replica."""
        group = SentinelGroup()
        try:
            return self.loss(group.fail_over, [group.address], lease=6000, hold=4500, prepare=group.cut_replica)
        finally:
            group.stop()

    def stop(self):
        for server in self.servers:
            server.stop()


class LateError(Exception):
    pass


def late(*_):
    raise LateError


def version_of(library, npm):
    package = library["package"]
    if library["worker"].endswith(".js"):
        description = npm / package / "package.json"
        if not description.exists():
            sys.exit(f"{package} is not in {npm}: packaging/run-libraries installs it")
        return json.loads(description.read_text())["version"].lstrip("v")
    answer = subprocess.run(["dpkg-query", "-W", "-f", "${Version}", package], capture_output=True, text=True, check=False)
    return answer.stdout.strip() or "unknown"


def main():
    libraries = tomllib.loads((HERE / "libraries.toml").read_text())
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--brief", action="store_true")
    parser.add_argument("--npm", type=pathlib.Path, default=HERE.parents[1] / "build/npm-libraries")
    parser.add_argument("--out", type=pathlib.Path)
    parser.add_argument("--report", nargs=2, type=pathlib.Path)
    parser.add_argument("libraries", nargs="*")
    options = parser.parse_args()
    if options.report:
        print(report.tables(libraries, *(json.loads(file.read_text()) for file in options.report)))
        return
    unknown = [name for name in options.libraries if name not in libraries]
    if unknown:
        sys.exit(f"there is no library {unknown[0]}; known: {', '.join(libraries)}")
    npm = options.npm.resolve() / "node_modules"
    results = {}
    failed = False
    signal.signal(signal.SIGALRM, late)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    for name in options.libraries or libraries:
        library = libraries[name]
        begun = now()
        result = {"version": version_of(library, npm)}
        referee = Referee(library, npm, options.brief)
        signal.alarm(LIBRARY_SECONDS)
        try:
            result |= referee.run()
        except LateError:
            result["error"] = f"not done within {LIBRARY_SECONDS} s"
        finally:
            signal.alarm(0)
            referee.stop()
        result["seconds"] = round((now() - begun) / 1000, 1)
        results[name] = result
        print(json.dumps({"library": name, **result}), flush=True)
        failed = failed or "error" in result or any("error" in row for row in result.values() if isinstance(row, dict))
        if options.out:
            options.out.write_text(json.dumps(results, indent=1) + "\n")
    sys.exit(failed)


if __name__ == "__main__":
    main()
