// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/words/permissionmessages.h"

#include "core/act/leastprivilege.h"
#include "core/base/printable.h"
#include "core/redis/command.h"
#include "core/words/messages.h"
#include "core/words/texts.h"

#include <algorithm>

namespace lockscope {

namespace {

using Use = PermissionStatus::Use;
using About = Refusal::About;

constexpr int selectorsSince = 7; // %R~ grants reading alone

QString typed(const QByteArray &bytes)
{
    return QString::fromLatin1(aclPattern(bytes));
}

/// The sent subcommands: Redis 6 names only the container, and `+client` would grant all of them.
QByteArrayList sentOf(const QByteArray &command)
{
    QByteArrayList sent;
    for (const ReadCommand &read : readCommands()) {
        const bool isOnRequest = read.use == ReadUse::Clients || read.use == ReadUse::Notifications;
        const QByteArray name = read.name.toByteArray();
        if (name.startsWith(command + '|') && !isOnRequest && !sent.contains(name))
            sent.append(name);
    }
    return sent.isEmpty() ? QByteArrayList{command} : sent;
}

QString purposeOf(Use use)
{
    switch (use) {
    case Use::Read:
        return Texts::tr("Reading locks");
    case Use::Scan:
        return Texts::tr("Finding locks");
    case Use::Load:
        return Texts::tr("Measuring the server load");
    case Use::Feed:
        return Texts::tr("Change feed");
    case Use::Companions:
        break;
    }
    return Texts::tr("Waiters and companion keys");
}

} // namespace

bool isGrantVague(const PermissionStatus &status)
{
    return std::ranges::any_of(status.missing, [](const PermissionStatus::Missing &missing) {
        return missing.use == Use::Read && missing.refusal.about == About::Unknown;
    });
}

QString grantRule(const PermissionStatus &status, const QByteArray &user, int serverMajor)
{
    QStringList keys;
    QStringList others;
    const auto add = [](QStringList &rules, const QString &rule) {
        if (!rules.contains(rule))
            rules << rule;
    };
    for (const PermissionStatus::Missing &missing : status.missing) {
        const bool isVague = missing.refusal.about == About::Unknown;
        const QString kind = serverMajor >= selectorsSince ? QStringLiteral("%R~") : QStringLiteral("~");
        for (const QByteArray &pattern : missing.patterns) {
            if (!status.patterns.contains("*"))
                add(keys, kind + typed(pattern));
        }
        if (missing.use == Use::Read && (isVague || missing.refusal.about == About::Key)) {
            for (const QByteArray &pattern : status.patterns)
                add(keys, kind + typed(pattern));
        }
        if (missing.use == Use::Read && isVague) {
            for (const char *read : {"+pttl", "+hscan", "+getrange", "+zrange", "+sscan", "+type"})
                add(others, QString::fromLatin1(read));
        } else if (missing.refusal.about == About::Command && !missing.refusal.command.isEmpty()) {
            for (const QByteArray &command : sentOf(missing.refusal.command))
                add(others, u'+' + typed(command));
        } else if (missing.use == Use::Feed && missing.refusal.about == About::Channel) {
            add(others, QStringLiteral("&__redis__:invalidate"));
        }
    }
    if (keys.isEmpty() && others.isEmpty())
        return {};
    return QStringLiteral("ACL SETUSER %1 %2")
        .arg(user.isEmpty() ? QStringLiteral("default") : QString::fromUtf8(aclUserName(user)),
             (keys + others).join(u' '));
}

QString describe(const PermissionStatus::Missing &missing)
{
    const QString purpose = purposeOf(missing.use);
    const QString command = printable(missing.refusal.command.toUpper(), 40).replace(u'|', u' ');
    switch (missing.refusal.about) {
    case About::Command:
        return Texts::tr("%1: this user may not run %2.").arg(purpose, command);
    case About::Key:
        return Texts::tr("%1: this user may not read these keys.").arg(purpose);
    case About::Channel:
        return Texts::tr("%1: this user may not subscribe to the channel.").arg(purpose);
    case About::Unknown:
        break;
    }
    return Texts::tr("%1: no permission for the command or the key: “%2”")
        .arg(purpose, printable(missing.said, 120));
}

QString unreadCompanionsText(qint64 locks)
{
    return Texts::
        tr("No permission for companion keys of %1 lock(s): waiters, families and dead holders may be wrong.",
           nullptr, plural(locks))
            .arg(grouped(locks));
}

QString unreadableInWords(qint64 keys)
{
    return Texts::tr("%1 key(s) cannot be read: no permission.", nullptr, plural(keys)).arg(grouped(keys));
}

QString askForGrant(const PermissionStatus &status, const QByteArray &user, int serverMajor)
{
    const QString rule = grantRule(status, user, serverMajor);
    if (rule.isEmpty())
        return {};
    return isGrantVague(status) ? Texts::tr("Request what is missing of: %1").arg(rule)
                                : Texts::tr("Request: %1").arg(rule);
}

} // namespace lockscope
