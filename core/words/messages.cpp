// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/words/messages.h"

#include <QCoreApplication>
#include <QLocale>

#include <algorithm>
#include <array>
#include <utility>

namespace lockscope {

namespace {

struct Words
{
    Q_DECLARE_TR_FUNCTIONS(lockscope::words)
};

template <typename Enum>
using Named = std::pair<Enum, const char *>;

constexpr std::array outcomeNames{
    Named<Outcome>{Outcome::Acquired, "acquired"},
    Named<Outcome>{Outcome::Reentered, "reentered"},
    Named<Outcome>{Outcome::HeldByOther, "held-by-other"},
    Named<Outcome>{Outcome::Released, "released"},
    Named<Outcome>{Outcome::Unwound, "unwound"},
    Named<Outcome>{Outcome::NotHeld, "not-held"},
    Named<Outcome>{Outcome::Extended, "extended"},
    Named<Outcome>{Outcome::Expired, "expired"},
    Named<Outcome>{Outcome::AlreadyGone, "already-gone"},
    Named<Outcome>{Outcome::OwnerChanged, "owner-changed"},
    Named<Outcome>{Outcome::HoldsChanged, "holds-changed"},
    Named<Outcome>{Outcome::WrongType, "wrong-type"},
    Named<Outcome>{Outcome::BadCount, "bad-count"},
    Named<Outcome>{Outcome::Removed, "removed"},
    Named<Outcome>{Outcome::NotWaiting, "not-waiting"},
    Named<Outcome>{Outcome::StillListens, "still-listens"},
    Named<Outcome>{Outcome::LeaseChanged, "lease-changed"},
    Named<Outcome>{Outcome::NotHeard, "not-heard"},
    Named<Outcome>{Outcome::Unknown, "unknown"},
};

constexpr std::array actionNames{
    Named<Action>{Action::Acquire, "acquire"},
    Named<Action>{Action::Release, "release"},
    Named<Action>{Action::Extend, "extend"},
    Named<Action>{Action::ForceExpire, "force-expire"},
    Named<Action>{Action::RemoveWaiter, "remove-waiter"},
};

constexpr std::array eventNames{
    Named<EventKind>{EventKind::Found, "found"},
    Named<EventKind>{EventKind::Acquired, "acquired"},
    Named<EventKind>{EventKind::Reentered, "reentered"},
    Named<EventKind>{EventKind::Unwound, "unwound"},
    Named<EventKind>{EventKind::Renewed, "renewed"},
    Named<EventKind>{EventKind::Shortened, "shortened"},
    Named<EventKind>{EventKind::Released, "released"},
    Named<EventKind>{EventKind::Expired, "expired"},
    Named<EventKind>{EventKind::OwnerChanged, "owner-changed"},
    Named<EventKind>{EventKind::ExpiryLost, "expiry-lost"},
    Named<EventKind>{EventKind::Vanished, "vanished"},
    Named<EventKind>{EventKind::Forced, "forced"},
};

constexpr std::array foundNames{
    Named<Found::State>{Found::State::Held, "held"},
    Named<Found::State>{Found::State::Absent, "absent"},
    Named<Found::State>{Found::State::Unreadable, "unreadable"},
    Named<Found::State>{Found::State::Unreachable, "unreachable"},
};

constexpr std::array problemNames{
    Named<Problem>{Problem::NoExpiry, "no-expiry"},
    Named<Problem>{Problem::BadCount, "bad-count"},
    Named<Problem>{Problem::SeveralOwners, "several-owners"},
    Named<Problem>{Problem::WrongType, "wrong-type"},
    Named<Problem>{Problem::TooBig, "too-big"},
    Named<Problem>{Problem::DeadWaiter, "dead-waiter"},
    Named<Problem>{Problem::Orphaned, "orphaned"},
    Named<Problem>{Problem::RewrittenByOwner, "came-back"},
    Named<Problem>{Problem::Deadlock, "deadlock"},
    Named<Problem>{Problem::Unreadable, "unreadable"},
};

template <typename Enum, size_t size>
QByteArray nameIn(const std::array<Named<Enum>, size> &names, Enum value)
{
    const auto named = std::ranges::find(names, value, &Named<Enum>::first);
    return named == names.end() ? QByteArray() : QByteArray(named->second);
}

template <typename Enum, size_t size>
std::optional<Enum> valueIn(const std::array<Named<Enum>, size> &names, QByteArrayView name)
{
    const auto named = std::ranges::find_if(names, [&](const auto &entry) { return name == entry.second; });
    return named == names.end() ? std::nullopt : std::optional(named->first);
}

/// For the choice between one and several; no language needs more of a large number than its end.
int plural(qint64 number)
{
    return static_cast<int>(number <= 1'000'000'000 ? number : 1'000'000'000 + number % 1'000'000'000);
}

QString ttlInWords(const ActionResult &report)
{
    return report.ttl ? Words::tr("It ends in %1.").arg(describe(*report.ttl)) : QString();
}

QString holdsInWords(const ActionResult &report)
{
    return report.holds.value_or(0) > 0 ? Words::tr("Holds: %1.").arg(*report.holds) : QString();
}

/// Why nobody knows whether it was carried out.
QString causeInWords(ErrorKind cause)
{
    switch (cause) {
    case ErrorKind::OutcomeUnknown:
        return Words::tr("The connection was lost after the request was sent: it may have been carried out.");
    case ErrorKind::Cancelled:
        return Words::tr(
            "The request was sent, and its answer was not waited for: it may have been carried out.");
    case ErrorKind::UnexpectedReply:
        return Words::tr(
            "The server sent an answer that this action never has: it may have been carried out. Is "
            "there a proxy in between?");
    default:
        return Words::tr(
            "The script ended with an error, which may have come after a change: it may have been "
            "carried out.");
    }
}

QString outcomeInWords(Outcome outcome)
{
    switch (outcome) {
    case Outcome::Acquired:
        return Words::tr("The lock was acquired.");
    case Outcome::Reentered:
        return Words::tr("The owner held the lock already and holds it once more.");
    case Outcome::HeldByOther:
        return Words::tr("Another owner holds the lock: nothing was changed.");
    case Outcome::Released:
        return Words::tr("The lock was released.");
    case Outcome::Unwound:
        return Words::tr("One level was released; the owner still holds the lock.");
    case Outcome::NotHeld:
        return Words::tr("The lock is not held by this owner: nothing was changed.");
    case Outcome::Extended:
        return Words::tr("The lease was set anew.");
    case Outcome::Expired:
        return Words::tr("The lock's end was forced.");
    case Outcome::AlreadyGone:
        return Words::tr("The lock was gone already: nothing was changed.");
    case Outcome::OwnerChanged:
        return Words::tr("Refused: the owner is no longer the one that was seen. Nothing was changed.");
    case Outcome::HoldsChanged:
        return Words::tr(
            "Refused: the owner's holds are no longer those that were seen. Nothing was changed.");
    case Outcome::WrongType:
        return Words::tr("What is stored there is no lock of a known family: nothing was changed.");
    case Outcome::BadCount:
        return Words::tr("The stored count of holds is not a number of at least 1: nothing was changed.");
    case Outcome::Removed:
        return Words::tr("Removed: it does not stand in the queue any more.");
    case Outcome::NotWaiting:
        return Words::tr("It does not stand in the queue (any more): nothing was changed.");
    case Outcome::StillListens:
        return Words::tr("This waiter listens, so it is alive: nothing was changed.");
    case Outcome::LeaseChanged:
        return Words::tr(
            "Rejected: the token is the same, but the time left has risen since it was seen, so the "
            "lock was renewed or acquired again. Nothing was changed.");
    case Outcome::NotHeard:
        return Words::tr(
            "Rejected: the waiter is not heard here, but may be subscribed to another server. Check whether "
            "its process runs; a dead waiter times out by itself.");
    case Outcome::Unknown:
        break; // causeInWords() says it
    }
    return {};
}

} // namespace

QByteArray familyName(Family family)
{
    return factsOf(family).name;
}

std::optional<Family> familyFromName(QByteArrayView name)
{
    for (int i = 0; i < families; ++i) {
        if (name == factsOf(static_cast<Family>(i)).name)
            return static_cast<Family>(i);
    }
    return std::nullopt;
}

QByteArray outcomeName(Outcome outcome)
{
    return nameIn(outcomeNames, outcome);
}

std::optional<Outcome> outcomeFromName(QByteArrayView name)
{
    return valueIn(outcomeNames, name);
}

QByteArray actionName(Action action)
{
    return nameIn(actionNames, action);
}

QByteArray foundName(Found::State state)
{
    return nameIn(foundNames, state);
}

QByteArray eventName(EventKind kind)
{
    return nameIn(eventNames, kind);
}

QByteArray problemName(Problem problem)
{
    return nameIn(problemNames, problem);
}

QList<Problem> problemList(Problems problems)
{
    QList<Problem> list;
    for (const auto &[problem, name] : problemNames) {
        if (problems.testFlag(problem))
            list.append(problem);
    }
    return list;
}

QString describe(const ServerReset &reset)
{
    const QString locks = Words::tr("%1 lock(s)", nullptr, plural(reset.locks)).arg(grouped(reset.locks));
    switch (reset.cause) {
    case ServerReset::Cause::Flush:
        return Words::tr("The database was flushed: %1 gone.").arg(locks);
    case ServerReset::Cause::Swap:
        return Words::tr("The database was swapped with another (SWAPDB): %1 gone.").arg(locks);
    case ServerReset::Cause::Restart:
        if (!reset.hasData)
            return Words::tr("The server was restarted or replaced: %1 gone.").arg(locks);
        if (*reset.hasData)
            return Words::tr("The server was restarted or replaced, and has data: %1 gone.").arg(locks);
        return Words::tr("The server was restarted or replaced, and is empty: %1 gone.").arg(locks);
    case ServerReset::Cause::NotKnown:
        break;
    }
    return Words::tr("The keyspace is empty, flushed, swapped or deleted key by key: %1 gone.").arg(locks);
}

QString describe(const ActionResult &report)
{
    const bool isUnknown = report.outcome == Outcome::Unknown;
    QString text = isUnknown ? causeInWords(report.cause) : outcomeInWords(report.outcome);
    const auto add = [&](const QString &sentence) {
        if (!sentence.isEmpty())
            text = Words::tr("%1 %2", "two sentences, one after the other").arg(text, sentence);
    };
    if (isUnknown)
        add(describe(report.found.value_or(Found{})));
    add(holdsInWords(report));
    if (report.action != Action::RemoveWaiter) // it is the lock that would end then, not what was asked about
        add(ttlInWords(report));
    if (!report.message.isEmpty())
        add(Words::tr("Note: %1").arg(printable(report.message)));
    return text;
}

QString describe(Problem problem)
{
    switch (problem) {
    case Problem::NoExpiry:
        return Words::tr("No expiry: it will never end by itself.");
    case Problem::BadCount:
        return Words::tr("The stored count of holds is not a number of at least 1.");
    case Problem::SeveralOwners:
        return Words::tr("More than one owner where only one can be.");
    case Problem::WrongType:
        return Words::tr("It has a lock's name, but holds no value that a lock could have.");
    case Problem::TooBig:
        return Words::tr("It holds more than is read of a lock: shown in part.");
    case Problem::DeadWaiter:
        return Words::tr(
            "A waiter in the queue does not listen any more: those behind it wait until it times out.");
    case Problem::Orphaned:
        return Words::tr("A queue without its lock: nobody will wake those that stand in it.");
    case Problem::RewrittenByOwner:
        return Words::tr("It was ended by force, and its old owner has written it anew.");
    case Problem::Deadlock:
        return Words::tr("Deadlock: its owner waits for a lock whose owner waits for this one.");
    case Problem::Unreadable:
        return Words::tr("No permission to read this lock any more. What is shown was read before.");
    }
    return {};
}

QString grouped(qint64 number)
{
    return QLocale(QLocale::English).toString(number);
}

QString describe(milliseconds duration)
{
    using namespace std::chrono;
    // Rounded down: a time left must never look longer than it is.
    const milliseconds left = std::max(duration, milliseconds(0));
    if (left < 1s)
        return Words::tr("%1 ms").arg(left.count());
    if (left < 10s)
        return Words::tr("%1.%2 s").arg(QString::number(left / 1s), QString::number(left % 1s / 100ms));
    if (left < 1min)
        return Words::tr("%1 s").arg(left / 1s);
    if (left < 1h)
        return Words::tr("%1 min %2 s").arg(QString::number(left / 1min), QString::number(left % 1min / 1s));
    if (left < days(1))
        return Words::tr("%1 h %2 min").arg(QString::number(left / 1h), QString::number(left % 1h / 1min));
    constexpr days year(365);
    if (left < year)
        return Words::tr("%1 d %2 h")
            .arg(QString::number(left / days(1)), QString::number(left % days(1) / 1h));
    if (left / year < 1000)
        return Words::tr("%1 y %2 d")
            .arg(QString::number(left / year), QString::number(left % year / days(1)));
    return Words::tr("more than 1,000 years");
}

} // namespace lockscope
