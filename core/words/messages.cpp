// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/words/messages.h"

#include "core/act/lockoperations.h"
#include "core/redis/environment.h"
#include "core/words/phrases.h"
#include "core/words/texts.h"

#include <algorithm>

namespace lockscope {

namespace {

QString ttlInWords(const ActionResult &report)
{
    return report.ttl ? Texts::tr("Expires in %1.").arg(describe(*report.ttl)) : QString();
}

QString holdsInWords(const ActionResult &report)
{
    const qint64 count = report.holdCount.value_or(0);
    if (report.outcome == Outcome::Expired) // one is expected, and with a grace period none has ended yet
        return count > 1 && !report.ttl ? Texts::tr("Holds ended: %1.").arg(count) : QString();
    return count > 0 ? Texts::tr("Hold count: %1.").arg(count) : QString();
}

/// Why the outcome is unknown.
QString causeInWords(ErrorKind cause)
{
    switch (cause) {
    case ErrorKind::OutcomeUnknown:
        return Texts::tr("Outcome unknown: the connection was lost after sending.");
    case ErrorKind::Canceled:
        return Texts::tr("Outcome unknown: the reply was not awaited.");
    case ErrorKind::NotConnected:
        return Texts::tr("Outcome unknown: too few servers of the group confirmed it.");
    case ErrorKind::UnexpectedReply:
        return Texts::tr("Outcome unknown: the server sent an unexpected reply.");
    default:
        return Texts::tr("Outcome unknown: the script failed, possibly after a change.");
    }
}

QString outcomeInWords(Outcome outcome)
{
    switch (outcome) {
    case Outcome::Acquired:
        return Texts::tr("The lock was acquired.");
    case Outcome::Reentered:
        return Texts::tr("The owner re-entered the lock.");
    case Outcome::HeldByOther:
        return Texts::tr("Rejected: another owner holds the lock.");
    case Outcome::Released:
        return Texts::tr("The lock was released.");
    case Outcome::Unwound:
        return Texts::tr("One hold was released; the lock is still held.");
    case Outcome::NotHeld:
        return Texts::tr("Rejected: this owner does not hold the lock.");
    case Outcome::Extended:
        return Texts::tr("The lease was extended.");
    case Outcome::Expired:
        return Texts::tr("The lock was force-expired.");
    case Outcome::AlreadyGone:
        return Texts::tr("The lock was already gone.");
    case Outcome::OwnerChanged:
        return Texts::tr("Rejected: the owner has changed.");
    case Outcome::HoldsChanged:
        return Texts::tr("Rejected: the hold count has changed.");
    case Outcome::WrongType:
        return Texts::tr("Rejected: not a recognized lock.");
    case Outcome::BadCount:
        return Texts::tr("Rejected: the hold count is invalid.");
    case Outcome::Removed:
        return Texts::tr("The waiter was removed from the queue.");
    case Outcome::NotWaiting:
        return Texts::tr("The waiter is not in the queue.");
    case Outcome::StillListens:
        return Texts::tr("Rejected: the waiter is subscribed, so it is alive.");
    case Outcome::LeaseChanged:
        return Texts::tr("Rejected: the time left has risen (renewed or acquired again).");
    case Outcome::NotHeard:
        return Texts::tr(
            "Rejected: the waiter may be subscribed on another server. A dead waiter times out by itself.");
    case Outcome::Woken:
        return Texts::tr("The first waiter in the queue was woken.");
    case Outcome::Renewed:
        return Texts::tr("Undone: the lock was renewed during the grace period.");
    case Outcome::EvidenceChanged:
        return Texts::tr("Rejected: the lock or its holder's heartbeat has changed.");
    case Outcome::Unknown:
        break; // causeInWords() says it
    }
    return {};
}

/// Outcomes with another meaning after waking a queue.
QString wakeOutcomeInWords(Outcome outcome)
{
    switch (outcome) {
    case Outcome::HeldByOther:
        return Texts::tr("Rejected: the lock is held; its release wakes the queue.");
    case Outcome::NotWaiting:
        return Texts::tr("The queue has no waiters.");
    case Outcome::NotHeard:
        return Texts::tr(
            "The queue head was notified, but is not subscribed here. If it is dead, use remove-waiter.");
    default:
        return outcomeInWords(outcome);
    }
}

QString outcomeInWords(const ActionResult &report)
{
    const bool isMixed =
        !succeeded(report.outcome) && std::ranges::any_of(report.servers, [](const ServerResult &server) {
            return server.outcome && succeeded(*server.outcome);
        });
    if (isMixed)
        return Texts::tr("No majority. %1").arg(outcomeInWords(report.outcome));
    return report.action == Action::Wake ? wakeOutcomeInWords(report.outcome)
                                         : outcomeInWords(report.outcome);
}

QString resetInWords(const ServerReset &reset)
{
    const QString locks = Texts::tr("%1 lock(s)", nullptr, plural(reset.locks)).arg(grouped(reset.locks));
    const QString text = Texts::tr("%1: %2 gone.").arg(resetCauseInWords(reset), locks);
    return reset.cause == ServerReset::Cause::Failover
               ? Texts::tr("%1 %2", "two sentences, one after the other")
                     .arg(text,
                          Texts::tr("Locks acquired just before may be lost while their holders still work."))
               : text;
}

} // namespace

QString resetCauseInWords(const ServerReset &reset)
{
    switch (reset.cause) {
    case ServerReset::Cause::Flush:
        return Texts::tr("The database was flushed");
    case ServerReset::Cause::Swap:
        return Texts::tr("The database was swapped (SWAPDB)");
    case ServerReset::Cause::Restart:
        return Texts::tr("The server was restarted or replaced");
    case ServerReset::Cause::Failover:
        return Texts::tr("%1 took over from %2")
            .arg(printable(reset.to.toUtf8()), printable(reset.from.toUtf8()));
    case ServerReset::Cause::Unknown:
        break;
    }
    return Texts::tr("The database was found empty");
}

QString inItsGroup(const ServerReset &reset, const QString &text)
{
    if (!reset.isOfGroup())
        return text;
    const QString named =
        Texts::tr("%1: %2", "a server of a group, what befell it").arg(printable(reset.to.toUtf8()), text);
    return reset.stillHeld > 0
               ? Texts::tr("%1 %2", "two sentences, one after the other")
                     .arg(named,
                          Texts::tr("Locks still held by a majority: %1.").arg(grouped(reset.stillHeld)))
               : named;
}

QString describe(const ServerReset &reset)
{
    return inItsGroup(reset, resetInWords(reset));
}

QString describe(const ActionResult &report)
{
    const bool isUnknown = report.outcome == Outcome::Unknown;
    QString text = isUnknown ? causeInWords(report.cause.kind) : outcomeInWords(report);
    const auto add = [&](const QString &sentence) {
        if (!sentence.isEmpty())
            text = Texts::tr("%1 %2", "two sentences, one after the other").arg(text, sentence);
    };
    if (isUnknown && (report.servers.isEmpty() || report.found))
        add(describe(report.found.value_or(Found{})));
    if (!report.servers.isEmpty())
        add(Texts::tr("Done on %1 of %2 servers.")
                .arg(std::ranges::count_if(report.servers, &ServerResult::hasDone))
                .arg(report.servers.size()));
    add(holdsInWords(report));
    if (report.action != Action::RemoveWaiter) // it is the lock that would end then, not what was asked about
        add(ttlInWords(report));
    if (!report.message.isEmpty())
        add(Texts::tr("Note: %1").arg(printable(report.message)));
    for (const Phrase &note : report.notes)
        add(Texts::tr("Note: %1").arg(inWords(note)));
    return text;
}

QString describe(Problem problem)
{
    switch (problem) {
    case Problem::NoExpiry:
        return Texts::tr("No expiry: the lock never expires by itself.");
    case Problem::BadCount:
        return Texts::tr("Invalid hold count: must be a whole number of at least 1.");
    case Problem::SeveralOwners:
        return Texts::tr("Several owners; this family allows one.");
    case Problem::WrongType:
        return Texts::tr("The key has a lock's name, but not a lock's value.");
    case Problem::TooBig:
        return Texts::tr("The value is too big; only a part is shown.");
    case Problem::DeadWaiter:
        return Texts::tr("Dead waiter: delays any waiter behind it until its timeout.");
    case Problem::Orphaned:
        return Texts::tr("Orphaned queue: the lock is gone, and nothing wakes its waiters.");
    case Problem::RewrittenByOwner:
        return Texts::tr("The previous owner rewrote the lock after force-expire.");
    case Problem::Deadlock:
        return Texts::tr("Deadlock: this lock is in a cycle of waits.");
    case Problem::NoQuorum:
        return Texts::tr("No quorum: another client may acquire the lock.");
    case Problem::OwnersDiffer:
        return Texts::tr("Servers name different owners.");
    case Problem::HolderDead:
        return Texts::tr("A holder is likely dead: no current heartbeat.");
    case Problem::Unreadable:
        return Texts::tr("No permission to read this lock any more; data is old.");
    }
    return {};
}

QString describe(const Heartbeat &heartbeat, qint64 nowMs)
{
    const milliseconds left(heartbeat.untilMs.value_or(nowMs) - nowMs);
    switch (heartbeat.state) {
    case Heartbeat::State::Alive:
        return left.count() > 0 ? Texts::tr("alive; dead in %1 without a heartbeat").arg(describe(left))
                                : Texts::tr("alive when it was read");
    case Heartbeat::State::Dead:
        if (heartbeat.isDoubtful)
            return Texts::tr("missing; it may be late or refused by the server");
        return left.count() < 0 ? Texts::tr("missing; overdue for %1").arg(describe(-left))
                                : Texts::tr("missing");
    case Heartbeat::State::Unknown:
        break;
    }
    return {};
}

QString describe(Environment environment)
{
    switch (environment) {
    case Environment::Unset:
        return Texts::tr("Not set");
    case Environment::Development:
        return Texts::tr("Development");
    case Environment::Staging:
        return Texts::tr("Staging");
    case Environment::Production:
        return Texts::tr("Production");
    }
    return {};
}

} // namespace lockscope
