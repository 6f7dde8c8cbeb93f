// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/recording/recorder.h"

#include "core/base/match.h"
#include "core/watch/pausedchanges.h"

#include <QDateTime>
#include <QThread>
#include <QTimer>

#include <atomic>
#include <utility>

namespace lockscope {

namespace {

/// The maximum loss if the process is killed.
constexpr std::chrono::milliseconds flushEvery{750};
/// Limit of waiting changes and events: some hundred MB.
constexpr qint64 maxWaiting = 300'000;
constexpr std::chrono::milliseconds letGoEvery{50};

qint64 wallNow()
{
    return QDateTime::currentMSecsSinceEpoch();
}

qint64 weightOf(const LockDiff &diff)
{
    return 1 + diff.changed.size() + diff.removed.size() + diff.events.size();
}

/// Lives on the writer's thread.
class RecordingDesk : public QObject
{
public:
    RecordingDesk(std::unique_ptr<RecordingWriter> writer,
                  std::function<void(bool isFailing, const Error &why)> tellState,
                  std::function<void(const RecordingTotals &totals)> tellTotals)
        : m_writer(std::move(writer)),
          m_tellState(std::move(tellState)),
          m_tellTotals(std::move(tellTotals)),
          m_timer(this) // so that it moves with it
    {
        m_timer.setInterval(flushEvery);
        m_timer.callOnTimeout(this, &RecordingDesk::flush);
    }
    void begin() { m_timer.start(); }
    void take(const RecordedEntry &entry, qint64 weight)
    {
        m_writer->add(entry);
        waiting -= weight;
        if (m_writer->isLong())
            flush();
    }
    void takeKnown(const RecordedSnapshot &known, qint64 weight)
    {
        m_writer->setKnown(known, Clock::now(), wallNow());
        waiting -= weight;
    }
    void takeGap(qint64 lost) { m_writer->addGap(GapCause::Overrun, lost, Clock::now(), wallNow()); }
    void setConfirmed(TimePoint at) { m_writer->setConfirmed(at); }
    void flush()
    {
        m_writer->flush(Clock::now(), wallNow());
        if (std::exchange(m_wasFailing, m_writer->isFailing()) != m_writer->isFailing() && m_tellState)
            m_tellState(m_writer->isFailing(), m_writer->failure());
        if (m_tellTotals)
            m_tellTotals(m_writer->totals());
    }
    RecordingTotals end()
    {
        m_timer.stop();
        m_tellState = {};
        m_tellTotals = {};
        flush();
        return m_writer->totals();
    }

    std::atomic<qint64> waiting{0}; ///< incremented by the other thread

private:
    std::unique_ptr<RecordingWriter> m_writer;
    std::function<void(bool isFailing, const Error &why)> m_tellState;
    std::function<void(const RecordingTotals &totals)> m_tellTotals;
    QTimer m_timer;
    bool m_wasFailing = false;
};

} // namespace

class Recorder::Private
{
public:
    explicit Private(const MonitorSource &watch) : source(watch), watching(watchingOf(watch.watched())) {}

