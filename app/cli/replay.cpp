// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/verbs.h"

#include "app/cli/blame.h"
#include "app/cli/eventlines.h"
#include "app/cli/json.h"
#include "app/cli/locktable.h"
#include "app/cli/order.h"
#include "app/cli/resultwriter.h"
#include "app/cli/sweep.h"
#include "app/words.h"
#include "core/base/enumnames.h"
#include "core/base/glob.h"
#include "core/base/printable.h"
#include "core/family/certainty.h"
#include "core/recording/recording.h"
#include "core/words/messages.h"
#include "core/words/phrases.h"
#include "core/words/recordingmessages.h"
#include "core/words/texts.h"

#include <QFile>
#include <QLocale>

#include <algorithm>
#include <utility>

namespace lockscope {

namespace {

constexpr qsizetype replayedAtOnce = 1 << 16;
constexpr size_t maxClockSteps = 20; // that are told one by one

constexpr EnumNames causeName{Named<GapCause>{GapCause::None, "damaged"},
                              Named<GapCause>{GapCause::NotRunning, "not-recorded"},
                              Named<GapCause>{GapCause::Overrun, "overrun"},
                              Named<GapCause>{GapCause::WriteFailed, "write-failed"},
                              Named<GapCause>{GapCause::NotWatched, "not-watched"},
                              Named<GapCause>{GapCause::Damaged, "damaged"}};

QJsonObject toJson(const RecordingGap &gap)
{
    QJsonObject object{{QStringLiteral("from"), gap.wallFromMs},
                       {QStringLiteral("until"), gap.wallToMs},
                       {QStringLiteral("length_ms"), qint64((gap.to - gap.from).count())},
                       {QStringLiteral("cause"), QString::fromLatin1(causeName(gap.cause))}};
    if (gap.lost > 0)
        object[QStringLiteral("lost")] = gap.lost;
    return object;
}

/// Returns epoch ms; for a time of day, its last occurrence in the recording.
qint64 wallOf(const Recording &recording, const GivenTime &given)
{
    return given.wallMs ? *given.wallMs : lastAtTimeOfDay(given.timeOfDay, recording.latestWallMs());
}

milliseconds momentIn(const Recording &recording, const GivenTime &given)
{
    return recording.momentOf(wallOf(recording, given));
}

bool contains(const Recording &recording, const GivenTime &given)
{
    const qint64 wallMs = wallOf(recording, given);
    return wallMs + given.lengthMs > recording.earliestWallMs() && wallMs <= recording.latestWallMs();
}

class ReplayPrinter
{
public:
    ReplayPrinter(const Options &options, const Recording &recording)
        : m_options(options), m_recording(recording)
    {
    }

    ExitStatus printInfo() const
    {
        const QList<RecordingGap> gaps = m_recording.gaps();
        const std::vector<WallStep> steps = m_recording.wallSteps(maxClockSteps + 1);
        if (m_options.json) {
            QJsonArray list;
            for (const RecordingGap &gap : gaps)
                list.append(toJson(gap));
            return deliver(jsonLine({{QStringLiteral("from"), m_recording.earliestWallMs()},
                                     {QStringLiteral("until"), m_recording.latestWallMs()},
                                     {QStringLiteral("length_ms"), qint64(m_recording.length().count())},
                                     {QStringLiteral("events"), m_recording.events()},
                                     {QStringLiteral("files"), m_recording.files()},
                                     {QStringLiteral("bytes"), m_recording.bytes()},
                                     {QStringLiteral("anonymous"), m_recording.isAnonymous()},
                                     {QStringLiteral("gaps"), list}}),
                           ExitStatus::Done);
        }
        QString text =
            Words::tr("From %1 to %2 (%3); events: %4; files: %5 (%6)")
                .arg(timeText(m_recording.earliestWallMs()), timeText(m_recording.latestWallMs()),
                     describe(m_recording.length()), grouped(m_recording.events()),
                     grouped(m_recording.files()), QLocale::c().formattedDataSize(m_recording.bytes())) +
            u'\n';
        if (m_recording.isAnonymous())
            text += Words::tr("Anonymous: keys, owners and hosts are hashes.") + u'\n';
        for (size_t i = 1; i < steps.size(); ++i) {
            const WallStep &before = steps[i - 1];
            text += Words::tr("Clock set from %1 to %2.")
                        .arg(timeText(before.wallMs + (steps[i].moment - before.moment).count()),
                             timeText(steps[i].wallMs)) +
                    u'\n';
        }
        text += gaps.isEmpty() ? Words::tr("Gaps: none") + u'\n' : Words::tr("Gaps:") + u'\n';
        for (const RecordingGap &gap : gaps)
            text += QStringLiteral("  %1  %2  %3\n")
                        .arg(timeText(gap.wallFromMs), describe(gap.to - gap.from), describe(gap));
        return deliver(text.toUtf8(), ExitStatus::Done);
    }

