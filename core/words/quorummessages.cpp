// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/words/quorummessages.h"

#include "core/base/printable.h"
#include "core/model/quorummerge.h"
#include "core/words/messages.h"

#include <QCoreApplication>

#include <algorithm>

namespace lockscope {

namespace {

struct Words
{
    Q_DECLARE_TR_FUNCTIONS(lockscope::words)
};

constexpr qsizetype ownerCodePoints = 60;

} // namespace

QString quorumText(const Quorum &quorum)
{
    if (quorum.members[quorum.shownMember].owners.isEmpty())
        return {};
    const QString most = QString::number(quorum.agreeing + quorum.unknown);
    return Words::tr("%1 of %2", "servers")
        .arg(quorum.unknown > 0 ? QStringLiteral("%1–%2").arg(QString::number(quorum.agreeing), most) : most)
        .arg(quorum.members.size());
}

QString describe(const Quorum &quorum)
{
    const qsizetype servers = quorum.members.size();
    QString text;
    if (quorum.members[quorum.shownMember].owners.isEmpty())
        return Words::tr("The key is on %1 of %2 servers and names no owner.")
            .arg(std::ranges::count(quorum.members, MemberReading::State::NoLock, &MemberReading::state))
            .arg(servers);
    if (quorum.isHeld)
        text = Words::tr("Held on %1 of %2 servers; %3 are needed.");
    else if (quorum.isLost())
        text = Words::tr("No quorum: held on %1 of %2 servers; %3 are needed.");
    else
        text = Words::tr("Quorum unknown: held on %1 of %2 servers; %3 are needed.");
    text = text.arg(quorum.agreeing).arg(servers).arg(quorum.needed());
    return quorum.areOwnersDifferent ? Words::tr("%1 %2", "two sentences, one after the other")
                                           .arg(text, Words::tr("Servers name different owners."))
                                     : text;
}

QString readingText(const Quorum &quorum, qsizetype server, TimePoint now)
{
    const MemberReading &reading = quorum.members[server];
    QStringList names;
    for (const LockOwner &owner : reading.owners)
        names.append(ownerIdText(owner.owner.bytes, ownerCodePoints));
    const QString owners = names.join(QStringLiteral(", "));
    const QString left = reading.deadline ? describe(reading.deadline->remaining(now)) : QString();
    const bool isShown = haveSameOwners(reading.owners, quorum.members[quorum.shownMember].owners);
    switch (reading.state) {
    case MemberReading::State::Held:
        if (isShown)
            return left.isEmpty() ? Words::tr("held, no expiry") : Words::tr("held, %1 left").arg(left);
        return left.isEmpty() ? Words::tr("other owner: %1, no expiry").arg(owners)
                              : Words::tr("other owner: %1, %2 left").arg(owners, left);
    case MemberReading::State::Absent:
        return Words::tr("not there", "a key on a server");
    case MemberReading::State::NoLock:
        return Words::tr("a value that names no owner", "a key on a server");
    case MemberReading::State::Unknown:
        break;
    }
    if (owners.isEmpty())
        return Words::tr("unknown", "a key on a server");
    return isShown ? Words::tr("unknown; last read: held", "a key on a server")
                   : Words::tr("unknown; last read: %1", "an owner").arg(owners);
}

QString describe(const ServerResult &result)
{
    if (!result.outcome)
        return describe(result.error.value_or(Error()), result.server);
    ActionResult one;
    one.outcome = *result.outcome;
    one.message = result.message;
    one.found = result.found;
    if (result.error)
        one.cause = *result.error;
    const QString text = QStringLiteral("%1: %2").arg(result.server, describe(one));
    return result.isTakenBack ? Words::tr("%1 %2", "two sentences, one after the other")
                                    .arg(text, Words::tr("Released again."))
                              : text;
}

} // namespace lockscope