    const MonitorSource &source;
    WatchState watching; ///< last recorded, except for isRead while changes are held
    QThread thread;
    std::unique_ptr<RecordingDesk> desk; ///< on the thread while it runs
    PausedChanges held{0};               ///< changes of locks while too many wait
    bool isHolding = false;
    bool isEnding = false; ///< later reports are too late
    QTimer letGo;
    RecordingTotals totals;
};

Result<std::unique_ptr<Recorder>> Recorder::begin(const MonitorSource &source, const QString &path,
                                                  const RecordingOptions &options,
                                                  const RecordedSnapshot *known)
{
    auto writer = RecordingWriter::begin(path, options, Clock::now(), wallNow());
    if (!writer)
        return tl::unexpected(writer.error());
    return std::make_unique<Recorder>(source, std::move(*writer), known);
}

Recorder::Recorder(const MonitorSource &source, std::unique_ptr<RecordingWriter> writer,
                   const RecordedSnapshot *known)
    : d(std::make_unique<Private>(source))
{
    // From its thread to ours.
    const auto tellState = [this](bool isFailing, const Error &why) {
        QMetaObject::invokeMethod(this, [this, isFailing, why] {
            if (isFailing)
                emit failed(why);
            else
                emit resumed();
        });
    };
    const auto tellTotals = [this](const RecordingTotals &totals) {
        QMetaObject::invokeMethod(this, [this, totals] { emit progressed(totals); });
    };
    d->desk = std::make_unique<RecordingDesk>(std::move(writer), tellState, tellTotals);
    d->letGo.setInterval(letGoEvery);
    d->letGo.callOnTimeout(this, &Recorder::letGo);
    d->desk->moveToThread(&d->thread);
    d->thread.setObjectName(QStringLiteral("recorder"));
    d->thread.start();
    QMetaObject::invokeMethod(d->desk.get(), [desk = d->desk.get()] { desk->begin(); });
    connect(&source, &MonitorSource::reported, this, &Recorder::take);
    if (known)
        begin(*known);
}

void Recorder::begin(const RecordedSnapshot &known)
{
    const qint64 weight = 1 + known.locks.size();
    d->desk->waiting += weight;
    QMetaObject::invokeMethod(d->desk.get(),
                              [desk = d->desk.get(), known, weight] { desk->takeKnown(known, weight); });
}

Recorder::~Recorder()
{
    finish();
}

RecordingTotals Recorder::finish()
{
    if (!d->desk)
        return d->totals;
    if (d->isHolding) // what waits is less than what can be written now
        QMetaObject::invokeMethod(
            d->desk.get(), [] {}, Qt::BlockingQueuedConnection);
    letGo();
    QMetaObject::invokeMethod(
        d->desk.get(), [this] { d->totals = d->desk->end(); }, Qt::BlockingQueuedConnection);
    d->thread.quit();
    d->thread.wait();
    d->desk.reset();
    d->letGo.stop();
    return d->totals;
}

void Recorder::end()
{
    if (!d->desk || std::exchange(d->isEnding, true))
        return;
    RecordingDesk *desk = d->desk.get();
    // What waits is less, when the first of these has run, than can be written then.
    QMetaObject::invokeMethod(desk, [this, desk] {
        QMetaObject::invokeMethod(this, [this, desk] {
            letGo();
            QMetaObject::invokeMethod(desk, [this, desk] {
                const RecordingTotals totals = desk->end();
                QMetaObject::invokeMethod(this, [this, totals] { emit ended(totals); });
            });
        });
    });
}

void Recorder::take(const MonitorReport &event)
{
    std::visit(Match{[this](const LockDiff &diff) { tell(diff); },
                     [this](const QList<Deadlock> &deadlocks) { tell(deadlocks); },
                     [this](const ServerReset &reset) { tell(reset); },
                     [this](const DataConfirmed &confirmed) { setConfirmed(confirmed.at); },
                     [this](const ScanStats &stats) {
                         if (stats.complete)
                             tell(stats);
                     },
                     [](const auto &) {}},
               event);
    const bool isOfLocks =
        std::holds_alternative<LockDiff>(event) || std::holds_alternative<DataConfirmed>(event);
    if (isOfLocks) // nothing else changes by them
        return;
    if (const WatchState watching = watchingOf(d->source.watched()); watching != d->watching) {
        d->watching = watching;
        tellWatching();
    }
}

/// While changes are held, the last recorded state may be outdated.
void Recorder::tellWatching()
{
    WatchState watching = d->watching;
    watching.isRead = watching.isRead && !d->isHolding;
    tell(watching);
}

/// While changes are held, the last recorded state is not confirmed.
void Recorder::setConfirmed(TimePoint at)
{
    if (d->desk && !d->isEnding && !d->isHolding)
        QMetaObject::invokeMethod(d->desk.get(), [desk = d->desk.get(), at] { desk->setConfirmed(at); });
}

void Recorder::tell(const Recordable &what)
{
    if (!d->desk || d->isEnding)
        return;
    const auto *diff = std::get_if<LockDiff>(&what);
    if (diff) {
        if (!d->isHolding && d->desk->waiting > maxWaiting) {
            d->isHolding = true;
            tellWatching();
            d->letGo.start();
        }
        if (d->isHolding)
            return d->held.add(*diff, [](const LockKey &) { return true; });
    }
    send({Clock::now(), wallNow(), what}, diff ? weightOf(*diff) : 1);
}

void Recorder::send(const RecordedEntry &entry, qint64 weight)
{
    d->desk->waiting += weight;
    QMetaObject::invokeMethod(d->desk.get(),
                              [desk = d->desk.get(), entry, weight] { desk->take(entry, weight); });
}

/// Continues with held changes once the writer has caught up.
void Recorder::letGo()
{
    if (!d->isHolding || d->desk->waiting > maxWaiting / 4)
        return;
    d->isHolding = false;
    d->letGo.stop();
    const LockDiff diff = d->held.take();
    const qint64 lost = d->held.takeLost();
    send({Clock::now(), wallNow(), diff}, weightOf(diff));
    QMetaObject::invokeMethod(d->desk.get(), [desk = d->desk.get(), lost] { desk->takeGap(lost); });
    tellWatching();
}

} // namespace lockscope