    ExitStatus printPicture(milliseconds moment) const
    {
        const RecordedSnapshot picture = m_recording.pictureAt(moment, Clock::now());
        QList<WatchedLock> locks = picture.locks;
        locks.removeIf([this](const WatchedLock &watched) {
            return !isWanted(watched.key()) || (isHidden(watched.lock) && !m_options.all);
        });
        std::ranges::sort(locks, {}, &WatchedLock::key);
        const bool isWhole = picture.isRecorded && picture.watching.isCurrent();
        if (!picture.isRecorded)
            console::printError(
                Words::tr("not recorded at %1: showing the last known locks").arg(timeText(picture.wallMs)));
        else if (!isWhole)
            console::printError(
                Words::tr("incomplete at %1: not all locks were read").arg(timeText(picture.wallMs)));
        const ExitStatus status = isWhole ? ExitStatus::Done : ExitStatus::Unavailable;
        if (m_options.json)
            return deliver(pictureJson(picture, locks), status);
        const bool isGroup =
            std::ranges::any_of(locks, [](const WatchedLock &lock) { return bool(lock.lock.quorum); });
        const bool haveWaiters = std::ranges::any_of(
            locks, [](const WatchedLock &lock) { return lock.lock.companions->waiters.count > 0; });
        Table table = emptyLockTable(isGroup, haveWaiters);
        for (const WatchedLock &lock : locks)
            table.add(lockRow(lock, picture.at, haveWaiters), bool(lock.problems()));
        fitToTerminal(table);
        ResultWriter out;
        if (!locks.isEmpty())
            out.add(table.text(console::hasColor()).toUtf8());
        out.addSummary(Texts::tr("%1 at %2").arg(locksInWords(locks.size()), timeText(picture.wallMs)) +
                       u'\n');
        return out.end(status);
    }

