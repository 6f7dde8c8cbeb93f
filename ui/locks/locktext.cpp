// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/locks/locktext.h"

#include "core/text/words.h"

#include <QCoreApplication>
#include <QLocale>
#include <QStringList>

namespace lockscope {

namespace {

QString problemWord(Problem problem)
{
    switch (problem) {
    case Problem::NoExpiry:
        return QCoreApplication::translate("LockText", "no expiry");
    case Problem::BadCount:
        return QCoreApplication::translate("LockText", "bad count");
    case Problem::SeveralOwners:
        return QCoreApplication::translate("LockText", "several owners");
    case Problem::WrongType:
        return QCoreApplication::translate("LockText", "wrong type");
    case Problem::TooBig:
        return QCoreApplication::translate("LockText", "too big to read");
    case Problem::DeadWaiter:
        return QCoreApplication::translate("LockText", "dead waiter");
    case Problem::Orphaned:
        return QCoreApplication::translate("LockText", "orphaned queue");
    case Problem::CameBack:
        return QCoreApplication::translate("LockText", "came back");
    case Problem::Deadlock:
        return QCoreApplication::translate("LockText", "deadlock");
    }
    return {};
}

} // namespace

QString countdown(milliseconds left)
{
    // Tenths only where they count: what changes ten times a second can't be read.
    if (left >= std::chrono::seconds(10))
        return describe(
            std::chrono::duration_cast<milliseconds>(std::chrono::floor<std::chrono::seconds>(left)));
    const auto tenths = static_cast<double>(left / std::chrono::milliseconds(100)); // rounded down
    return QCoreApplication::translate("LockText", "%1 s").arg(QLocale().toString(tenths / 10, 'f', 1));
}

QString ttlText(const Lock &lock, TimePoint now)
{
    if (!lock.deadline)
        return lock.problems.testFlag(Problem::WrongType) && !lock.problems.testFlag(Problem::NoExpiry)
                   ? QString()
                   : QCoreApplication::translate("LockText", "no expiry");
    const milliseconds left = lock.deadline->left(now);
    if (lock.ttl.value_or(left) > Deadline::horizon)
        return QStringLiteral("≥ ") + countdown(left);
    return left > milliseconds::zero() ? countdown(left) : QCoreApplication::translate("LockText", "ended");
}

QString heldText(const WatchedLock &lock, TimePoint now)
{
    const auto held =
        std::chrono::duration_cast<milliseconds>(std::max(now, lock.heldSince) - lock.heldSince);
    return lock.acquisitionSeen ? countdown(held) : QStringLiteral("≥ ") + countdown(held);
}

QString holdsText(const Lock &lock)
{
    if (lock.holders.isEmpty())
        return {};
    const Holder &holder = lock.holders.first();
    const QString first = holder.holds ? QLocale().toString(*holder.holds) : printable(holder.countText, 12);
    return lock.holders.size() == 1 ? first : first + QStringLiteral(", …");
}

QString ownerText(const Lock &lock)
{
    if (lock.holders.isEmpty())
        return {};
    const QString first = printable(lock.holders.first().owner.bytes);
    if (lock.holders.size() == 1)
        return first;
    // A variable: lupdate loses a translate() with a cast among its arguments.
    const int more = static_cast<int>(lock.holders.size() - 1);
    return QCoreApplication::translate("LockText", "%1 and %n more", nullptr, more).arg(shortened(first, 24));
}

QString problemsText(Problems problems)
{
    QStringList words;
    for (const Problem problem : problemList(problems))
        words.append(problemWord(problem));
    return words.join(QStringLiteral(", "));
}

QString shortened(const QString &text, qsizetype most)
{
    if (text.size() <= most)
        return text;
    const qsizetype tail = (most - 1) / 3;
    return text.left(most - 1 - tail) + u'…' + text.right(tail);
}

QString plainToolTip(const QString &text)
{
    return text.isEmpty() ? QString() : QStringLiteral("<span>%1</span>").arg(text.toHtmlEscaped());
}

QString plainMenuText(const QString &text)
{
    return QString(text).replace(u'&', QStringLiteral("&&"));
}

} // namespace lockscope
