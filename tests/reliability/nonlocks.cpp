// SPDX-License-Identifier: GPL-3.0-or-later
// Generated keys that are no locks, of every kind that the generator knows: none is called certain, none is an alarm.
#include "tests/support/nonlocks.h"
#include "core/family/certainty.h"
#include "core/family/registry.h"
#include "tests/reliability/row.h"

#include <QDateTime>

namespace lockscope {

Verdict runNonLocks(const Effort &effort)
{
    constexpr int fewest = 2000;
    const qint64 now = QDateTime::currentMSecsSinceEpoch();
    NonLocks source(effort.seed, now);
    const int keys = (fewest + NonLocks::kinds() - 1) / NonLocks::kinds() * NonLocks::kinds();
    Verdict verdict;
    int certain = 0;
    int alarms = 0;
    int hidden = 0;
    for (int i = 0; i < keys; ++i) {
        const SampleKey sample = source.next();
        const Lock lock = lockFrom(sample, now);
        const bool isCertain = certaintyOf(lock) == Certainty::Certain;
        // What is hidden is behind a count, and so is what is said of its type.
        const bool isAlarm =
            isHidden(lock) ? bool(lock.problems & ~Problems(Problem::WrongType)) : bool(lock.problems);
        certain += isCertain;
        alarms += isAlarm;
        hidden += isHidden(lock);
        if (isCertain || isAlarm || (sample.isDocument && !isNoLock(lock) && !mayBeRandomBytes(sample)))
            verdict.flaws << sample.kind + ", " + sample.key.bytes + ": " + specOf(lock.family).name +
                                 (isCertain ? ", certain" : "") + (isAlarm ? ", an alarm" : "") +
                                 (sample.isDocument && !isNoLock(lock) ? ", a document that is shown" : "");
    }
    verdict.met = verdict.flaws.isEmpty();
    verdict.measured = QByteArray::number(keys) + " keys of " + QByteArray::number(NonLocks::kinds()) +
                       " kinds: " + QByteArray::number(certain) + " called certain, " +
                       QByteArray::number(alarms) + " alarms, " + QByteArray::number(hidden) + " hidden";
    return verdict;
}

} // namespace lockscope
