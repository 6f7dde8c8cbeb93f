// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/recording/replay.h"

#include <utility>

namespace lockscope {

namespace {

constexpr std::chrono::milliseconds playInterval{60};
/// Moments are where the wall clock has them to that; beyond it this machine slept, or a clock was set.
constexpr std::chrono::milliseconds mostApart{1000};

Error unknownLoss()
{
    return Error(ErrorKind::RecordingFailed,
                 Phrase(QT_TRANSLATE_NOOP("phrases", "The connection was lost; why was not recorded.")));
}

/// Which node keeps which slot was not recorded.
ClusterStatus nodesOf(const Watching &watching)
{
    ClusterStatus cluster;
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
    : WatchSource(parent), m_path(std::move(path)), m_reader(new ReplayReader(m_path))
{
    m_reader->moveToThread(&m_thread);
    connect(&m_thread, &QThread::finished, m_reader, &QObject::deleteLater);
    connect(m_reader, &ReplayReader::opened, this, [this](const ReplayOutline &outline) {
        m_outline = outline;
        m_wallMs = outline.wallFromMs;
        emit opened();
    });
    connect(m_reader, &ReplayReader::failed, this, &Replay::failed);
    connect(m_reader, &ReplayReader::told, this, &Replay::take);
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

void Replay::seekEvent(bool isForward)
{
    ask([from = m_moment, isForward](ReplayReader &reader, quint64 number) {
        reader.seekEvent(number, from, isForward);
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

void Replay::take(const ReplayStretch &stretch)
{
    if (stretch.wish != m_wish)
        return;
    m_isTellingPast = stretch.begin && stretch.isLast;
    if (stretch.begin)
        begin(*stretch.begin, stretch.found);
    for (const RecordingCursor::Step &step : stretch.steps)
        tell(step);
    m_at = stretch.at;
    m_wallMs = stretch.wallMs;
    m_moment = stretch.to;
    m_lack = stretch.lack;
    if (stretch.confirmedAt)
        m_confirmedAt = stretch.confirmedAt;
    m_isEverKnown = stretch.isEverKnown;
    m_isPastTold = stretch.isLast;
    m_isWaiting = !stretch.isLast;
    emit arrived();
    if (stretch.wish != m_wish)
        return;
    const milliseconds apart = std::chrono::duration_cast<milliseconds>(WatchSource::now() - m_at) -
                               milliseconds(WatchSource::wallNow() - m_wallMs);
    if (stretch.isLast && std::chrono::abs(apart) > mostApart)
        return seek(m_moment);
    if (isPlaying() && m_moment >= m_outline.length)
        stop();
}

void Replay::begin(const RecordedPicture &picture, const QList<LockEvent> &found)
{
    m_at = picture.at;
    m_wallMs = picture.wallMs;
    m_confirmedAt = picture.confirmedAt;
    emit rewound();
    tellAnew(picture.isRecorded ? picture.watching : Watching());
    const bool isWhole = picture.isRecorded && picture.watching.isCurrentElsewhere();
    emit deadlocksChanged(picture.deadlocks);
    emit restored({.changed = picture.locks, .removed = {}, .events = found}, isWhole);
    if (isWhole && m_confirmedAt)
        emit confirmed(*m_confirmedAt);
}

void Replay::tell(const RecordingCursor::Step &step)
{
    if (const auto *gap = std::get_if<RecordingGap>(&step)) {
        m_wallMs = gap->wallFromMs;
        emit gapTold(*gap);
        tell(Watching()); // nothing is known of it until it is told
        return;
    }
    if (const auto *confirmation = std::get_if<RecordedConfirmation>(&step)) {
        m_confirmedAt = confirmation->at;
        emit confirmed(confirmation->at);
        return;
    }
    const auto &entry = std::get<RecordedEntry>(step);
    m_at = entry.at;
    m_wallMs = entry.wallMs;
    if (const auto *diff = std::get_if<LockDiff>(&entry.what))
        emit changed(*diff);
    else if (const auto *watching = std::get_if<Watching>(&entry.what))
        tell(*watching);
    else if (const auto *deadlocks = std::get_if<QList<Deadlock>>(&entry.what))
        emit deadlocksChanged(*deadlocks);
    else if (const auto *reset = std::get_if<ServerReset>(&entry.what))
        emit serverReset(*reset);
    else if (const auto *scan = std::get_if<ScanStats>(&entry.what))
        emit scanFinished(*scan);
}

void Replay::tell(const Watching &watching)
{
    const Watching before = std::exchange(m_watching, watching);
    if (before.connection != watching.connection || before.serverVersion != watching.serverVersion)
        tellStatus();
    if (before.feed.routes != watching.feed.routes || before.feed.incident != watching.feed.incident)
        emit feedChanged(watching.feed);
    if (before.nodes != watching.nodes || before.missingNodes != watching.missingNodes ||
        !isSameSet(before.unknownSlots, watching.unknownSlots))
        tellNodes();
    if (before.unreadable != watching.unreadable)
        tellPermissions();
}

/// All of it, also where nothing was said: what was told before is of another time.
void Replay::tellAnew(const Watching &watching)
{
    m_watching = watching;
    tellStatus();
    emit feedChanged(m_watching.feed);
    tellNodes();
    tellPermissions();
}

void Replay::tellStatus()
{
    ConnectionStatus status;
    status.state = m_watching.connection;
    status.server.name = m_watching.serverName;
    status.server.version = m_watching.serverVersion;
    status.server.mode = m_watching.serverMode;
    status.error = unknownLoss();
    emit statusChanged(status);
}

void Replay::tellNodes()
{
    emit clusterChanged(m_watching.nodes.isEmpty() ? ClusterStatus() : nodesOf(m_watching));
}

void Replay::tellPermissions()
{
    PermissionStatus status;
    status.unreadable = m_watching.unreadable;
    emit permissionsChanged(status);
}

} // namespace lockscope
