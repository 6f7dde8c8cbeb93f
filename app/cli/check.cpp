// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/verbs.h"

#include "app/cli/json.h"
#include "app/cli/sweep.h"
#include "app/words.h"
#include "core/base/printable.h"
#include "core/family/certainty.h"
#include "core/family/registry.h"
#include "core/family/weaktoken.h"
#include "core/journal/holdlogfile.h"
#include "core/model/names.h"
#include "core/monitor/deadlockdetector.h"
#include "core/monitor/deadwaiterdetector.h"
#include "core/state/checkrules.h"
#include "core/words/messages.h"
#include "core/words/phrases.h"
#include "core/words/texts.h"

#include <QDateTime>
#include <QFile>
#include <QJsonArray>
#include <QTimer>

#include <algorithm>

namespace lockscope {

namespace {

using Rule = CheckFinding::Rule;
using namespace std::chrono_literals;

constexpr qsizetype maxReadAgain = 500;

// So that three readings are more than DeadWaiterDetector::patience apart.
constexpr milliseconds betweenLooks = DeadWaiterDetector::patience / (DeadWaiterDetector::looks - 1) + 100ms;

CheckRules rulesOf(const Options &options)
{
    CheckRules rules = options.rules;
    const bool isDefault = !(rules.problems || rules.noExpiry || rules.maxHeld || rules.maxWaiters);
    rules.problems = rules.problems || isDefault;
    rules.openExpiry = isDefault;
    return rules;
}

bool hasSilentWaiter(const Lock &lock)
{
    return std::ranges::any_of(lock.companions->waiters.queue, [](const Waiter &waiter) {
        return waiter.listening == SubscriptionState::No;
    });
}

QByteArray ruleName(const CheckFinding &finding)
{
    switch (finding.rule) {
    case Rule::MaxHeld:
        return "max-held";
    case Rule::MaxWaiters:
        return "max-waiters";
    case Rule::Problem:
        break;
    }
    return problemName(finding.problem);
}

QDateTime momentOf(qint64 epochMs)
{
    return QDateTime::fromMSecsSinceEpoch(epochMs);
}

class CheckCommand : public SweepCommand
{
public:
    explicit CheckCommand(Options options)
        : SweepCommand(std::move(options)), m_rules(rulesOf(this->options()))
    {
    }

private:
    void print(const ScanStats &stats) override
    {
        m_at = QDateTime::currentDateTime();
        m_steadyAt = Clock::now();
        m_stats = stats;
        for (const Lock &lock : locks())
            m_checked.insert(lock.key(), lock);
        m_isRecalled = recall(); // before another check can: what follows takes seconds
        // The servers of a Redlock group have no queues in common.
        if (!m_rules.problems || deployment().isGroup() || incomplete())
            return report();
        m_deadlocks.take(waitForEdges(m_checked.values()));
        for (Lock &lock : m_checked) {
            if (hasSilentWaiter(lock)) {
                if (m_silent.size() == maxReadAgain) {
                    m_isCut = true;
                    break;
                }
                Waiters waiters = lock.companions->waiters;
                m_deadWaiters.judge(lock.key(), waiters, Clock::now());
                m_silent.append(lock.key());
            }
        }
        confirmDeadlocks();
    }

    /// Confirms deadlocks by a second reading, since locks were read one after another.
    void confirmDeadlocks()
    {
        QList<LockKey> keys;
        for (const Deadlock &deadlock : m_deadlocks.suspected()) {
            for (const WaitEdge &edge : deadlock.cycle)
                keys.append(edge.lock);
        }
        if (keys.isEmpty())
            return watchSilentWaiters();
        readAgain(keys, [this](const QList<Lock> &read) {
            m_deadlocks.confirm(waitForEdges(read));
            for (const Deadlock &deadlock : m_deadlocks.deadlocks()) {
                for (const WaitEdge &edge : deadlock.cycle)
                    setProblem(edge.lock, Problem::Deadlock);
            }
            watchSilentWaiters();
        });
    }

