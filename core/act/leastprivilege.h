// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/enumnames.h"

#include <QByteArray>
#include <QList>

namespace lockscope {

// The least permissions for this program's features, computed from the commands that it sends (readCommands),
// the families' companions and scripts, and the patterns in use. All pure.

enum class AclRole : quint8 {
    Monitor,
    Operator,  ///< also acts on locks
    Sentinels, ///< reads at Sentinels, which have their own users
};

/// Kinds of servers with different ACL rules.
enum class AclServer : quint8 {
    Redis6, ///< no read-only patterns, no channels before 6.2
    Redis7,
    Redis8, ///< and 7.4: hash fields with their own TTL
    Valkey,
};

struct AclRequest
{
    AclRole role = AclRole::Monitor;
    AclServer server = AclServer::Redis7;
    QList<QByteArray> patterns;
    bool isCluster = false;
    bool findsClients = false; ///< `who`: CLIENT LIST and MONITOR, which shows all commands of all clients
};

struct AclRights
{
    struct Key
    {
        QByteArray pattern;
        bool isWritten = false; ///< otherwise only read

        friend bool operator==(const Key &, const Key &) = default;
    };

    QList<Key> keys;
    QList<QByteArray> heard;    ///< patterns of subscribed channels
    QList<QByteArray> told;     ///< patterns of channels to which scripts publish
    QList<QByteArray> commands; ///< "getrange", "client|setname"
};

AclRights aclRights(const AclRequest &request);

/// The rules in their order: {"resetkeys", "&__redis__:invalidate", "-@all", "%R~lock:*", "+scan", …}.
QList<QByteArray> aclRules(const AclRights &rights, const AclRequest &request);
/// The rule for a single right; empty if the server has none.
QByteArray keyRule(const AclRights::Key &key, AclServer server);
QByteArray channelRule(const QByteArray &channel, AclServer server);

/// A glob for a rule, which has no blanks and is typed by people: bytes that would mislead either become
/// wildcards.
QByteArray aclPattern(QByteArray glob);
/// A user's name for redis-cli: in quotes, with escapes, unless it is a plain word.
QByteArray aclUserName(const QByteArray &user);

/// The commands that the script calls, in lower case, without subcommands.
QList<QByteArray> commandsOfScript(const QByteArray &text);

/// "monitor", "operator", "sentinels"; "6", "7", "8", "valkey".
inline constexpr EnumNames aclRoleName{Named<AclRole>{AclRole::Monitor, "monitor"},
                                       Named<AclRole>{AclRole::Operator, "operator"},
                                       Named<AclRole>{AclRole::Sentinels, "sentinels"}};
inline constexpr EnumNames aclServerName{
    Named<AclServer>{AclServer::Redis6, "6"}, Named<AclServer>{AclServer::Redis7, "7"},
    Named<AclServer>{AclServer::Redis8, "8"}, Named<AclServer>{AclServer::Valkey, "valkey"}};
/// The kind of a server, by its reported name ("redis", "valkey", …) and version.
AclServer aclServerOf(const QByteArray &name, int major, int minor);

} // namespace lockscope
