// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/words/alertmessages.h"

#include "core/base/printable.h"
#include "core/words/durations.h"
#include "core/words/messages.h"

#include <QCoreApplication>
#include <QLocale>

#include <algorithm>

namespace lockscope {

namespace {

constexpr qsizetype keyCodePoints = 60;
constexpr qsizetype ownerCodePoints = 80;
constexpr qsizetype mostNamed = 4;

struct Words
{
    Q_DECLARE_TR_FUNCTIONS(lockscope::words)
};

QString ownersOf(const Alert &alert)
{
    QStringList names;
    for (const LockOwner &owner : alert.owners.first(std::min(alert.owners.size(), mostNamed)))
        names << printable(owner.owner.bytes, ownerCodePoints);
    if (alert.owners.size() > mostNamed)
        names << QStringLiteral("…");
    return names.join(QStringLiteral(", "));
}

QString waitersOf(const Alert &alert)
{
    const QString number = QLocale().toString(alert.waiters);
    return alert.isAtLeast ? Words::tr("At least %1 waiter(s).", nullptr, pluralOf(alert.waiters)).arg(number)
                           : Words::tr("%1 waiter(s).", nullptr, pluralOf(alert.waiters)).arg(number);
}

QString locksOf(const Alert &alert)
{
    QStringList keys;
    for (const LockKey &key : alert.cycle.first(std::min(alert.cycle.size(), mostNamed)))
        keys << printable(key.bytes, keyCodePoints);
    if (alert.cycle.size() > mostNamed)
        keys << QStringLiteral("…");
    return keys.join(QStringLiteral(" → "));
}

} // namespace

QString describe(AlertKind kind)
{
    switch (kind) {
    case AlertKind::NoExpiry:
        return Words::tr("No expiry");
    case AlertKind::HeldTooLong:
        return Words::tr("Held too long");
    case AlertKind::HeldUnusuallyLong:
        return Words::tr("Unusually long hold");
    case AlertKind::ManyWaiters:
        return Words::tr("Many waiters");
    case AlertKind::Deadlock:
        return Words::tr("Deadlock");
    case AlertKind::StalledHolder:
        return Words::tr("Stalled holder with waiters");
    case AlertKind::ConnectionLost:
        return Words::tr("Connection lost");
    case AlertKind::Reset:
        break;
    }
    return Words::tr("Locks gone at once");
}

QString describe(const Alert &alert)
{
    switch (alert.kind) {
    case AlertKind::NoExpiry:
        return Words::tr("Held by %1 without expiry: the lock stays until it is released.")
            .arg(ownersOf(alert));
    case AlertKind::HeldTooLong:
        return Words::tr("Held by %1 for at least %2. The limit is %3.")
            .arg(ownersOf(alert), describe(alert.held), describe(alert.limit));
    case AlertKind::HeldUnusuallyLong:
        return Words::tr("Held by %1 for at least %2. The last holds of this key that were seen were "
                         "shorter; %3 counts as unusual.")
            .arg(ownersOf(alert), describe(alert.held), describe(alert.limit));
    case AlertKind::ManyWaiters:
        return alert.owners.isEmpty() ? waitersOf(alert)
                                      : Words::tr("%1 Held by %2.").arg(waitersOf(alert), ownersOf(alert));
    case AlertKind::Deadlock:
        return Words::tr("The owners of these locks wait for each other: %1").arg(locksOf(alert));
    case AlertKind::StalledHolder:
        return Words::tr(
                   "The renewal by %1 is overdue: its process has probably crashed, hangs or was paused. %2")
            .arg(ownersOf(alert), waitersOf(alert));
    case AlertKind::ConnectionLost:
        return alert.server.isEmpty()
                   ? Words::tr("Nothing is known of the locks until the server can be reached again.")
                   : Words::tr("Nothing is known of the locks on %1 until it can be reached again.")
                         .arg(printable(alert.server.toUtf8(), ownerCodePoints));
    case AlertKind::Reset:
        break;
    }
    return alert.resetOf ? describe(*alert.resetOf) : QString();
}

} // namespace lockscope
