// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/simulation/model/operationlog.h"

#include "core/base/printable.h"
#include "core/simulation/model/strategyspec.h"

#include <QJsonDocument>

#include <algorithm>
#include <utility>

namespace lockscope {

namespace {

using Traced = TraceEntry::Kind;

class OperationLog
{
public:
    OperationLog(const Report &report, int phase)
        : m_report(report),
          m_phase(phase),
          m_workers(size_t(report.plan.workers)),
          m_highestFence(report.keys.size(), -1)
    {
    }

    QByteArray lines()
    {
        for (const TraceEntry &entry : m_report.trace.entries()) {
            if (entry.worker >= 0 && entry.worker < int(m_workers.size()))
                take(m_workers[size_t(entry.worker)], entry);
            else
                takeOfServer(entry);
        }
        for (Worker &worker : m_workers)
            endLife(worker);
        if (const auto fullAt = m_report.trace.fullAt())
            addGap(*fullAt, m_report.duration + std::chrono::hours(1));
        if (m_losingSince)
            addGap(*m_losingSince, m_report.duration + std::chrono::hours(1));
        std::ranges::stable_sort(m_lines, {}, &Line::at);
        QByteArray text;
        for (qsizetype lock = 0; lock < m_report.keys.size(); ++lock)
            text += asLine({{QStringLiteral("type"), QStringLiteral("model")},
                            {QStringLiteral("lock"), nameOf(int(lock))},
                            {QStringLiteral("model"), modelName()}});
        for (const Line &line : m_lines)
            text += asLine(line.object);
        return text;
    }

private:
    struct Line
    {
        microseconds at;
        QJsonObject object;
    };
    struct Unanswered
    {
        const char *operation;
        int lock;
        microseconds from;
        microseconds until;
    };
    struct Worker
    {
        int lives = 0;
        std::optional<int> wanted; ///< lock, while it waits
        microseconds waitBegan{0};
        std::optional<microseconds> queuedAt;
        std::optional<microseconds> releaseBegan;
        int releasing = 0; ///< lock
        std::optional<Unanswered> unanswered;
        microseconds lastAt{0};
        QHash<int, qint64> fences; ///< by lock
    };

    static QByteArray asLine(const QJsonObject &object)
    {
        return QJsonDocument(object).toJson(QJsonDocument::Compact) + '\n';
    }
    static double ms(microseconds time) { return double(time.count()) / 1000; }

    QString nameOf(int lock) const
    {
        const QString key = lossless(m_report.keys.value(lock));
        return m_phase == 0 ? key : QStringLiteral("%1#%2").arg(key).arg(m_phase);
    }
    QString nameOf(const Worker &worker) const
    {
        const auto number = &worker - m_workers.data() + 1;
        QString name = m_phase == 0 ? QStringLiteral("W%1").arg(number)
                                    : QStringLiteral("%1/W%2").arg(m_phase).arg(number);
        if (worker.lives > 1)
            name += QStringLiteral(".%1").arg(worker.lives);
        return name;
    }
    QString modelName() const
    {
        const bool hasTokens = std::ranges::any_of(m_highestFence, [](qint64 fence) { return fence >= 0; });
        const bool isReentrant =
            std::ranges::any_of(algorithmsOf(m_report.plan), [](const Algorithm &algorithm) {
                return specOf(algorithm.strategy).isReentrant;
            });
        return hasTokens     ? QStringLiteral("fenced")
               : isReentrant ? QStringLiteral("reentrant")
                             : QStringLiteral("mutex");
    }
    bool hasQueue() const
    {
        return std::ranges::any_of(algorithmsOf(m_report.plan), [](const Algorithm &algorithm) {
            return algorithm.strategy == StrategyKind::Handoff;
        });
    }

    void add(const Worker &worker, const char *type, const char *operation, int lock, microseconds at,
             QJsonObject details = {}, const QString &part = {})
    {
        details[QStringLiteral("type")] = QLatin1String(type);
        details[QStringLiteral("process")] = nameOf(worker) + part;
        details[QStringLiteral("operation")] = QLatin1String(operation);
        details[QStringLiteral("lock")] = nameOf(lock);
        details[QStringLiteral("time_ms")] = ms(at);
        if (!part.isEmpty())
            details[QStringLiteral("owner")] = nameOf(worker);
        m_lines.push_back({at, details});
    }
    void addAnswered(Worker &worker, const char *operation, const TraceEntry &entry, microseconds since,
                     const QJsonObject &details = {})
    {
        if (worker.unanswered && entry.since > worker.unanswered->until) {
            since = std::max(since, worker.unanswered->until);
            addUnanswered(worker);
        }
        worker.unanswered.reset(); // else it was this one, as reading the lock has shown
        add(worker, "invoke", operation, entry.lock, std::min(since, entry.at), details);
        add(worker, "ok", operation, entry.lock, entry.at);
    }
    void addUnanswered(Worker &worker)
    {
        if (!worker.unanswered)
            return;
        add(worker, "invoke", worker.unanswered->operation, worker.unanswered->lock, worker.unanswered->from);
        add(worker, "info", worker.unanswered->operation, worker.unanswered->lock, worker.unanswered->until);
        worker.waitBegan = std::max(worker.waitBegan, worker.unanswered->until); // of the next attempt
        worker.unanswered.reset();
    }
    /// An attempt that ended without the lock: refused, or cut off by the end of the run.
    void addEndOfWait(Worker &worker, const char *type, microseconds at)
    {
        const auto lock = std::exchange(worker.wanted, std::nullopt);
        if (!lock)
            return;
        if (worker.unanswered) // it is that one
            return addUnanswered(worker);
        add(worker, "invoke", "acquire", *lock, worker.waitBegan, sinceQueued(worker));
        add(worker, type, "acquire", *lock, at);
    }
    /// In a queue the wait counts, of which an attempt is a part.
    QJsonObject sinceQueued(const Worker &worker, QJsonObject details = {}) const
    {
        if (hasQueue() && worker.queuedAt)
            details[QStringLiteral("queued_ms")] = ms(*worker.queuedAt);
        return details;
    }
    void addGap(microseconds from, microseconds to)
    {
        for (qsizetype lock = 0; lock < m_report.keys.size(); ++lock)
            m_lines.push_back({from,
                               {{QStringLiteral("type"), QStringLiteral("gap")},
                                {QStringLiteral("lock"), nameOf(int(lock))},
                                {QStringLiteral("time_ms"), ms(from)},
                                {QStringLiteral("until_ms"), ms(to)}}});
    }

