#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Kills holders of four families and measures `lockscope-cli orphans` while other holders come and go.

Holders are processes that write what the libraries write: their locks, companion keys and heartbeats. The clocks of
some living ones are two minutes behind. Each living one checks at every heartbeat that its lock is still there. Fails
if an orphan is not found within two intervals after its family counts the holder as gone, or if a living holder's lock
ends. Starts and stops a Redis server of its own."""
import argparse
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time

import redis

HARBOR = '{harbor_job_service_namespace}'
PATTERNS = ['lockf*', 'rql:lock:*', HARBOR + ':jobs:*:lock', 'shop:jobs:*:lock']


class JuiceFs:
    rule, interval, limit = 'juicefs', 60, 60
    beats = 12  # seconds; mounts may beat more slowly, up to the interval
    behind = 0  # seconds of the holder's clock

    def __init__(self, db, number):
        self.db, self.sid = db, str(number)
        self.key, self.field = 'lockf%d' % number, '%d_%016X' % (number, number)
        self.mode = b'W'

    def share(self, other):
        self.key, self.mode = other.key, b'R'
        other.mode = b'R'

    def acquire(self):
        self.db.hset(self.key, self.field, self.mode)
        self.db.sadd('locked' + self.sid, self.key)

    def beat(self):
        self.db.zadd('allSessions', {self.sid: int(time.time()) - self.behind + self.limit})

    def holds(self):
        return self.db.hget(self.key, self.field) == self.mode

    def release(self):
        self.db.hdel(self.key, self.field)
        self.db.srem('locked' + self.sid, self.key)
        self.db.zrem('allSessions', self.sid)


class QueuedLocks:
    rule, interval, limit = 'redis-queued-locks', 2, 15
    behind = 0

    def __init__(self, db, number):
        self.db, self.key = db, 'rql:lock:order-%d' % number
        self.owner = 'rql:acq:%d/2340/2360/2280/%016x' % (number, number)
        self.host = 'rql:hst:%d/2340/2280/%016x' % (number, number)

    def acquire(self):
        self.db.hset(self.key, mapping={'acq_id': self.owner, 'hst_id': self.host, 'ts': '%.6f' % (time.time() - self.behind),
                                        'ini_ttl': 3600000})
        self.db.pexpire(self.key, 3600000)

    def beat(self):
        self.db.hset('rql:swarm:hsts', self.host, '%.6f' % (time.time() - self.behind))

    def holds(self):
        return self.db.hget(self.key, 'acq_id') == self.owner.encode()

    def release(self):
        self.db.delete(self.key)
        self.db.hdel('rql:swarm:hsts', self.host)


class Harbor:
    rule, interval, limit, namespace = 'harbor', 5, 60, HARBOR

    def __init__(self, db, number):
        self.db, self.pool = db, '%024x' % number
        self.key = '%s:jobs:JOB_%d:lock' % (self.namespace, number)
        self.pulse = '%s:worker_pools:%s' % (self.namespace, self.pool)

    def acquire(self):
        with self.db.pipeline() as both:
            both.incr(self.key)
            both.hincrby(self.key + '_info', self.pool, 1)
            both.execute()

    def beat(self):
        self.db.sadd(self.namespace + ':worker_pools', self.pool)
        self.db.hset(self.pulse, mapping={'heartbeat_at': int(time.time()), 'pid': os.getpid()})
        self.db.expire(self.pulse, self.limit)

    def holds(self):
        return int(self.db.get(self.key) or 0) > 0

    def release(self):
        with self.db.pipeline() as both:
            both.decr(self.key)
            both.hincrby(self.key + '_info', self.pool, -1)
            both.execute()
        self.db.delete(self.pulse)


class GocraftWork(Harbor):
    rule, namespace = 'gocraft-work', 'shop'


FAMILIES = [JuiceFs, QueuedLocks, Harbor, GocraftWork]


def hold(holder, seconds, report):
    """One hold of a living holder, which reports where its lock is not there any more."""
    holder.beat()
    holder.acquire()
    end = time.time() + seconds
    while time.time() < end:
        time.sleep(min(getattr(holder, 'beats', holder.interval), max(end - time.time(), 0.01)))
        if not holder.holds():
            os.write(report, ('lost %s\n' % holder.key).encode())
            return
        holder.beat()
    holder.release()


def started(work):
    """The process ID of a child that runs `work`."""
    child = os.fork()
    if child:
        return child
    try:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        work()
    finally:
        os._exit(0)


class Run:
    def __init__(self, options):
        self.options = options
        self.families = [family for family in FAMILIES if family.rule in options.rules]
        self.directory = tempfile.mkdtemp(prefix='orphans-')
        self.socket = os.path.join(self.directory, 'socket')
        self.server = subprocess.Popen(['redis-server', '--port', '0', '--unixsocket', self.socket, '--save', '',
                                        '--dir', self.directory], stdout=subprocess.DEVNULL)
        self.children = []
        self.reading, self.report = os.pipe()
        self.failures = []

    def db(self):
        return redis.Redis(unix_socket_path=self.socket)

    def orphans(self, *arguments):
        command = [self.options.cli, '-s', self.socket, 'orphans', '--json', *arguments]
        for pattern in PATTERNS:
            command += ['--pattern', pattern]
        ran = subprocess.run(command, capture_output=True, timeout=600, check=False,
                             env={**os.environ, 'XDG_STATE_HOME': self.directory, 'LC_ALL': 'C.UTF-8'})
        try:
            return ran.returncode, json.loads(ran.stdout)
        except ValueError:
            raise SystemExit('no document: %r %r' % (ran.returncode, ran.stderr)) from None

    def churn(self, family, number):
        def work():
            source = random.Random(number)
            db, turn = self.db(), 0
            while True:
                turn += 1
                holder = family(db, number * 100000 + turn)
                holder.behind = 120 if number % 3 == 0 else 0
                hold(holder, source.uniform(0.5, 3 * family.interval), self.report)
                time.sleep(source.uniform(0, 1))
        return started(work)

    def doom(self, holder):
        """A holder that only ends by a signal."""
        def work():
            holder.db = self.db()
            hold(holder, 1e9, self.report)
        return started(work)

    def start(self):
        for _ in range(100):
            try:
                self.db().ping()
                break
            except redis.ConnectionError:
                time.sleep(0.05)
        doomed = []
        for index in range(self.options.killed):
            family = self.families[index % len(self.families)]
            doomed.append(family(None, 1000 + index))
        for index in range(self.options.living):
            family = self.families[index % len(self.families)]
            self.children.append(self.churn(family, 5000 + index))
        # Readers that live share locks with readers that crash: only the holds of the latter are orphans.
        for index, holder in enumerate([each for each in doomed if isinstance(each, JuiceFs)][:5]):
            reader = JuiceFs(None, 9000 + index)
            reader.share(holder)
            self.children.append(self.doom(reader))
        killed = [self.doom(holder) for holder in doomed]
        time.sleep(self.options.before)
        _, document = self.orphans('--end', '--per-minute', '60000')
        if document['orphans']:  # while all live
            self.failures.append('too early: %s' % document['orphans'][:2])
        for child in killed:
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
        return doomed, time.time()

    def gone_at(self, holder):
        """When the family counts the holder as gone."""
        db = self.db()
        if isinstance(holder, JuiceFs):
            return float(db.zscore('allSessions', holder.sid))
        if isinstance(holder, QueuedLocks):
            return float(db.hget('rql:swarm:hsts', holder.host)) + holder.limit
        return time.time() + max(db.pttl(holder.pulse), 0) / 1000

    def find(self, family, holders, killed_at, figures):
        gone_at = max(self.gone_at(holder) for holder in holders)
        time.sleep(max(gone_at - time.time(), 0) + 0.05)
        started_at = time.time()
        _, document = self.orphans('--rule', family.rule)
        at = time.time()
        found = {each['lock']['key'] for each in document['orphans']}
        missed = {holder.key for holder in holders} - found
        others = found - {holder.key for holder in holders}
        late = at - gone_at > 2 * family.interval + self.options.slack
        figures[family.rule] = (len(found), at - killed_at, at - gone_at, document['sweep']['wall_ms'],
                                at - started_at)
        if missed or others or late:
            self.failures.append('%s: missed %s, others %s, %.1f s after' % (family.rule, sorted(missed)[:3],
                                                                            sorted(others)[:3], at - gone_at))

    def run(self):
        doomed, killed_at = self.start()
        figures = {}
        threads = []
        for family in self.families:
            holders = [each for each in doomed if type(each) is family]
            threads.append(threading.Thread(target=self.find, args=(family, holders, killed_at, figures)))
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        for rule, (count, since_kill, since_gone, scan, took) in sorted(figures.items()):
            print('%-20s found %3d: %5.1f s after the kill, %4.1f s after the family counts them as gone '
                  '(command %4.1f s, scan %d ms)' % (rule, count, since_kill, since_gone, took, scan))
        began = time.time()
        ended = set()
        status, document = self.orphans('--end', '--per-minute', '60000')
        for each in document['orphans']:
            if each.get('outcome') == 'expired':
                ended.add(each['lock']['key'])
            else:
                self.failures.append('not ended: %s %s' % (each['lock']['key'], each.get('outcome')))
        print('ended %d of %d in %.1f s, exit status %d, alive %d, likely %d, unknown %d' % (
            len(ended), len(doomed), time.time() - began, status, document['alive'], len(document['likely']),
            len(document['unknown'])))
        if ended != {holder.key for holder in doomed}:
            self.failures.append('ended others than the killed: %s' % sorted(
                ended ^ {holder.key for holder in doomed})[:5])
        until = time.time() + self.options.after
        runs = 0
        while time.time() < until:
            _, document = self.orphans('--end', '--per-minute', '60000')
            runs += 1
            if document['orphans'] or document['likely']:
                self.failures.append('afterwards: %s' % (document['orphans'] + document['likely'])[:2])
        if runs:
            print('%d more runs with --end in %d s: nothing was an orphan' % (runs, self.options.after))

    def stop(self):
        for child in self.children:
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
        os.close(self.report)
        lost = os.read(self.reading, 65536).decode().splitlines()
        print('locks of living holders that ended: %d' % len(lost))
        self.failures += lost
        self.server.terminate()
        self.server.wait()
        shutil.rmtree(self.directory)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument('cli', help='lockscope-cli')
    parser.add_argument('--killed', type=int, default=200)
    parser.add_argument('--living', type=int, default=80)
    parser.add_argument('--rules', nargs='+', default=[family.rule for family in FAMILIES])
    parser.add_argument('--before', type=float, default=10, help='seconds before the kill')
    parser.add_argument('--after', type=float, default=60, help='seconds of runs with --end afterwards')
    parser.add_argument('--slack', type=float, default=2, help='seconds for the command itself')
    options = parser.parse_args()
    run = Run(options)
    try:
        run.run()
    finally:
        run.stop()
    for failure in run.failures[:20]:
        print('FAILED', failure)
    return 1 if run.failures else 0


sys.exit(main())