    /// A waiter enters its queue before it subscribes: a missing subscription counts only after a while.
    void watchSilentWaiters()
    {
        if (m_silent.isEmpty() || m_looks == DeadWaiterDetector::looks)
            return report();
        // A coarse timer may be 5% early, which is less than the patience.
        QTimer::singleShot(betweenLooks, Qt::PreciseTimer, this, [this] {
            readAgain(m_silent, [this](const QList<Lock> &read) {
                ++m_looks;
                m_silent.clear();
                for (const Lock &lock : read) {
                    Waiters waiters = lock.companions->waiters;
                    m_deadWaiters.judge(lock.key(), waiters, Clock::now());
                    if (hasBlockedWaiters(waiters))
                        setProblem(lock.key(), Problem::DeadWaiter);
                    if (hasSilentWaiter(lock))
                        m_silent.append(lock.key());
                }
                watchSilentWaiters();
            });
        });
    }

    void readAgain(const QList<LockKey> &keys, const std::function<void(const QList<Lock> &)> &then)
    {
        const QList<LockKey> some = keys.first(std::min(keys.size(), maxReadAgain));
        m_isCut = m_isCut || some.size() < keys.size();
        SweepCommand::readAgain(some, then, [this](const Error &why) {
            if (why.kind != ErrorKind::OutcomeUnknown)
                return lookFailed(why);
            // The end of a connection tells its own cause; that of one node among several does not come here.
            QTimer::singleShot(0, this, [this, why] { lookFailed(Error(ErrorKind::NotConnected, why)); });
        });
    }

    /// Findings of the first reading are still reported.
    void lookFailed(const Error &why)
    {
        if (isFinished())
            return;
        m_unconfirmed = why;
        report();
    }

    /// Without a reading yet, there is nothing to report.
    void connectionLost(const Error &why) override
    {
        if (m_at.isValid())
            lookFailed(why);
        else
            fail(why);
    }

    bool isWholeCheck() const { return isWhole(m_stats) && !m_unconfirmed && !m_isCut; }

    void setProblem(const LockKey &key, Problem problem)
    {
        if (const auto lock = m_checked.find(key); lock != m_checked.end())
            lock->problems |= problem;
    }

    /// Findings are reported even if other locks could not be read, which is added.
    void report()
    {
        if (isFinished())
            return;
        const CheckResult result = applyRules(m_rules, m_checked.values(), m_memory ? &*m_memory : nullptr,
                                              m_at.toMSecsSinceEpoch());
        warnOfGaps(m_stats);
        if (incomplete())
            console::printError(describe(*incomplete(), serverName()));
        if (m_unconfirmed)
            console::printError(Words::tr("deadlocks and dead waiters not confirmed: %1")
                                    .arg(describe(*m_unconfirmed, serverName())));
        if (m_isCut)
            console::printError(Words::tr("deadlocks and dead waiters are confirmed at %1 only")
                                    .arg(locksInWords(maxReadAgain)));
        const bool isWholeResult = isWholeCheck() && m_isRecalled;
        const bool isBroken =
            !result.findings.isEmpty() || (!result.open.isEmpty() && !m_rules.allowsOpenExpiry);
        finish(isBroken        ? ExitStatus::Rejected
               : isWholeResult ? ExitStatus::Done
                               : ExitStatus::Unavailable,
               options().json ? json(result) : humanText(result).toUtf8());
    }

    /// Looks up since when the locks have been held, and stores this check. Returns false, with a message, if
    /// either fails.
    bool recall()
    {
        if (!m_rules.maxHeld)
            return true;
        HoldLogFile file(QFile::decodeName(options().stateFile),
                         HoldLog::subject(options().server, patterns()));
        const auto opened = file.open();
        if (!opened) {
            console::printError(Words::tr("hold times unknown: %1").arg(inWords(opened.error())));
            return false;
        }
        HoldLog memory = *opened;
        m_knowsHeld = !memory.isEmpty();
        if (!m_knowsHeld && !file.wasDamaged())
            console::printError(Words::tr("hold times not known yet: first check with this state file"));
        memory.record(m_checked.values(), m_at.toMSecsSinceEpoch(), isWhole(m_stats));
        m_memory = memory;
        if (const auto saved = file.save(memory); !saved) {
            console::printError(Words::tr("state file not written: %1").arg(inWords(saved.error())));
            return false;
        }
        if (file.wasDamaged())
            console::printError(Words::tr("%1 was damaged: hold times start at this check").arg(file.path()));
        return true;
    }