    void endLife(Worker &worker)
    {
        if (worker.releaseBegan && !worker.unanswered)
            worker.unanswered = Unanswered{"release", worker.releasing, *worker.releaseBegan, worker.lastAt};
        addEndOfWait(worker, "info", worker.lastAt);
        addUnanswered(worker);
        const int lives = worker.lives;
        const microseconds lastAt = worker.lastAt;
        worker = {};
        worker.lives = lives;
        worker.lastAt = lastAt;
    }

    void takeOfServer(const TraceEntry &entry)
    {
        if (entry.kind == Traced::ServerStopping && !m_losingSince)
            m_losingSince = entry.at;
        if (entry.kind == Traced::ServerBack) {
            addGap(m_losingSince.value_or(entry.at), entry.at);
            m_losingSince.reset();
        }
    }

    void take(Worker &worker, const TraceEntry &entry)
    {
        const QJsonObject lease{{QStringLiteral("lease_ms"), ms(entry.until - entry.since)}};
        switch (entry.kind) {
        case Traced::Entered:
            worker.fences[entry.lock] = entry.fence;
            m_highestFence[entry.lock] = std::max(m_highestFence[entry.lock], entry.fence);
            return; // of the referee, as the next ones
        case Traced::Left:
            return write(worker, entry);
        case Traced::DiedInside:
            return;
        case Traced::LifeBegan:
            ++worker.lives;
            break;
        case Traced::WaitBegan:
            worker.wanted = entry.lock;
            worker.waitBegan = entry.at;
            worker.queuedAt.reset();
            break;
        case Traced::Refused:
            addUnanswered(worker);
            worker.queuedAt = worker.queuedAt.value_or(entry.at);
            break;
        case Traced::Acquired:
        case Traced::MigratedLock:
            acquired(worker, entry, lease);
            break;
        case Traced::Reentered:
            worker.wanted.reset();
            addAnswered(worker, "acquire", entry, entry.since,
                        entry.until > entry.since ? lease : QJsonObject());
            break;
        case Traced::Renewed:
            addAnswered(worker, "extend", entry, entry.since, lease);
            break;
        case Traced::ReleaseBegan:
            worker.releaseBegan = entry.at;
            worker.releasing = entry.lock;
            break;
        case Traced::Unwound:
            addAnswered(worker, "release", entry, entry.since);
            break;
        case Traced::Released:
        case Traced::Published:
            addAnswered(worker, "release", entry, entry.since);
            worker.releaseBegan.reset();
            break;
        case Traced::NotHeld:
            addUnanswered(worker);
            worker.releaseBegan.reset();
            break;
        case Traced::NoReply:
            addUnanswered(worker);
            worker.unanswered = Unanswered{worker.wanted ? "acquire" : "release", entry.lock,
                                           worker.releaseBegan.value_or(worker.lastAt), entry.at};
            break;
        case Traced::Lost:
            worker.wanted.reset();
            break;
        case Traced::GaveUp:
        case Traced::TimedOut:
            addEndOfWait(worker, "fail", entry.at);
            break;
        case Traced::Died:
        case Traced::Finished:
            worker.lastAt = std::max(worker.lastAt, entry.at);
            endLife(worker);
            break;
        case Traced::NotTold:
            addGap(entry.since, entry.at);
            break;
        default:
            break;
        }
        worker.lastAt = std::max(worker.lastAt, entry.at);
    }

    void acquired(Worker &worker, const TraceEntry &entry, QJsonObject details)
    {
        worker.wanted.reset();
        if (const qint64 fence = worker.fences.value(entry.lock, -1); fence >= 0)
            details[QStringLiteral("token")] = fence;
        addAnswered(worker, "acquire", entry, hasQueue() ? worker.waitBegan : entry.since,
                    sinceQueued(worker, details));
    }

    /// The last write of a stay, to a store that knows the highest token which has entered.
    void write(Worker &worker, const TraceEntry &entry)
    {
        const qint64 fence = worker.fences.value(entry.lock, -1);
        QJsonObject details;
        if (fence >= 0)
            details[QStringLiteral("token")] = fence;
        const QString part = QStringLiteral(" writes");
        add(worker, "invoke", "write", entry.lock, entry.at, details, part);
        const bool isStale = fence >= 0 && fence < m_highestFence[entry.lock];
        add(worker, isStale ? "fail" : "ok", "write", entry.lock, entry.at, {}, part);
    }

    const Report &m_report;
    const int m_phase;
    std::vector<Worker> m_workers;
    QList<qint64> m_highestFence; ///< by lock
    std::vector<Line> m_lines;
    std::optional<microseconds> m_losingSince;
};

} // namespace

QByteArray operationLog(const Report &report, int phase)
{
    return OperationLog(report, phase).lines();
}

} // namespace lockscope
