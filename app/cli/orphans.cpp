// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/verbs.h"

#include "app/cli/json.h"
#include "app/cli/sweep.h"
#include "app/words.h"
#include "core/act/actionnames.h"
#include "core/act/actionseries.h"
#include "core/act/deploymentoperations.h"
#include "core/base/printable.h"
#include "core/family/certainty.h"
#include "core/family/filecompanions.h"
#include "core/family/registry.h"
#include "core/read/serverwrites.h"
#include "core/redis/whendone.h"
#include "core/state/orphans.h"
#include "core/words/actionpreview.h"
#include "core/words/messages.h"
#include "core/words/phrases.h"
#include "core/words/texts.h"

#include <QDateTime>
#include <QJsonArray>
#include <QTimer>

#include <algorithm>
#include <array>
#include <memory>

namespace lockscope {

namespace {

using Verdict = OrphanFinding::Verdict;
using Outcomes = Result<ActionResult>;

QString doubtInWords(OrphanDoubt doubt)
{
    switch (doubt) {
    case OrphanDoubt::NoHeartbeat:
        return Words::tr("no usable heartbeat: not kept, unreadable, or its time makes no sense");
    case OrphanDoubt::Changed:
        return Words::tr("changed between two readings");
    case OrphanDoubt::None:
    case OrphanDoubt::TooEarly: // never, by the wait between the readings
        break;
    case OrphanDoubt::RecordMissing:
        return Words::tr("the holder's record is missing; an old client version looks the same");
    case OrphanDoubt::CountDiffers:
        return Words::tr("the hold count differs from the holders' counts");
    case OrphanDoubt::OthersHold:
        return Words::tr("others may hold the lock too, and one hold cannot end alone");
    case OrphanDoubt::Evictions:
        return Words::tr("the server may have evicted the heartbeat");
    case OrphanDoubt::Replica:
        return Words::tr("heartbeats on a replica may be late");
    case OrphanDoubt::WritesRefused:
        return Words::tr("the server may have refused heartbeats");
    }
    return {};
}

/// A lock whose holders may be gone.
struct Judged
{
    Lock lock;
    OrphanFinding finding;
    std::optional<Outcomes> outcome{}; ///< absent: nothing was sent
};

/// Reads all locks, and those with stopped heartbeats once more, two intervals later. With --end, ends the proven
/// orphans one by one, until anything differs from what was read.
class OrphansCommand : public SweepCommand
{
public:
    explicit OrphansCommand(Options options)
        : SweepCommand(std::move(options)),
          m_rules(this->options().orphanRule ? QList{*this->options().orphanRule} : orphanRules())
    {
    }

    /// Refuses what could not be sent before anything is read.
    void start() override
    {
        if (deployment().isGroup())
            return finishWithout(ExitStatus::WrongUsage,
                                 Words::tr("Orphans of Redlock groups are not supported."));
        if (!options().ends)
            return SweepCommand::start();
        if (options().readOnly)
            return finishWithout(ExitStatus::RefusedByReadOnly, Words::tr("Nothing was sent: read-only."));
        if (guard().refusal(requestFor({})))
            return finishWithout(
                ExitStatus::RefusedByReadOnly,
                Words::tr("Nothing was sent: production actions need --confirm %1.").arg(serverName()));
        SweepCommand::start();
    }

private:
    ActionGuard guard() const { return ActionGuard(environmentOf(options()), serverName()); }

    bool isRuled(const Lock &lock) const
    {
        return m_rules.contains(lock.family) && !lock.owners.isEmpty() && !isNoLock(lock);
    }

    void print(const ScanStats &stats) override
    {
        m_stats = stats;
        QList<LockKey> suspects;
        QList<Lock> dead;
        milliseconds patience{};
        for (const Lock &lock : locks()) {
            if (!isRuled(lock))
                continue;
            m_first.insert(lock.key(), lock);
            const Heartbeat::State state = lock.companions->heartbeat.state;
            if (state != Heartbeat::State::Alive) // a holder that leaves may be unknown for a moment
                suspects.append(lock.key());
            if (state != Heartbeat::State::Dead)
                continue;
            dead.append(lock);
            patience = std::max(patience, orphanPatience(lock.family));
        }
        m_second = m_first;
        whenDone(listener(), readServerWrites(link(), dead), [=, this](const Result<ServerWrites> &writes) {
            m_writes = writes;
            m_readAt = Clock::now();
            readTwice(suspects, dead, patience);
        });
    }

