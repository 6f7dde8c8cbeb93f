// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/sweep.h"
#include "core/monitor/deadlockdetector.h"
#include "core/monitor/deadwaiterdetector.h"
#include "core/state/checkrules.h"

#include <QDateTime>

namespace lockscope {

/// One scan for alerting systems: what breaks a rule.
class CheckCommand : public SweepCommand
{
public:
    explicit CheckCommand(Options options);

private:
    void print(const ScanStats &stats) override;
    void confirmDeadlocks();
    void watchSilentWaiters();
    void readAgain(const QList<LockKey> &keys, const std::function<void(const QList<Lock> &)> &then);
    void lookFailed(const Error &why);
    void connectionLost(const Error &why) override;
    bool isWholeCheck() const;
    void setProblem(const LockKey &key, Problem problem);
    void report();
    bool recall();
    QByteArray json(const CheckResult &result) const;
    QString humanText(const CheckResult &result) const;
    QString findingInWords(const CheckFinding &finding) const;
    QJsonObject toJson(const CheckFinding &finding) const;

    const CheckRules m_rules;
    ScanStats m_stats;
    QMap<LockKey, Lock> m_checked;
    DeadlockDetector m_deadlocks;
    DeadWaiterDetector m_deadWaiters;
    QList<LockKey> m_silent; ///< locks with a waiter that is not subscribed
    int m_looks = 1;         ///< at these
    QDateTime m_at;
    TimePoint m_steadyAt{};             ///< the same moment
    std::optional<Error> m_unconfirmed; ///< why a second reading failed
    bool m_isCut = false;               ///< more was suspected than is read again
    bool m_isRecalled = true;           ///< as recall() says
    std::optional<HeldMemory> m_memory; ///< absent: it is not asked for, or can't be used
    bool m_knowsHeld = false;           ///< checks came before this one
};

} // namespace lockscope
