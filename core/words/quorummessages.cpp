// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/words/quorummessages.h"

#include "core/base/printable.h"
#include "core/model/quorummerge.h"
#include "core/words/messages.h"
#include "core/words/texts.h"

#include <algorithm>

namespace lockscope {

namespace {

constexpr qsizetype ownerCodePoints = 60;

} // namespace

QString quorumText(const Quorum &quorum)
{
    if (quorum.members[quorum.shownMember].owners.isEmpty())
        return {};
    const QString most = QString::number(quorum.agreeing + quorum.unknown);
    return Texts::tr("%1 of %2", "servers")
        .arg(quorum.unknown > 0 ? QStringLiteral("%1–%2").arg(QString::number(quorum.agreeing), most) : most)
        .arg(quorum.members.size());
}

QString describe(const Quorum &quorum)
{
    const qsizetype servers = quorum.members.size();
    if (quorum.members[quorum.shownMember].owners.isEmpty())
        return Texts::tr("The key is on %1 of %2 servers and names no owner.")
            .arg(std::ranges::count(quorum.members, MemberReading::State::NoLock, &MemberReading::state))
            .arg(servers);
    const QString held = Texts::tr("held on %1 of %2 servers; %3 are needed")
                             .arg(quorum.agreeing)
                             .arg(servers)
                             .arg(quorum.needed());
    const QString text = (quorum.isHeld     ? Texts::tr("Quorum: %1.")
                          : quorum.isLost() ? Texts::tr("No quorum: %1.")
                                            : Texts::tr("Quorum unknown: %1."))
                             .arg(held);
    return quorum.areOwnersDifferent ? Texts::tr("%1 %2", "two sentences, one after the other")
                                           .arg(text, Texts::tr("Servers name different owners."))
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
            return left.isEmpty() ? Texts::tr("held, no expiry") : Texts::tr("held, %1 left").arg(left);
        return left.isEmpty() ? Texts::tr("other owner: %1, no expiry").arg(owners)
                              : Texts::tr("other owner: %1, %2 left").arg(owners, left);
    case MemberReading::State::Absent:
        return Texts::tr("not there");
    case MemberReading::State::NoLock:
        return Texts::tr("a value that names no owner", "a key on a server");
    case MemberReading::State::Unknown:
        break;
    }
    if (owners.isEmpty())
        return Texts::tr("unknown");
    return isShown ? Texts::tr("unknown; last read: held", "a key on a server")
                   : Texts::tr("unknown; last read: %1", "an owner").arg(owners);
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
    return result.isTakenBack ? Texts::tr("%1 %2", "two sentences, one after the other")
                                    .arg(text, Texts::tr("Released again."))
                              : text;
}

} // namespace lockscope