    void readTwice(const QList<LockKey> &suspects, const QList<Lock> &dead, milliseconds patience)
    {
        if (patience.count() > 0)
            console::progress(Words::tr("reading %1 again in %2", "locks, a time")
                                  .arg(locksInWords(suspects.size()), describe(patience)));
        QTimer::singleShot(patience, Qt::PreciseTimer, this, [this, suspects, dead] {
            m_apart = std::chrono::floor<milliseconds>(Clock::now() - m_readAt);
            const auto take = [this, suspects, dead](const QList<Lock> &read) {
                for (const LockKey &key : suspects) // kept only if they are still there
                    m_second.remove(key);
                for (const Lock &lock : read) {
                    if (isRuled(lock))
                        m_second.insert(lock.key(), lock);
                }
                whenDone(listener(), readServerWrites(link(), dead),
                         [this](const Result<ServerWrites> &writes) { judge(writes); });
            };
            readAgain(suspects, take, [this](const Error &why) {
                // The end of a connection tells its own cause; that of one node among several does not come here.
                const bool isLost = why.kind == ErrorKind::OutcomeUnknown;
                QTimer::singleShot(0, this,
                                   [this, error = isLost ? Error(ErrorKind::NotConnected, why) : why] {
                                       if (!isFinished())
                                           fail(error);
                                   });
            });
        });
    }

    /// What was sent has its outcome without the connection that reads.
    void connectionLost(const Error &why) override
    {
        if (!m_series)
            SweepCommand::connectionLost(why);
    }

    void judge(const Result<ServerWrites> &writes)
    {
        const bool areAccepted = writes && m_writes && writes->areUnrefusedSince(*m_writes);
        const OrphanSurroundings around{!writes || writes->mayEvict || m_stats.eviction.has_value(),
                                        server().isReplica(), !areAccepted};
        for (const Lock &lock : std::as_const(m_second)) {
            const OrphanFinding finding = orphanFinding(m_first[lock.key()], lock, m_apart, around);
            if (finding.verdict == Verdict::Alive)
                ++m_alive;
            else
                m_judged.append({lock, finding});
        }
        const auto isProven = [](const Judged &each) { return each.finding.verdict == Verdict::Orphan; };
        if (options().ends && std::ranges::any_of(m_judged, isProven))
            return end();
        report();
    }

    ActionRequest requestFor(const Judged &orphan) const
    {
        ActionRequest request = ActionRequest::on(orphan.lock, Action::ForceExpire);
        request.expected = orphan.finding.expected;
        request.onlyExpected = orphan.finding.isPart;
        request.orphanSince = m_readAt;
        request.consent = {options().confirmedName.isEmpty() ? Consent::Confirmed : Consent::Named,
                           ActionGuard::nameOf(LockKey(options().confirmedName)), true};
        return request;
    }

    /// The connection that reads may not write.
    void end()
    {
        m_writer = std::make_unique<Deployment>(
            options().server, Connection::Options{.clientName = "lockscope-cli", .reconnect = false});
        m_operations = std::make_unique<DeploymentOperations>(*m_writer, m_audit);
        m_operations->setGuard(guard());
        const auto lost = [this](const Error &why) {
            if (!m_series) // otherwise the outcome of what was sent tells it
                fail(why);
        };
        connect(&m_writer->link(), &Link::connectionLost, this, lost);
        connect(&m_writer->link(), &Link::connectionRefused, this, lost);
        connect(&m_writer->link(), &Link::ready, this, [this] {
            if (!m_series)
                startSeries();
        });
        m_writer->open();
    }

