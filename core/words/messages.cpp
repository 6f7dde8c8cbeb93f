// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/words/messages.h"

#include "core/act/lockoperations.h"
#include "core/words/phrases.h"

#include <QCoreApplication>

namespace lockscope {

namespace {

struct Words
{
    Q_DECLARE_TR_FUNCTIONS(lockscope::words)
};

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
    return report.holdCount.value_or(0) > 0 ? Words::tr("Holds: %1.").arg(*report.holdCount) : QString();
}

/// Why nobody knows whether it was carried out.
QString causeInWords(ErrorKind cause)
{
    switch (cause) {
    case ErrorKind::OutcomeUnknown:
        return Words::tr("The connection was lost after the request was sent: it may have been carried out.");
    case ErrorKind::Canceled:
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
    case ServerReset::Cause::Unknown:
        break;
    }
    return Words::tr("The keyspace is empty, flushed, swapped or deleted key by key: %1 gone.").arg(locks);
}

QString describe(const ActionResult &report)
{
    const bool isUnknown = report.outcome == Outcome::Unknown;
    QString text = isUnknown ? causeInWords(report.cause.kind) : outcomeInWords(report.outcome);
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
    for (const Phrase &note : report.notes)
        add(Words::tr("Note: %1").arg(inWords(note)));
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

} // namespace lockscope
