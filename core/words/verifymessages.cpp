// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/words/verifymessages.h"

#include "core/base/printable.h"
#include "core/words/durations.h"
#include "core/words/texts.h"

#include <algorithm>

namespace lockscope {

namespace {

constexpr qsizetype mostOfAName = 60;

/// Another owner among those whose events show the violation; -1: none.
int otherOwner(const LockCheck &check, const VerifiedLock &lock)
{
    const int owner = lock.operations[check.stuckAt].owner;
    const auto other = std::ranges::find_if(check.events, [&](const OperationEvent &event) {
        return lock.operations[event.operation].owner != owner;
    });
    return other == check.events.end() ? -1 : lock.operations[other->operation].owner;
}

QString violationText(const LockCheck &check, const OperationHistory &history)
{
    using Reason = LockCheck::Reason;
    const VerifiedLock &lock = history.locks[check.lock];
    const LockOperation &stuck = lock.operations[check.stuckAt];
    const auto nameOf = [&](int owner) {
        return owner < 0 ? Texts::tr("unknown") : ownerIdText(history.names[size_t(owner)], mostOfAName);
    };
    const QString owner = nameOf(stuck.owner), other = nameOf(otherOwner(check, lock));
    const QString operation = QString::fromLatin1(operationName(stuck.kind));
    switch (check.reason) {
    case Reason::AcquiredTwice:
        return Texts::tr("%1 acquired the lock again while holding it.").arg(owner);
    case Reason::NotHeld:
        return Texts::tr("%1's %2 succeeded without a hold.", "an owner, an operation").arg(owner, operation);
    case Reason::ForeignRelease:
        return Texts::tr("%1's release succeeded while %2 held the lock.").arg(owner, other);
    case Reason::StaleWrite:
        return Texts::tr("%1's write was accepted although %2 had the lock since.").arg(owner, other);
    case Reason::TokenNotRising:
        return Texts::tr("%1 got token %2, which is not above all earlier ones.").arg(owner).arg(stuck.token);
    case Reason::Overtaken:
        return Texts::tr("%1 waited longer than %2, but acquired the lock later.").arg(other, owner);
    case Reason::TooManyPermits:
        return Texts::tr("%1 acquired more permits than were free (%2 in total).")
            .arg(owner, grouped(lock.capacity));
    default:
        return Texts::tr("%1 and %2 held the lock at once.").arg(owner, other);
    }
}

} // namespace

QString describe(LockCheck::Verdict verdict)
{
    switch (verdict) {
    case LockCheck::Verdict::Holds:
        return Texts::tr("holds", "a promise");
    case LockCheck::Verdict::Violated:
        return Texts::tr("violated");
    case LockCheck::Verdict::Undecided:
        return Texts::tr("can't be decided");
    }
    return {};
}

QString describe(const LockCheck &check, const OperationHistory &history)
{
    using Reason = LockCheck::Reason;
    if (check.verdict == LockCheck::Verdict::Violated)
        return violationText(check, history);
    switch (check.reason) {
    case Reason::UnknownOutcome:
        return Texts::tr("Consistent only if an operation of unknown outcome took effect.");
    case Reason::ClockBound:
        return Texts::tr("Consistent only if clocks differed, by %1 at most.")
            .arg(shortTime(std::chrono::microseconds((history.clockBound + 999) / 1000)));
    case Reason::Unseen:
        return Texts::tr("Operations may be missing: the history has gaps.");
    case Reason::TooComplex:
        return Texts::tr("Too many orders are possible. Check a shorter period.");
    case Reason::ClockSetBack:
        return Texts::tr("The clock of a process was set back (line %1).")
            .arg(history.locks[check.lock].setBackLine);
    case Reason::Polled:
        return Texts::tr("Quick changes may be missing: the recording polled.");
    case Reason::SharedByDesign:
        return Texts::tr("Several owners may hold this lock.");
    case Reason::NoCapacity:
        return Texts::tr("The number of permits is unknown. Add it in a model line.");
    default:
        return {};
    }
}

} // namespace lockscope
