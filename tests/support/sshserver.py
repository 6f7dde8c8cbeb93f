# SPDX-License-Identifier: GPL-3.0-or-later
# An SSH server for tests, by python3-asyncssh: it logs users in and connects them through, nothing else. Tells its port and
# each login on standard output; ends with its standard input.
import argparse
import asyncio
import sys

import asyncssh

parser = argparse.ArgumentParser()
parser.add_argument('--host-key', required=True)
parser.add_argument('--authorized', required=True)
parser.add_argument('--port', type=int, default=0)
parser.add_argument('--password')
parser.add_argument('--forwards', choices=['yes', 'no'], default='yes')
parser.add_argument('--hangs', action='store_true')  # before anybody is logged in
options = parser.parse_args()


def say(text):
    print(text, flush=True)


class Server(asyncssh.SSHServer):
    async def begin_auth(self, username):
        if options.hangs:
            await asyncio.sleep(3600)
        return True

    def password_auth_supported(self):
        return options.password is not None

    def validate_password(self, username, password):
        say('password')
        return password == options.password

    def auth_completed(self):
        say('login')

    def connection_lost(self, exc):
        say('lost')

    def connection_requested(self, dest_host, dest_port, orig_host, orig_port):
        return self.allow()

    def unix_connection_requested(self, dest_path):
        return self.allow()

    def allow(self):
        if options.forwards == 'no':
            raise asyncssh.ChannelOpenError(asyncssh.OPEN_ADMINISTRATIVELY_PROHIBITED, 'open failed')
        return True


async def serve():
    listener = await asyncssh.listen(
        '127.0.0.1', options.port, server_factory=Server, server_host_keys=[options.host_key],
        authorized_client_keys=options.authorized)
    say('port %d' % listener.sockets[0].getsockname()[1])
    reader = asyncio.StreamReader()
    await asyncio.get_event_loop().connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin)
    await reader.read()


asyncio.run(serve())
