# SPDX-License-Identifier: GPL-3.0-or-later
"""The referee's own Redis servers, on free loopback ports and without persistence, and a Sentinel group with a line to its primary."""
import ctypes
import os
import pathlib
import selectors
import signal
import socket
import subprocess
import tempfile
import threading
import time

import redis

HOST = "127.0.0.1"
PR_SET_PDEATHSIG = 1
libc = ctypes.CDLL(None)


def with_referee():
    """In a child, before it starts: a higher priority where that is allowed, and its end with the referee's."""
    libc.prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    try:
        os.nice(-5)
    except OSError:
        pass


def free_port():
    with socket.socket() as listener:
        listener.bind((HOST, 0))
        return listener.getsockname()[1]


def until(condition, seconds, what):
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            raise TimeoutError(what)
        time.sleep(0.02)


class Server:
    def __init__(self, *options, sentinel=""):
        self.port = free_port()
        self.folder = tempfile.TemporaryDirectory(prefix="libraries-")
        self.command = ["redis-server", "--bind", HOST, "--port", str(self.port), "--dir", self.folder.name,
                        "--save", "", "--loglevel", "warning", *options]
        if sentinel:
            file = pathlib.Path(self.folder.name, "sentinel.conf")
            file.write_text(f"bind {HOST}\nport {self.port}\ndir {self.folder.name}\n{sentinel}")
            self.command = ["redis-server", str(file), "--sentinel"]
        self.client = redis.Redis(HOST, self.port, socket_timeout=10)
        self.start()

    @property
    def address(self):
        return {"host": HOST, "port": self.port}

    def start(self):
        self.process = subprocess.Popen(self.command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                        preexec_fn=with_referee)
        until(self.answers, 10, "redis-server does not answer")

    def answers(self):
        """Whether this very process answers: what else listens at the port is not ours to change."""
        try:
            return self.client.info("server")["process_id"] == self.process.pid
        except redis.RedisError:
            return False

    def kill(self):
        self.process.kill()
        self.process.wait()
        self.client.connection_pool.disconnect()

    def restart(self):
        self.kill()
        self.start()

    def commands(self):
        """How many commands were run, those of scripts included, without the referee's."""
        stats = self.client.info("commandstats")
        return sum(stat["calls"] for name, stat in stats.items() if name != "cmdstat_info")

    def content(self):
        """Every key with its value. A missing one: it went in between."""
        values = {key: self.client.dump(key) for key in self.client.scan_iter(count=1000)}
        return {key: value for key, value in values.items() if value is not None}

    def stop(self):
        self.kill()
        self.folder.cleanup()


class SentinelGroup:
    """A primary, a replica and three Sentinels. `address` is a forwarder that leads to the primary of the moment, as proxies do, so
    that every library can be asked, whatever its client knows of Sentinels."""

    def __init__(self):
        self.primary = Server()
        self.replica = Server("--replicaof", HOST, str(self.primary.port))
        self.servers = [self.primary, self.replica]
        self.listener = socket.create_server((HOST, 0))
        self.address = {"host": HOST, "port": self.listener.getsockname()[1]}
        self.wake, self.woken = socket.socketpair()
        self.target = self.primary.port
        self.stopping = False
        try:
            self.primary.client.config_set("repl-diskless-sync-delay", 0)
            until(lambda: self.replica.client.info("replication")["master_link_status"] == "up", 10, "no replication")
            watch = (f"sentinel monitor locks {HOST} {self.primary.port} 2\n"
                     "sentinel down-after-milliseconds locks 300\nsentinel failover-timeout locks 5000\n")
            for _ in range(3):
                self.servers.append(Server(sentinel=watch))
            self.sentinels = self.servers[2:]
            until(self.is_complete, 15, "the Sentinels do not see each other")
        except BaseException:
            self.stop()
            raise
        self.thread = threading.Thread(target=self.forward, daemon=True)
        self.thread.start()

    def is_complete(self):
        seen = [sentinel.client.sentinel_master("locks") for sentinel in self.sentinels]
        return all(each["num-other-sentinels"] == 2 and each["num-slaves"] == 1 for each in seen)

    def cut_replica(self):
        """What is written from now on does not reach the replica, which stays connected to nothing."""
        self.primary.client.execute_command("ACL", "SETUSER", "default", "-psync", "-sync")
        self.primary.client.execute_command("CLIENT", "KILL", "TYPE", "replica")

    def fail_over(self):
        self.primary.kill()
        end = time.monotonic() + 15
        while time.monotonic() < end:
            for sentinel in self.sentinels:
                if sentinel.client.sentinel_get_master_addr_by_name("locks")[1] == self.replica.port:
                    self.target = self.replica.port
                    return
            time.sleep(0.02)
        raise TimeoutError("no failover")

    def forward(self):
        lines = selectors.DefaultSelector()
        lines.register(self.listener, selectors.EVENT_READ)
        lines.register(self.woken, selectors.EVENT_READ)
        other = {}
        while not self.stopping:
            for key, _ in lines.select():
                if key.fileobj is self.woken:
                    return
                if key.fileobj is self.listener:
                    client = self.listener.accept()[0]
                    try:
                        server = socket.create_connection((HOST, self.target))
                    except OSError:
                        client.close()
                        continue
                    for one, end in ((client, server), (server, client)):
                        one.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                        other[one] = end
                        lines.register(one, selectors.EVENT_READ)
                elif key.fileobj in other:
                    try:
                        data = key.fileobj.recv(65536)
                        other[key.fileobj].sendall(data)
                    except OSError:
                        data = b""
                    if not data:
                        for end in (other.pop(key.fileobj), key.fileobj):
                            other.pop(end, None)
                            lines.unregister(end)
                            end.close()

    def stop(self):
        self.stopping = True
        self.wake.send(b"x")
        for server in self.servers:
            server.stop()
        self.listener.close()
