// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/redis/error.h"
#include "core/redis/serveraddress.h"

#include <QFuture>

#include <optional>

namespace lockscope {

/// Tunnels to servers through SSH hosts, by the system's ssh with its configuration, agent, known hosts and
/// jump hosts. One login per host, shared by all connections of this program; one forward per server, to a
/// Unix socket in a directory of this user only. Thread-safe: the ssh processes belong to their own thread,
/// and end with this program however it ends.
namespace SshTunnel {

/// Who answers ssh's prompts: for a password, a passphrase, a host's key.
enum class Prompts {
    None,
    Terminal, ///< the user at this program's terminal
    Window,   ///< a program, with askpassVariable() in its environment
};

/// Applies to later logins. `program`: for Prompts::Window. Call before the first connection.
void setPrompts(Prompts prompts, const QString &program = {});
/// Environment variable: the program prompts for its first argument, and prints the answer.
constexpr const char *askpassVariable = "LOCKSCOPE_SSH_ASKPASS";

/// The path of a local socket to the server, once logged in. SshNotReached, SshRefused.
QFuture<Result<QString>> open(const ServerAddress &address);
/// Why a connection by this socket ended, as far as ssh reports it soon: SshNotReached, or, if nothing was
/// received and it may never have reached the server, SshRefused or NotReachedFromSsh. Finishes within a
/// quarter of a second.
QFuture<std::optional<Error>> whyNot(const ServerAddress &address, const QString &socketPath,
                                     bool hasReceived);
/// The control socket of the present login, for another of our processes (ServerAddress::sshControl). Empty:
/// none. Blocks briefly.
QString controlOf(const ServerAddress &address);

/// Keeps the login to the address' SSH host while it exists. No effect without an SSH host.
class Hold
{
public:
    Hold() = default;
    explicit Hold(const ServerAddress &address);
    ~Hold();
    Hold(Hold &&other) noexcept;
    Hold &operator=(Hold &&other) noexcept;

private:
    std::optional<ServerAddress> m_address;
};

} // namespace SshTunnel

} // namespace lockscope
