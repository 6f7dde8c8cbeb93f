// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/redis/error.h"
#include "core/redis/serveraddress.h"

#include <QFuture>

#include <optional>

namespace lockscope {

/// Ways to servers through SSH hosts, by the system's own ssh: its configuration, agent, known hosts and jump hosts. One
/// login for each host, shared by all of this program's connections; in it one forward for each server, to a Unix socket in a
/// directory of this user alone. Callable from every thread: the ssh processes belong to a thread of their own, and end with
/// this program however it ends.
namespace SshTunnel {

/// Who answers what ssh asks: a password, a passphrase, whether a host's key is right.
enum class Prompts {
    None,     ///< nobody: what would be asked is refused
    Terminal, ///< the user at this program's terminal
    Window,   ///< a program, askpassVariable() set in its environment
};

/// For logins made from now on. `program`: of Prompts::Window. To be called before the first connection.
void setPrompts(Prompts prompts, const QString &program = {});
/// That the program is to ask for an answer to its first argument, and print it.
constexpr const char *askpassVariable = "LOCKSCOPE_SSH_ASKPASS";

/// The path of a local socket that leads to the server, once the login stands. SshNotReached, SshRefused.
QFuture<Result<QString>> open(const ServerAddress &address);
/// Why a connection by the socket of this path came to an end, as far as ssh has told it by now or soon: SshNotReached, and
/// where nothing has come by it, so that it may never have reached the server, SshRefused or NotReachedFromSsh. Finishes
/// within a quarter of a second.
QFuture<std::optional<Error>> whyNot(const ServerAddress &address, const QString &socketPath,
                                     bool hasReceived);
/// Of the login that stands, for another process of ours (ServerAddress::sshControl). Empty: there is none. Blocks for a
/// moment.
QString controlOf(const ServerAddress &address);

/// As long as any of these lives, the login to the address' SSH host is kept between its connections. Nothing where the
/// address names none.
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
