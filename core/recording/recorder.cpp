// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/recording/recorder.h"

#include "core/monitor/heldchanges.h"

#include <QDateTime>
#include <QThread>
#include <QTimer>

#include <atomic>
#include <utility>

namespace lockscope {

namespace {

/// So much is lost at most when the process is killed.
constexpr std::chrono::milliseconds flushEvery{750};
/// Changes and events that wait for the writer at most: some hundred MB.
constexpr qint64 mostWaiting = 300'000;
constexpr std::chrono::milliseconds letGoEvery{50};

qint64 wallNow()
{
    return QDateTime::currentMSecsSinceEpoch();
}

qint64 weightOf(const LockDiff &diff)
{
    return 1 + diff.changed.size() + diff.removed.size() + diff.events.size();
}

/// On the writer's thread.
class RecordingDesk : public QObject
{
public:
    RecordingDesk(std::unique_ptr<RecordingWriter> writer,
                  std::function<void(bool isFailing, const Error &why)> tellState)
        : m_writer(std::move(writer)),
          m_tellState(std::move(tellState)),
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
    void takeGap(qint64 lost) { m_writer->addGap(GapCause::Overrun, lost, Clock::now(), wallNow()); }
    void setConfirmed(TimePoint at) { m_writer->setConfirmed(at); }
    void flush()
    {
        m_writer->flush(Clock::now(), wallNow());
        if (std::exchange(m_wasFailing, m_writer->isFailing()) != m_writer->isFailing() && m_tellState)
            m_tellState(m_writer->isFailing(), m_writer->failure());
    }
    RecordingTotals end()
    {
        m_timer.stop();
        m_tellState = {};
        flush();
        return m_writer->totals();
    }

    std::atomic<qint64> waiting{0}; ///< added to by the other thread

private:
    std::unique_ptr<RecordingWriter> m_writer;
    std::function<void(bool isFailing, const Error &why)> m_tellState;
    QTimer m_timer;
    bool m_wasFailing = false;
};

} // namespace

class Recorder::Private
{
public:
    QThread thread;
    std::unique_ptr<RecordingDesk> desk; ///< on the thread while that runs
    HeldChanges held{0};                 ///< while too much waits: what becomes of the locks meanwhile
    bool isHolding = false;
    QTimer letGo;
    Watching watching;
    RecordingTotals totals;
};

Result<std::unique_ptr<Recorder>> Recorder::begin(Session &session, const QString &path,
                                                  const RecordingOptions &options)
{
    auto writer = RecordingWriter::begin(path, options, Clock::now(), wallNow());
    if (!writer)
        return tl::unexpected(writer.error());
    return std::unique_ptr<Recorder>(
        new Recorder(session, std::move(*writer))); // NOLINT: its constructor is private
}

Recorder::Recorder(Session &session, std::unique_ptr<RecordingWriter> writer) : d(std::make_unique<Private>())
{
    d->desk = std::make_unique<RecordingDesk>(std::move(writer), [this](bool isFailing, const Error &why) {
        // From its thread to ours.
        QMetaObject::invokeMethod(this, [this, isFailing, why] {
            if (isFailing)
                emit failed(why);
            else
                emit resumed();
        });
    });
    d->letGo.setInterval(letGoEvery);
    d->letGo.callOnTimeout(this, &Recorder::letGo);
    d->desk->moveToThread(&d->thread);
    d->thread.setObjectName(QStringLiteral("recorder"));
    d->thread.start();
    QMetaObject::invokeMethod(d->desk.get(), [desk = d->desk.get()] { desk->begin(); });
    watch(session);
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

void Recorder::watch(Session &session)
{
    connect(&session, &Session::changed, this, [this](const LockDiff &diff) { tell(diff); });
    connect(&session, &Session::deadlocksChanged, this,
            [this](const QList<Deadlock> &deadlocks) { tell(deadlocks); });
    connect(&session, &Session::serverReset, this, [this](const ServerReset &reset) { tell(reset); });
    connect(&session, &Session::confirmed, this, &Recorder::setConfirmed);
    connect(&session, &Session::statusChanged, this, [this](const ConnectionStatus &status) {
        d->watching.connection = status.state;
        d->watching.isRead = d->watching.isRead && status.state == Link::State::Ready;
        d->watching.serverName = status.server.name;
        d->watching.serverVersion = status.server.version;
        d->watching.serverMode = status.server.mode;
        tellWatching();
    });
    connect(&session, &Session::feedChanged, this, [this](const FeedStatus &status) {
        d->watching.feed.routes = status.routes;
        if (status.incident && status.incident != d->watching.feed.incident)
            d->watching.isRead = false; // until the scan that follows
        d->watching.feed.incident = status.incident;
        tellWatching();
    });
    connect(&session, &Session::permissionsChanged, this, [this](const PermissionStatus &status) {
        d->watching.unreadable = status.unreadable;
        tellWatching();
    });
    connect(&session, &Session::clusterChanged, this, [this](const ClusterStatus &status) {
        const Watching before = d->watching;
        d->watching.nodes.clear();
        d->watching.missingNodes.clear();
        for (const NodeStatus &node : status.hasSeveral() ? status.nodes : QList<NodeStatus>()) {
            d->watching.nodes.append(node.name.toUtf8());
            if (!node.isReady() || !node.isCurrent)
                d->watching.missingNodes.append(node.name.toUtf8());
        }
        if (d->watching.nodes != before.nodes || d->watching.missingNodes != before.missingNodes)
            tellWatching();
    });
    connect(&session, &Session::scanFinished, this, [this](const ScanStats &stats) {
        tell(stats);
        if (stats.complete && d->watching.connection == Link::State::Ready &&
            !std::exchange(d->watching.isRead, true))
            tellWatching();
    });
}

/// While changes are held, what was recorded last is not known to be so any more.
void Recorder::tellWatching()
{
    Watching watching = d->watching;
    watching.isRead = watching.isRead && !d->isHolding;
    tell(watching);
}

void Recorder::setConfirmed(TimePoint at)
{
    if (d->desk)
        QMetaObject::invokeMethod(d->desk.get(), [desk = d->desk.get(), at] { desk->setConfirmed(at); });
}

void Recorder::tell(const Recordable &what)
{
    if (!d->desk)
        return;
    const auto *diff = std::get_if<LockDiff>(&what);
    if (diff) {
        if (!d->isHolding && d->desk->waiting > mostWaiting) {
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

/// What was held goes on, once the writer has caught up.
void Recorder::letGo()
{
    if (!d->isHolding || d->desk->waiting > mostWaiting / 4)
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
