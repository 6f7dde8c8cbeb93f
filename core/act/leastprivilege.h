// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/enumnames.h"

#include <QByteArray>
#include <QList>

namespace lockscope {

// The permissions that this program's features need, no more: computed from the commands that are sent (readCommands), the
// families' companions and scripts, and the patterns in use. All pure.

/// What a login is to do.
enum class AclRole : quint8 {
    Monitor,   ///< read
    Operator,  ///< and act on locks
    Sentinels, ///< read at Sentinels, which have users of their own
};

/// ACL rules differ between them.
enum class AclServer : quint8 {
    Redis6, ///< no read-only patterns, no channels before 6.2
    Redis7,
    Redis8, ///< also 7.4: hash fields with a TTL of their own
    Valkey,
};

struct AclRequest
{
    AclRole role = AclRole::Monitor;
    AclServer server = AclServer::Redis7;
    QList<QByteArray> patterns; ///< of the locks' names
    bool isCluster = false;
    bool findsClients = false; ///< `who`: CLIENT LIST and MONITOR, which shows every command of every client
};

struct AclRights
{
    struct Key
    {
        QByteArray pattern;
        bool isWritten = false; ///< else only read

        friend bool operator==(const Key &, const Key &) = default;
    };

    QList<Key> keys;
    QList<QByteArray> heard;    ///< channels, as patterns, that are subscribed to
    QList<QByteArray> told;     ///< to which scripts publish
    QList<QByteArray> commands; ///< "getrange", "client|setname"
};

AclRights aclRights(const AclRequest &request);

/// The rules in the order of a line: {"resetkeys", "&__redis__:invalidate", "-@all", "%R~lock:*", "+scan", …}.
QList<QByteArray> aclRules(const AclRights &rights, const AclRequest &request);
/// One right by itself, as such a server takes it; empty where it has no rule for it.
QByteArray keyRule(const AclRights::Key &key, AclServer server);
QByteArray channelRule(const QByteArray &channel, AclServer server);

/// A glob as it can stand in a rule, which has no blanks and is typed by people: a byte that could mislead either stands for
/// any byte.
QByteArray aclPattern(QByteArray glob);
/// A user's name as redis-cli reads it: in quotes, with escapes, where it is no plain word.
QByteArray aclUserName(const QByteArray &user);

/// The commands that these scripts call, in lower case; a command's subcommand is not told.
QList<QByteArray> commandsOfScript(const QByteArray &text);

/// "monitor", "operator", "sentinels"; "6", "7", "8", "valkey".
inline constexpr EnumNames aclRoleName{Named<AclRole>{AclRole::Monitor, "monitor"},
                                       Named<AclRole>{AclRole::Operator, "operator"},
                                       Named<AclRole>{AclRole::Sentinels, "sentinels"}};
inline constexpr EnumNames aclServerName{
    Named<AclServer>{AclServer::Redis6, "6"}, Named<AclServer>{AclServer::Redis7, "7"},
    Named<AclServer>{AclServer::Redis8, "8"}, Named<AclServer>{AclServer::Valkey, "valkey"}};
/// By what a server says of itself: its name ("redis", "valkey", …) and version.
AclServer aclServerOf(const QByteArray &name, int major, int minor);

} // namespace lockscope
