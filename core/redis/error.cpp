// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/redis/error.h"

#include "core/redis/reply.h"

#include <QByteArrayView>

#include <array>

namespace lockscope {

namespace {

// Longer texts only come from servers that mean harm or are broken; nobody reads them to the end.
constexpr qsizetype longestText = 1024;

struct Classified
{
    QByteArrayView start;
    ErrorKind kind = ErrorKind::ServerError;
};

constexpr std::array byCode{
    Classified{"NOAUTH", ErrorKind::AuthRequired},
    Classified{"WRONGPASS", ErrorKind::WrongPassword},
    Classified{"NOPERM", ErrorKind::NoPermission},
    Classified{"DENIED", ErrorKind::NoPermission}, // protected mode: only local clients are let in
    Classified{"LOADING", ErrorKind::Loading},
    Classified{"BUSY", ErrorKind::Busy},
    Classified{"MOVED", ErrorKind::Moved},
    Classified{"ASK", ErrorKind::Ask},
    Classified{"TRYAGAIN", ErrorKind::TryAgain},
    Classified{"CLUSTERDOWN", ErrorKind::ClusterDown},
    Classified{"CROSSSLOT", ErrorKind::CrossSlot},
    Classified{"READONLY", ErrorKind::ReadOnlyReplica},
    Classified{"MISCONF", ErrorKind::PersistenceFailed},
    Classified{"OOM", ErrorKind::OutOfMemory},
    Classified{"NOREPLICAS", ErrorKind::NoReplicas},
    Classified{"MASTERDOWN", ErrorKind::MasterDown},
    Classified{"NODEDOWN", ErrorKind::NodeDown},
    Classified{"NOSCRIPT", ErrorKind::NoScript},
    Classified{"WRONGTYPE", ErrorKind::WrongType},
};

// Causes that share the code ERR and are told apart by their words only.
constexpr std::array byPhrase{
    Classified{"ERR max number of clients", ErrorKind::TooManyClients},
    Classified{"ERR invalid password", ErrorKind::WrongPassword},
    Classified{"ERR Client sent AUTH", ErrorKind::WrongPassword},
    Classified{"ERR AUTH <password> called without any password", ErrorKind::WrongPassword},
    // From inside a script, in Redis 7.0 and from 7.2 on.
    Classified{"ERR The user executing the script can't", ErrorKind::NoPermission},
    Classified{"ERR ACL failure in script", ErrorKind::NoPermission},
};

ErrorKind classify(QByteArrayView text)
{
    const qsizetype space = text.indexOf(' ');
    const QByteArrayView code = space < 0 ? text : text.first(space);
    for (const Classified &known : byCode) {
        if (code == known.start)
            return known.kind;
    }
    for (const Classified &known : byPhrase) {
        if (text.startsWith(known.start))
            return known.kind;
    }
    return ErrorKind::ServerError;
}

// Before Redis 7 an error inside a script is wrapped, perhaps twice: "ERR Error running script (call to f_…):
// @user_script:1: @user_script: 1: -READONLY You can't write …". What follows the last line number is the
// cause.
QByteArrayView causeInsideScript(QByteArrayView text)
{
    if (!text.startsWith("ERR Error running script"))
        return {};
    constexpr QByteArrayView marker = "@user_script:";
    const qsizetype last = text.lastIndexOf(marker);
    if (last < 0)
        return {};
    text = text.sliced(last + marker.size());
    const qsizetype colon = text.indexOf(':');
    if (colon < 0)
        return {};
    text = text.sliced(colon + 1).trimmed();
    return text.startsWith('-') ? text.sliced(1) : text;
}

} // namespace

Error serverError(QByteArray text)
{
    text.truncate(longestText);
    text = text.trimmed();
    const QByteArrayView cause = causeInsideScript(text);
    if (cause.startsWith("The user executing the script can't"))
        return {ErrorKind::NoPermission, text};
    return {classify(cause.isEmpty() ? QByteArrayView(text) : cause), text};
}

Result<Reply> singleReply(Result<std::vector<Reply>> replies)
{
    if (!replies)
        return tl::unexpected(std::move(replies.error()));
    Reply &reply = replies->front();
    if (reply.isError())
        return tl::unexpected(serverError(std::move(reply.text)));
    return std::move(reply);
}

bool requiresUserAction(ErrorKind kind)
{
    switch (kind) {
    case ErrorKind::AuthRequired:
    case ErrorKind::WrongPassword:
    case ErrorKind::NoPermission:
    case ErrorKind::TlsFailed:
    case ErrorKind::SentinelRefused:
    case ErrorKind::SshRefused:
    case ErrorKind::NotOfGroup:
    case ErrorKind::InvalidArgument:
    case ErrorKind::NotStarted:
        return true;
    default:
        return false;
    }
}

} // namespace lockscope