    void startSeries()
    {
        QList<ActionRequest> requests;
        for (qsizetype i = 0; i < m_judged.size(); ++i) {
            if (m_judged[i].finding.verdict != Verdict::Orphan)
                continue;
            requests.append(requestFor(m_judged[i]));
            m_sent.append(i);
        }
        m_series = std::make_unique<ActionSeries>(
            requests, [this](const ActionRequest &request) { return m_operations->run(request); });
        m_series->stopAtAnyFailure();
        m_series->setPause(
            std::chrono::ceil<milliseconds>(std::chrono::minutes(1) / double(options().perMinute)));
        connect(m_series.get(), &ActionSeries::ended, this, [this](qsizetype index) {
            m_judged[m_sent[index]].outcome = m_series->results()[index];
            console::progress(
                Words::tr("%1 of %2 ended", "locks").arg(grouped(index + 1), grouped(m_series->size())));
        });
        connect(m_series.get(), &ActionSeries::finished, this, &OrphansCommand::report);
        m_series->start();
    }

    /// What is sent is awaited, so that its outcome is known; the rest is not sent.
    void interrupted() override
    {
        if (m_series)
            m_series->stop();
        else
            SweepCommand::interrupted();
    }

    qsizetype count(Verdict verdict) const
    {
        return std::ranges::count_if(
            m_judged, [verdict](const Judged &each) { return each.finding.verdict == verdict; });
    }

    ExitStatus statusOfEnds() const
    {
        ExitStatus status = ExitStatus::Done;
        for (const Judged &each : m_judged) {
            if (each.finding.verdict == Verdict::Unknown)
                continue;
            if (each.outcome && !*each.outcome)
                return exitStatusOf(each.outcome->error().kind);
            if (each.outcome && (*each.outcome)->outcome == Outcome::Unknown)
                return ExitStatus::Unavailable;
            if (!each.outcome || !succeeded((*each.outcome)->outcome))
                status = ExitStatus::Rejected;
        }
        return status;
    }

    bool isComplete() const { return !incomplete() && m_stats.isWhole() && count(Verdict::Unknown) == 0; }

    void report()
    {
        if (isFinished())
            return;
        console::progress({});
        warnOfGaps(m_stats);
        if (incomplete())
            console::printError(describe(*incomplete(), serverName()));
        const ExitStatus status = statusOfEnds();
        finish(status == ExitStatus::Done && !isComplete() ? ExitStatus::Unavailable : status,
               options().json ? json() : humanText().toUtf8());
    }

    /// The server's clock is another: since when is known by the readings alone.
    QString evidenceInWords(const Judged &each, const GoneHolder &holder) const
    {
        const QDateTime until = QDateTime::fromMSecsSinceEpoch(holder.untilMs.value_or(0));
        const QString what =
            holder.untilMs
                ? Words::tr("expired at %1").arg(until.toString(QStringLiteral("yyyy-MM-dd HH:mm:ss")))
                : Words::tr("missing");
        return Words::tr("heartbeat of %1 in %2: %3; unchanged for at least %4, intervals: %5")
            .arg(ownerIdText(holder.owner.bytes, 60), printable(heartbeatKey(each.lock, holder.owner)), what,
                 describe(m_apart), grouped(m_apart / heartbeatInterval(each.lock.family)));
    }

    QString textOf(const Judged &each) const
    {
        static constexpr std::array<const char *, 4> words{"alive", "unknown", "likely", "orphan"};
        const QString word = QLatin1String(words.at(static_cast<size_t>(each.finding.verdict)));
        QStringList owners;
        for (const LockOwner &owner : each.finding.expected)
            owners.append(ownerIdText(owner.owner.bytes, 60));
        const QString family = QString::fromLatin1(familyName(each.lock.family));
        QStringList lines{word + u' ' + family + u' ' + printable(each.lock.key().bytes)};
        if (!owners.isEmpty())
            lines[0] += QStringLiteral(": ") + owners.join(QStringLiteral(", "));
        for (const GoneHolder &holder : each.finding.gone)
            lines.append(evidenceInWords(each, holder));
        if (each.finding.doubt != OrphanDoubt::None)
            lines.append(doubtInWords(each.finding.doubt));
        if (each.outcome)
            lines.append(*each.outcome ? describe(**each.outcome)
                                       : describe(each.outcome->error(), serverName()));
        else if (each.finding.verdict == Verdict::Orphan && options().ends)
            lines.append(Words::tr("not sent"));
        else if (each.finding.verdict == Verdict::Orphan)
            lines.append(effects(each).join(u' '));
        return lines.join(QStringLiteral("\n  ")) + u'\n';
    }

