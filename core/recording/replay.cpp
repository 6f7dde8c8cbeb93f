// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/recording/replay.h"

#include "core/base/disposal.h"
#include "core/base/match.h"

#include <algorithm>
#include <utility>

namespace lockscope {

namespace {

constexpr std::chrono::milliseconds playInterval{60};
/// Tolerance for the wall clock; beyond it this machine slept, or a clock was set.
constexpr std::chrono::milliseconds maxApart{1000};
/// A turn reports as many parts as fit, by the time of the previous one.
constexpr std::chrono::milliseconds toldInTurn{16};
constexpr std::chrono::milliseconds toldBeforeArrival{4};
constexpr qsizetype maxLooked = 50'000; // for those that are not there any more
/// Locks, changes and events per part: many, since tables sort once per part.
constexpr qsizetype maxInPart = 3'000;

/// The next part of a change after those reported: events, then locks.
LockDiff nextPartOf(const LockDiff &diff, qsizetype told)
{
    LockDiff part;
    qsizetype left = maxInPart;
    const auto take = [&](const auto &all, auto &some) {
        const qsizetype begin = std::min(told, all.size());
        some = all.mid(begin, left);
        told -= begin;
        left -= some.size();
    };
    take(diff.events, part.events);
    take(diff.changed, part.changed);
    take(diff.removed, part.removed);
    return part;
}

qsizetype sizeOf(const LockDiff &diff)
{
    return diff.events.size() + diff.changed.size() + diff.removed.size();
}

Error unknownLoss()
{
    return Error(
        ErrorKind::RecordingFailed,
        Phrase(QT_TRANSLATE_NOOP("phrases", "The connection was lost; the reason is not recorded.")));
}

ConnectionStatus statusOf(const WatchState &watching)
{
    ConnectionStatus status;
    status.state = watching.connection;
    status.server.name = watching.serverName;
    status.server.version = watching.serverVersion;
    status.server.mode = watching.serverMode;
    status.error = unknownLoss();
    return status;
}

PermissionStatus permissionsOf(const WatchState &watching)
{
    PermissionStatus status;
    status.unreadable = watching.unreadable;
    return status;
}

/// The slots of nodes were not recorded.
ClusterStatus nodesOf(const WatchState &watching)
{
    ClusterStatus cluster;
    if (watching.nodes.isEmpty())
        return cluster;
    cluster.isGroup = watching.serverMode != "cluster";
    if (!cluster.isGroup) {
        ClusterStatus::Keepers nobody;
        nobody.fill(-1);
        cluster.keepers = std::make_shared<const ClusterStatus::Keepers>(nobody);
    }
    for (const QByteArray &name : watching.nodes) {
        NodeStatus node;
        node.name = QString::fromUtf8(name);
        const bool isMissing = watching.missingNodes.contains(name);
        node.state = isMissing ? Link::State::Backoff : Link::State::Ready;
        node.error = unknownLoss();
        node.isDecided = node.isCurrent = true; // a lock's time stands still with all others' alone
        cluster.nodes.append(node);
    }
    if (!watching.missingNodes.isEmpty())
        cluster.unknownSlots =
            watching.unknownSlots ? watching.unknownSlots : std::make_shared<const SlotSet>(SlotSet().set());
    return cluster;
}

} // namespace

Replay::Replay(QString path, QObject *parent)
    : MonitorSource(parent), m_path(std::move(path)), m_reader(new ReplayReader(m_path))
{
    m_reader->moveToThread(&m_thread);
    connect(&m_thread, &QThread::finished, m_reader, &QObject::deleteLater);
    connect(m_reader, &ReplayReader::opened, this, [this](const ReplayOutline &outline) {
        m_outline = outline;
        m_wallMs = outline.wallFromMs;
        emit opened();
    });
    connect(m_reader, &ReplayReader::failed, this, &Replay::failed);
    connect(m_reader, &ReplayReader::reported, this, &Replay::take);
    m_next.setSingleShot(true);
    connect(&m_next, &QTimer::timeout, this, &Replay::tellPart);
    m_playing.setInterval(playInterval);
    connect(&m_playing, &QTimer::timeout, this, &Replay::advance);
    m_thread.setObjectName(QStringLiteral("replay"));
    m_thread.start();
}

Replay::~Replay()
{
    m_reader->setNewest(++m_wish);
    m_thread.quit();
    m_thread.wait();
}

void Replay::open()
{
    QMetaObject::invokeMethod(m_reader, &ReplayReader::open);
}

template <typename Wish>
void Replay::ask(Wish wish)
{
    m_reader->setNewest(++m_wish);
    m_isWaiting = true;
    drop();
    QMetaObject::invokeMethod(m_reader,
                              [reader = m_reader, number = m_wish, wish] { wish(*reader, number); });
}

void Replay::seek(milliseconds moment)
{
    ask([moment](ReplayReader &reader, quint64 number) { reader.seek(number, moment); });
}

void Replay::seekWall(qint64 wallMs)
{
    ask([wallMs](ReplayReader &reader, quint64 number) { reader.seekWall(number, wallMs); });
}

void Replay::seekEvent(bool isForward, const ListedEvents &listed)
{
    const bool isTold = !m_isWaiting;
    ask([from = m_moment, isForward, isTold, listed](ReplayReader &reader, quint64 number) {
        reader.seekEvent(number, from, isForward, isTold, listed);
    });
}

void Replay::seekKnown()
{
    ask([from = m_moment](ReplayReader &reader, quint64 number) { reader.seekKnown(number, from); });
}

void Replay::play(int speed)
{
    m_speed = speed;
    if (isPlaying())
        return;
    if (m_moment >= m_outline.length)
        seek(milliseconds(0));
    m_sincePlayed.start();
    m_playing.start();
    emit playingChanged(true);
}

void Replay::stop()
{
    if (!isPlaying())
        return;
    m_playing.stop();
    emit playingChanged(false);
}

void Replay::advance()
{
    if (m_isWaiting) { // time that passes meanwhile is not made up for: it would come in a leap
        m_sincePlayed.restart();
        return;
    }
    const milliseconds passed(m_sincePlayed.restart() * m_speed);
    ask([to = m_moment + passed](ReplayReader &reader, quint64 number) { reader.advance(number, to); });
}

/// Large stretches are destroyed on another thread.
void Replay::drop()
{
    m_next.stop();
    for (Stretch &stretch : m_stretches)
        disposeElsewhere(std::move(stretch));
    m_stretches.clear();
}

void Replay::take(const Stretch &stretch)
{
    if (stretch->wish != m_wish)
        return;
    m_stretches.push_back(stretch);
    if (m_stretches.size() > 1)
        return;
    m_progress = {};
    tellPart();
}

/// Reports until all is done or the turn of the event loop was long enough.
void Replay::tellPart()
{
    Stretch stretch = m_stretches.front(); // also where a listener asks for something else
    if (m_progress.stage != Progress::Stage::Untold) {
        m_at = m_progress.at;
        m_wallMs = m_progress.wallMs;
    }
    const TimePoint begin = Clock::now();
    Clock::duration passed{0}, part{0};
    bool hasMore = true;
    while (hasMore && stretch->wish == m_wish && passed + part < toldInTurn) {
        hasMore = tellNext(*stretch);
        const Clock::duration before = std::exchange(passed, Clock::now() - begin);
        part = passed - before;
    }
    // Listeners take a while for an arrival: it has a turn of its own where this one was long.
    if (stretch->wish == m_wish && (hasMore || passed > toldBeforeArrival)) {
        pause(*stretch);
        m_next.start(0);
        return emit partTold();
    }
    if (stretch->wish == m_wish)
        arrive(*stretch);
    disposeElsewhere(std::move(stretch));
}

/// False: all was reported.
bool Replay::tellNext(const ReplayStretch &stretch)
{
    using Stage = Progress::Stage;
    const bool isMoment = stretch.begin && !stretch.isLast;
    switch (m_progress.stage) {
    case Stage::Untold:
        m_isTellingPast = stretch.begin && stretch.isLast;
        m_progress.zero = stretch.at - stretch.to;
        m_progress.stage = stretch.begin ? Stage::Locks : Stage::Steps;
        if (stretch.begin)
            begin(stretch);
        return true;
    case Stage::Locks:
        if (m_progress.locks < stretch.begin->locks.size()) {
            tellLocks(stretch);
            return true;
        }
        m_progress.stage = isMoment ? Stage::Removed : Stage::Restored;
        m_progress.next = m_there.begin();
        return true;
    case Stage::Removed:
        if (!tellRemoved(stretch.wish))
            m_progress.stage = Stage::Restored;
        return true;
    case Stage::Restored:
        m_progress.stage = Stage::Steps;
        tellRestored(*stretch.begin);
        return true;
    case Stage::Steps:
        break;
    }
    return tellStep(stretch);
}

void Replay::begin(const ReplayStretch &stretch)
{
    const RecordedSnapshot &picture = *stretch.begin;
    m_at = picture.at;
    m_wallMs = picture.wallMs;
    m_confirmedAt = picture.confirmedAt;
    if (!m_isTellingPast) {
        m_moment = stretch.to;
        m_lack = stretch.lack;
        m_isEverKnown = stretch.isEverKnown;
        m_isPastTold = false;
        m_isHalfTold = true;
    }
    forget();
    emit rewound();
    tellAnew(picture.isRecorded ? picture.watching : WatchState());
    reportExistingState(picture.deadlocks);
}

void Replay::tellLocks(const ReplayStretch &stretch)
{
    LockDiff part;
    part.changed = stretch.begin->locks.mid(m_progress.locks, maxInPart);
    if (m_isTellingPast)
        part.events = stretch.found.mid(m_progress.locks, maxInPart);
    else
        for (const WatchedLock &lock : std::as_const(part.changed))
            m_there.insert(lock.key(), stretch.wish);
    m_progress.locks += part.changed.size();
    emit locksRestored(part);
}

/// Removes locks of another moment. False: no more.
bool Replay::tellRemoved(quint64 wish)
{
    LockDiff part;
    qsizetype seen = 0;
    auto &next = m_progress.next;
    for (; next != m_there.end() && seen < maxLooked && part.removed.size() < maxInPart; ++seen) {
        if (*next == wish) {
            ++next;
            continue;
        }
        part.removed.append(next.key());
        next = m_there.erase(next);
    }
    if (!part.isEmpty())
        emit locksRestored(part);
    return seen > 0;
}

void Replay::tellRestored(const RecordedSnapshot &picture)
{
    const bool isWhole = picture.isRecorded && picture.watching.isCurrentElsewhere();
    emit restored(isWhole);
    if (isWhole && m_confirmedAt)
        tell(DataConfirmed{*m_confirmedAt});
}

/// False: no more.
bool Replay::tellStep(const ReplayStretch &stretch)
{
    if (m_progress.step == stretch.steps.size())
        return false;
    const RecordingCursor::Step &step = stretch.steps[m_progress.step];
    const auto *entry = std::get_if<RecordedEntry>(&step);
    const auto *diff = entry ? std::get_if<LockDiff>(&entry->what) : nullptr;
    if (!diff || sizeOf(*diff) <= maxInPart) { // most are: nothing is copied
        ++m_progress.step;
        tellRecorded(step);
        return true;
    }
    m_at = entry->at;
    m_wallMs = entry->wallMs;
    const LockDiff part = nextPartOf(*diff, m_progress.within);
    m_progress.within += maxInPart;
    if (m_progress.within >= sizeOf(*diff)) {
        m_progress.within = 0;
        ++m_progress.step;
    }
    tellChange(part);
    return true;
}

void Replay::tellChange(const LockDiff &diff)
{
    if (!m_isTellingPast) {
        for (const WatchedLock &lock : diff.changed)
            m_there.insert(lock.key(), m_wish);
        for (const LockKey &key : diff.removed)
            m_there.remove(key);
    }
    tell(diff);
}

/// Until the next turn: the display is of the requested moment or, while playing, of the last report.
void Replay::pause(const ReplayStretch &stretch)
{
    m_progress.at = m_at;
    m_progress.wallMs = m_wallMs;
    if (stretch.begin) {
        m_at = stretch.at;
        m_wallMs = stretch.wallMs;
        return;
    }
    m_isHalfTold = m_progress.within > 0;
    m_moment = std::max(m_moment, stretch.to - std::chrono::ceil<milliseconds>(stretch.at - m_at));
}

void Replay::arrive(const ReplayStretch &stretch)
{
    m_at = stretch.at;
    m_wallMs = stretch.wallMs;
    m_moment = stretch.to;
    m_lack = stretch.lack;
    if (stretch.confirmedAt)
        m_confirmedAt = stretch.confirmedAt;
    m_isEverKnown = stretch.isEverKnown;
    m_isPastTold = stretch.isLast;
    m_isHalfTold = false;
    m_isWaiting = !stretch.isLast;
    m_stretches.pop_front(); // kept by whoever calls this
    m_progress = {};
    if (!m_stretches.empty())
        m_next.start(0);
    emit arrived();
    if (stretch.wish != m_wish)
        return;
    const milliseconds apart = std::chrono::duration_cast<milliseconds>(MonitorSource::now() - m_at) -
                               milliseconds(MonitorSource::wallNow() - m_wallMs);
    if (stretch.isLast && std::chrono::abs(apart) > maxApart)
        return seek(m_moment);
    if (isPlaying() && m_moment >= m_outline.length)
        stop();
}

void Replay::tellRecorded(const RecordingCursor::Step &step)
{
    if (const auto *gap = std::get_if<RecordingGap>(&step)) {
        m_at = m_progress.zero + gap->from;
        m_wallMs = gap->wallFromMs;
        emit gapTold(*gap);
        skipGap();
        tellWatching(WatchState()); // nothing is known of it until it is told
        return;
    }
    if (const auto *confirmation = std::get_if<RecordedConfirmation>(&step)) {
        m_confirmedAt = confirmation->at;
        tell(DataConfirmed{confirmation->at});
        return;
    }
    const auto &entry = std::get<RecordedEntry>(step);
    m_at = entry.at;
    m_wallMs = entry.wallMs;
    std::visit(Match{[this](const LockDiff &diff) { tellChange(diff); },
                     [this](const WatchState &watching) { tellWatching(watching); },
                     [this](const auto &other) { tell(other); }},
               entry.what);
}

void Replay::tellWatching(const WatchState &watching)
{
    const WatchState before = std::exchange(m_watching, watching);
    if (before.connection != watching.connection || before.serverVersion != watching.serverVersion)
        tell(statusOf(watching));
    if (before.feed.routes != watching.feed.routes || before.feed.incident != watching.feed.incident)
        tell(watching.feed);
    if (before.nodes != watching.nodes || before.missingNodes != watching.missingNodes ||
        !isSameSet(before.unknownSlots, watching.unknownSlots))
        tell(nodesOf(watching));
    if (before.unreadable != watching.unreadable)
        tell(permissionsOf(watching));
}

/// Reports everything, even if unchanged: earlier reports are of another time.
void Replay::tellAnew(const WatchState &watching)
{
    m_watching = watching;
    reportExistingState(statusOf(watching));
    reportExistingState(watching.feed);
    reportExistingState(nodesOf(watching));
    reportExistingState(permissionsOf(watching));
}

} // namespace lockscope