    ExitStatus printEvents(milliseconds from, milliseconds to)
    {
        constexpr milliseconds latest(2'000); // an event may be told some time after it happened
        const TimePoint as{};
        m_from = from > milliseconds(0)
                     ? as
                     : TimePoint::min(); // what happened just before the begin is told, too
        m_to = as + (to - from);
        if (from > milliseconds(0))
            begin(m_recording.pictureAt(from - milliseconds(1), as));
        RecordingCursor cursor(m_recording, from, as);
        for (bool isMore = true; isMore;) {
            const auto step = cursor.next();
            isMore = step.has_value();
            if (const auto *entry = step ? std::get_if<RecordedEntry>(&*step) : nullptr) {
                isMore = entry->at <= m_to + latest;
                if (isMore)
                    add(*entry);
            } else if (const auto *gap = step ? std::get_if<RecordingGap>(&*step) : nullptr) {
                isMore = gap->from <= to;
                if (isMore)
                    add(*gap);
            }
            if (m_lines.size() < replayedAtOnce && isMore)
                continue;
            const console::WriteResult written = console::out(std::exchange(m_lines, {}));
            if (written.how != console::WriteResult::All)
                return exitStatusOf(written, ExitStatus::Done);
        }
        return exitStatusOf(console::settle(), ExitStatus::Done);
    }

private:
    bool isWanted(const LockKey &key) const
    {
        return m_options.patterns.isEmpty() || globMatchesAny(m_options.patterns, key.bytes);
    }

    QByteArray pictureJson(const RecordedSnapshot &picture, const QList<WatchedLock> &locks) const
    {
        QJsonArray array;
        for (const WatchedLock &lock : locks)
            array.append(lockJson(lock, picture.at, picture.wallMs));
        const WatchState &watching = picture.watching;
        ServerInfo server;
        server.name = watching.serverName;
        server.version = watching.serverVersion;
        server.mode = watching.serverMode;
        return jsonLine({{QStringLiteral("at"), picture.wallMs},
                         {QStringLiteral("complete"), picture.isRecorded && watching.isCurrent()},
                         {QStringLiteral("server"), toJson(server, false, {})},
                         {QStringLiteral("unreadable"), watching.unreadable},
                         {QStringLiteral("deadlocks"), picture.deadlocks.size()},
                         {QStringLiteral("locks"), array}});
    }

    void add(const RecordingGap &gap)
    {
        addMoment("gap", toJson(gap), Words::tr("%1, for %2").arg(describe(gap), describe(gap.to - gap.from)),
                  gap.wallFromMs);
    }

    void add(const RecordedEntry &entry)
    {
        if (const auto *diff = std::get_if<LockDiff>(&entry.what)) {
            for (const LockEvent &event : diff->events) {
                if (isWanted(event.address.key) && event.at >= m_from && event.at <= m_to)
                    m_lines += eventLine(event, m_options.json, Dates::Yes);
            }
        } else if (entry.at > m_to) {
            return;
        } else if (const auto *watching = std::get_if<WatchState>(&entry.what)) {
            addChange(*watching, entry.wallMs);
        } else if (const auto *deadlocks = std::get_if<QList<Deadlock>>(&entry.what)) {
            addDeadlocks(*deadlocks, entry.wallMs);
        } else if (const auto *reset = std::get_if<ServerReset>(&entry.what)) {
            const TextEvent moment = momentOf(*reset);
            addMoment(moment.event, moment.details, moment.text, entry.wallMs);
        }
    }

    /// Sets the initial state; later data is printed as a change of it.
    void begin(const RecordedSnapshot &picture)
    {
        m_watching = picture.watching;
        m_deadlocks = picture.deadlocks;
    }

    void addNodes(const WatchState &before, const WatchState &watching, qint64 wallMs)
    {
        const auto tell = [&](const char *event, const QByteArray &node, const QString &text) {
            addMoment(event, {{QStringLiteral("node"), QString::fromUtf8(node)}}, text, wallMs);
        };
        for (const QByteArray &node : watching.missingNodes) {
            if (!before.missingNodes.contains(node))
                tell("node-lost", node, Words::tr("%1: locks unknown from here on").arg(printable(node)));
        }
        for (const QByteArray &node : before.missingNodes) {
            if (watching.missingNodes.contains(node))
                continue;
            if (watching.nodes.contains(node))
                tell("node-ready", node, Words::tr("%1: locks known again").arg(printable(node)));
            else
                tell("node-left", node, Words::tr("%1: no locks any more").arg(printable(node)));
        }
    }

    void addChange(const WatchState &watching, qint64 wallMs)
    {
        const std::optional<WatchState> before = std::exchange(m_watching, watching);
        const bool wasReady = before && before->connection == Link::State::Ready;
        const bool isReady = watching.connection == Link::State::Ready;
        if (wasReady && !isReady)
            addMoment("disconnected", {}, Words::tr("locks unknown from here on"), wallMs);
        else if (before && !wasReady && isReady)
            addMoment("reconnected", {}, Words::tr("reading all locks again"), wallMs);
        addNodes(before.value_or(WatchState()), watching, wallMs);
        if (!watching.feed.routes.isEmpty() && (!before || before->feed.routes != watching.feed.routes))
            addMoment("feed", feedDetails(watching.feed),
                      feedInWords(watching.feed, MonitorOptions().scanInterval), wallMs);
    }

    void addDeadlocks(const QList<Deadlock> &deadlocks, qint64 wallMs)
    {
        const QList<Deadlock> before = std::exchange(m_deadlocks, deadlocks);
        const auto tell = [&](const char *event, const Deadlock &deadlock) {
            QByteArrayList keys;
            QStringList names;
            bool wanted = false;
            for (const WaitEdge &edge : deadlock.cycle) {
                keys.append(edge.lock.bytes);
                names.append(printable(edge.lock.bytes));
                wanted = wanted || isWanted(edge.lock);
            }
            QJsonObject details;
            insertBytes(details, QStringLiteral("locks"), keys);
            if (wanted)
                addMoment(event, details, names.join(QStringLiteral(", ")), wallMs);
        };
        const QList<Deadlock> fresh = notIn(deadlocks, before);
        for (const Deadlock &deadlock : fresh)
            tell("deadlock", deadlock);
        const QList<Deadlock> ended = notIn(before, deadlocks);
        for (const Deadlock &deadlock : ended)
            tell("deadlock-ended", deadlock);
    }

    void addMoment(const char *event, const QJsonObject &details, const QString &text, qint64 wallMs)
    {
        m_lines += momentLine({event, details, text}, wallMs, m_options.json, Dates::Yes);
    }

    const Options &m_options;
    const Recording &m_recording;
    QByteArray m_lines;
    TimePoint m_from; ///< of the events to print
    TimePoint m_to;
    std::optional<WatchState> m_watching;
    QList<Deadlock> m_deadlocks;
};

ExitStatus refuse(const Options &options, const QString &why)
{
    return deliverNone(options, ExitStatus::WrongUsage, why);
}

} // namespace

ExitStatus replay(const Options &options)
{
    const RecordingRequest &request = options.recording;
    Result<Recording> recording = Recording::open(QFile::decodeName(request.file));
    if (!recording)
        return deliverNone(options, ExitStatus::Unavailable, inWords(recording.error()));
    if (request.at && !contains(*recording, *request.at)) // a range may begin before, and end after
        return refuse(options, Words::tr("Nothing recorded then. The recording is from %1 to %2.")
                                   .arg(timeText(recording->beginsAtMs()), timeText(recording->endsAtMs())));
    ReplayPrinter replay(options, *recording);
    if (request.showsInfo) {
        recording->check();
        return replay.printInfo();
    }
    if (request.at) {
        const milliseconds moment = momentIn(*recording, *request.at);
        const qint64 wallMs = wallOf(*recording, *request.at);
        if (wallMs >= recording->earliestWallMs())
            return replay.printPicture(moment);
        // The minute began before the recording: its first lock, if that is in it.
        const auto first = recording->firstLock(moment);
        const qint64 left = wallMs + request.at->lengthMs - 1 - recording->earliestWallMs();
        return replay.printPicture(first && first->count() <= left ? *first : moment);
    }
    const milliseconds from = request.from ? momentIn(*recording, *request.from) : milliseconds(0);
    const milliseconds to = request.to ? momentIn(*recording, *request.to) : recording->length();
    const bool isBefore = request.to && wallOf(*recording, *request.to) < recording->earliestWallMs();
    const bool isAfter = request.from && wallOf(*recording, *request.from) > recording->latestWallMs();
    if (to < from || isBefore || isAfter)
        return refuse(options, Words::tr("Nothing recorded then. The recording is from %1 to %2.")
                                   .arg(timeText(recording->beginsAtMs()), timeText(recording->endsAtMs())));
    if (request.showsOrder)
        return printOrders(options, *recording, from, to);
    return request.showsBlame ? printBlame(options, *recording, from, to) : replay.printEvents(from, to);
}

} // namespace lockscope