    QString findingInWords(const CheckFinding &finding) const
    {
        switch (finding.rule) {
        case Rule::MaxWaiters: {
            const Waiters &waiters = finding.lock.companions->waiters;
            return (waiters.certainty == WaiterCertainty::Exact ? Words::tr("waiters: %1, limit %2")
                                                                : Words::tr("waiters: at least %1, limit %2"))
                .arg(grouped(waiters.count), grouped(*m_rules.maxWaiters));
        }
        case Rule::MaxHeld: {
            const HoldLog::Longest &held = finding.held;
            const milliseconds time(m_at.toMSecsSinceEpoch() - held.hold.sinceMs);
            const QString since = momentOf(held.hold.sinceMs).toString(QStringLiteral("yyyy-MM-dd HH:mm:ss"));
            const QString owner = ownerIdText(held.owner.owner.bytes, 60);
            if (held.hold.checks == 0)
                return Words::tr("held by %1 since %2 by its own clock (%3), limit %4")
                    .arg(owner, since, describe(time), describe(*m_rules.maxHeld));
            const QString text =
                mayRepeat(finding.lock)
                    ? Words::tr("same token %1 at every check since %2 (checks: %3, %4), limit %5; owners "
                                "may differ")
                    : Words::tr("held by %1 at every check since %2 (checks: %3, %4), limit %5");
            return text.arg(owner, since, grouped(held.hold.checks), describe(time),
                            describe(*m_rules.maxHeld));
        }
        case Rule::Problem:
            break;
        }
        return describe(finding.problem);
    }

    static QString openInWords(const Lock &lock)
    {
        return isPossible(lock) ? Texts::tr("No expiry. Possibly not a lock.")
                                : Words::tr("No expiry. The family is ambiguous.");
    }

    QString humanText(const CheckResult &result) const
    {
        const qsizetype findings =
            result.findings.size() + (m_rules.allowsOpenExpiry ? 0 : result.open.size());
        QStringList summary;
        if (findings > 0)
            summary << Words::tr("Findings: %1").arg(grouped(findings));
        else if (isWholeCheck()) // else that there are none is not known
            summary << Words::tr("No findings");
        summary << Words::tr("Checked: %1").arg(locksInWords(m_checked.size()));
        if (!result.open.isEmpty())
            summary << Words::tr("Without expiry, ambiguous: %1").arg(locksInWords(result.open.size()));
        if (m_rules.problems && result.withoutExpiry > 0)
            summary << Words::tr("Without expiry, no problem: %1").arg(locksInWords(result.withoutExpiry));
        if (m_rules.maxWaiters && result.waitersUnknown > 0)
            summary << Words::tr("Waiters unknown: %1").arg(locksInWords(result.waitersUnknown));
        if (m_rules.maxWaiters && result.waitersAtLeast > 0)
            summary << Words::tr("Waiters partly counted: %1").arg(locksInWords(result.waitersAtLeast));
        if (m_rules.maxHeld && !m_knowsHeld)
            summary << Words::tr("Time held: unknown");
        if (!isWhole(m_stats))
            summary << Words::tr("Incomplete: unread locks");
        else if (!isWholeCheck())
            summary << Words::tr("Incomplete: unconfirmed findings");
        QString text = summary.join(QStringLiteral(". ")) + QStringLiteral(".\n");
        for (const CheckFinding &finding : result.findings)
            text += QString::fromLatin1(ruleName(finding)) + u' ' + printable(finding.lock.key().bytes) +
                    QStringLiteral(": ") + findingInWords(finding) + u'\n';
        for (const Lock &lock : result.open)
            text +=
                QStringLiteral("open-no-expiry %1: %2\n").arg(printable(lock.key().bytes), openInWords(lock));
        if (m_stats.outside && m_stats.outside->names > 0)
            text += outsideInWords(*m_stats.outside) + u'\n';
        return text;
    }