    static QStringList effects(const Judged &each)
    {
        QStringList effects = previewForceExpire(each.lock);
        if (each.finding.isPart)
            effects.prepend(Words::tr("Other owners keep the lock."));
        return effects;
    }

    QString humanText() const
    {
        QString text = Words::tr("Orphans: %1. Likely: %2. Unknown: %3. Alive: %4.")
                           .arg(grouped(count(Verdict::Orphan)), grouped(count(Verdict::Likely)),
                                grouped(count(Verdict::Unknown)), grouped(m_alive)) +
                       u'\n';
        for (const Judged &each : m_judged)
            text += textOf(each);
        return text;
    }

    QJsonObject toJson(const Judged &each, TimePoint now, qint64 nowMs) const
    {
        QJsonObject object{{QStringLiteral("rule"), QString::fromLatin1(familyName(each.lock.family))},
                           {QStringLiteral("lock"), lockObject(each.lock, now, nowMs)}};
        if (each.finding.doubt != OrphanDoubt::None)
            object[QStringLiteral("doubt")] = QString::fromLatin1(orphanDoubtName(each.finding.doubt));
        if (each.finding.verdict == Verdict::Unknown)
            return object;
        QJsonArray holders;
        for (const GoneHolder &holder : each.finding.gone) {
            QJsonObject gone;
            insertBytes(gone, QStringLiteral("id"), holder.owner.bytes);
            insertBytes(gone, QStringLiteral("key"), heartbeatKey(each.lock, holder.owner));
            if (holder.untilMs)
                gone[QStringLiteral("until_ms")] = *holder.untilMs;
            holders.append(gone);
        }
        object[QStringLiteral("evidence")] =
            QJsonObject{{QStringLiteral("holders"), holders},
                        {QStringLiteral("interval_ms"), qint64(heartbeatInterval(each.lock.family).count())},
                        {QStringLiteral("unchanged_ms"), qint64(m_apart.count())}};
        object[QStringLiteral("others_hold")] = each.finding.isPart;
        if (each.finding.verdict == Verdict::Orphan)
            object[QStringLiteral("effects")] = QJsonArray::fromStringList(effects(each));
        if (each.outcome && *each.outcome)
            object[QStringLiteral("outcome")] = QString::fromLatin1(outcomeName((*each.outcome)->outcome));
        else if (each.outcome)
            object[QStringLiteral("error")] = describe(each.outcome->error(), serverName());
        return object;
    }

    QByteArray json() const
    {
        std::array<QJsonArray, 4> found;
        const TimePoint now = Clock::now();
        const qint64 nowMs = QDateTime::currentMSecsSinceEpoch();
        for (const Judged &each : m_judged)
            found.at(static_cast<size_t>(each.finding.verdict)).append(toJson(each, now, nowMs));
        return jsonLine(QJsonObject{{QStringLiteral("server"), serverJson()},
                                    {QStringLiteral("sweep"), lockscope::toJson(m_stats)},
                                    {QStringLiteral("complete"), isComplete()},
                                    {QStringLiteral("unreadable"), m_stats.unreadable},
                                    {QStringLiteral("alive"), m_alive},
                                    {QStringLiteral("orphans"), found[size_t(Verdict::Orphan)]},
                                    {QStringLiteral("likely"), found[size_t(Verdict::Likely)]},
                                    {QStringLiteral("unknown"), found[size_t(Verdict::Unknown)]}});
    }

    const QList<Family> m_rules;
    ScanStats m_stats;
    QMap<LockKey, Lock> m_first;
    QMap<LockKey, Lock> m_second;
    TimePoint m_readAt; ///< when all of the first reading was there
    Result<ServerWrites> m_writes;
    milliseconds m_apart{0}; ///< from there to the second reading
    QList<Judged> m_judged;  ///< all but the living
    qint64 m_alive = 0;
    AuditLog m_audit;
    std::unique_ptr<Deployment> m_writer;
    std::unique_ptr<DeploymentOperations> m_operations;
    std::unique_ptr<ActionSeries> m_series;
    QList<qsizetype> m_sent; ///< places of the requests in m_judged
};

} // namespace

std::unique_ptr<Command> orphansCommand(const Options &options)
{
    return std::make_unique<OrphansCommand>(options);
}

} // namespace lockscope