    QJsonObject toJson(const CheckFinding &finding) const
    {
        const qint64 nowMs = m_at.toMSecsSinceEpoch();
        QJsonObject object{{QStringLiteral("rule"), QString::fromLatin1(ruleName(finding))},
                           {QStringLiteral("text"), findingInWords(finding)},
                           {QStringLiteral("lock"), lockObject(finding.lock, m_steadyAt, nowMs)}};
        if (finding.rule != Rule::MaxHeld)
            return object;
        const HoldLog::Longest &held = finding.held;
        insertBytes(object, QStringLiteral("owner"), held.owner.owner.bytes);
        object[QStringLiteral("since")] = held.hold.sinceMs;
        object[QStringLiteral("held_ms")] = nowMs - held.hold.sinceMs;
        if (held.hold.checks > 0)
            object[QStringLiteral("checks")] = held.hold.checks;
        return object;
    }

    QByteArray json(const CheckResult &result) const
    {
        QJsonArray findings;
        for (const CheckFinding &finding : result.findings)
            findings.append(toJson(finding));
        QJsonArray open;
        for (const Lock &lock : result.open)
            open.append(QJsonObject{
                {QStringLiteral("rule"), QStringLiteral("open-no-expiry")},
                {QStringLiteral("text"), openInWords(lock)},
                {QStringLiteral("lock"), lockObject(lock, m_steadyAt, m_at.toMSecsSinceEpoch())}});
        QJsonObject document{{QStringLiteral("server"), serverJson()},
                             {QStringLiteral("sweep"), lockscope::toJson(m_stats)},
                             {QStringLiteral("at"), m_at.toMSecsSinceEpoch()},
                             {QStringLiteral("complete"), isWholeCheck()},
                             {QStringLiteral("unreadable"), m_stats.unreadable},
                             {QStringLiteral("locks"), m_checked.size()},
                             {QStringLiteral("findings"), findings}};
        if (m_rules.openExpiry)
            document[QStringLiteral("open")] = open;
        if (m_stats.outside)
            document[QStringLiteral("outside")] = lockscope::toJson(*m_stats.outside);
        if (m_stats.eviction)
            document[QStringLiteral("eviction")] = lockscope::toJson(*m_stats.eviction);
        if (m_rules.problems)
            document[QStringLiteral("without_expiry")] = result.withoutExpiry;
        if (m_rules.maxWaiters) {
            document[QStringLiteral("waiters_unknown")] = result.waitersUnknown;
            document[QStringLiteral("waiters_at_least")] = result.waitersAtLeast;
        }
        if (m_rules.maxHeld)
            document[QStringLiteral("held_known")] = m_knowsHeld;
        return jsonLine(document);
    }

    const CheckRules m_rules;
    ScanStats m_stats;
    QMap<LockKey, Lock> m_checked; ///< includes possible locks
    DeadlockDetector m_deadlocks;
    DeadWaiterDetector m_deadWaiters;
    QList<LockKey> m_silent; ///< locks with an unsubscribed waiter
    int m_looks = 1;         ///< readings of m_silent
    QDateTime m_at;
    TimePoint m_steadyAt{};             ///< same moment as m_at
    std::optional<Error> m_unconfirmed; ///< error of a second reading
    bool m_isCut = false;               ///< more was suspected than re-read
    bool m_isRecalled = true;
    std::optional<HoldLog> m_memory; ///< absent: not requested or unusable
    bool m_knowsHeld = false;        ///< there were earlier checks
};

} // namespace

std::unique_ptr<Command> checkCommand(const Options &options)
{
    if (options.checksServer)
        return serverCheckCommand(options);
    return std::make_unique<CheckCommand>(options);
}

} // namespace lockscope
