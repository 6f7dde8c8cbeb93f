// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/optiontable.h"
#include "app/words.h"

#include <QDateTime>

namespace lockscope {

namespace {

constexpr qint64 megabyte = 1'000'000;
constexpr unsigned replay = scopeOf(Verb::Replay);

/// Parses "03:12", "2026-11-24T03:12:00Z" or "1790000000": seconds, or ms with 13 digits.
std::optional<GivenTime> givenTime(const QByteArray &value)
{
    GivenTime given;
    if (const auto number = wholeNumber(value, 0, 9'999'999'999'999)) {
        given.wallMs = value.size() < 12 ? *number * 1000 : *number;
        return given;
    }
    const QString text = QString::fromLatin1(value);
    for (const char *format : {"HH:mm", "HH:mm:ss", "HH:mm:ss.zzz"}) {
        given.timeOfDay = QTime::fromString(text, QLatin1String(format));
        if (given.timeOfDay.isValid())
            return given;
    }
    const QDateTime moment = QDateTime::fromString(text, Qt::ISODateWithMs);
    if (!moment.isValid() || moment.toMSecsSinceEpoch() < 0)
        return std::nullopt;
    given.wallMs = moment.toMSecsSinceEpoch();
    return given;
}

OptionTarget time(std::optional<GivenTime> RecordingRequest::*member)
{
    return into(
        member, givenTime,
        sentence(QT_TRANSLATE_NOOP(
            "lockscope::app", "%1 takes HH:MM[:SS], a date and time as in 2026-01-31T03:12:00 (local) or "
                              "2026-01-31T03:12:00Z, or seconds since 1970.")));
}

const OptionRow rows[] = {
    {0, "record", "FILE", window,
     QT_TRANSLATE_NOOP("lockscope::app", "record what the server tells to this file"),
     text(&Options::recordPath)},
    {0, "replay", "FILE", window, QT_TRANSLATE_NOOP("lockscope::app", "show a recording instead of a server"),
     text(&Options::replayPath)},
    {0, "max-size", "MB", window | scopeOf(Verb::Record),
     QT_TRANSLATE_NOOP("lockscope::app", "limit of all files of the recording; the oldest part goes (1000)"),
     number(&RecordingRequest::limit, 2, 1'000'000'000, {}, megabyte)},
    {0, "anonymous", "", window | scopeOf(Verb::Record),
     QT_TRANSLATE_NOOP("lockscope::app", "replace keys, owners and hosts by hashes, the same by the same"),
     flag(&RecordingRequest::isAnonymous)},
    {0, "at", "TIME", replay,
     QT_TRANSLATE_NOOP("lockscope::app", "list the locks as they were: 03:12, 2026-01-31T03:12:00[Z]"),
     time(&RecordingRequest::at)},
    {0, "from", "TIME", replay, QT_TRANSLATE_NOOP("lockscope::app", "print events from then on"),
     time(&RecordingRequest::from)},
    {0, "to", "TIME", replay, QT_TRANSLATE_NOOP("lockscope::app", "print events until then"),
     time(&RecordingRequest::to)},
    {0, "info", "", replay,
     QT_TRANSLATE_NOOP("lockscope::app", "print time range, number of events, and gaps"),
     flag(&RecordingRequest::showsInfo)},
};

} // namespace

std::span<const OptionRow> recordingRows()
{
    return rows;
}

Result<void> checkRecording(const Options &options)
{
    const RecordingRequest &request = options.recording;
    const int kinds =
        (request.showsInfo ? 1 : 0) + (request.at ? 1 : 0) + (request.from || request.to ? 1 : 0);
    if (kinds > 1)
        return usageError(Words::tr("Give one of --info, --at, and --from with --to."));
    return {};
}

Result<void> checkWindowRecording(const Options &options, bool isLimited)
{
    if (!options.replayPath.isEmpty() &&
        (options.serverGiven || options.demo || !options.recordPath.isEmpty()))
        return usageError(
            Words::tr("--replay needs no server: leave out --record, --demo and the options of a server."));
    if (options.recordPath.isEmpty() && isLimited)
        return usageError(Words::tr("--max-size and --anonymous need --record FILE."));
    if (!options.recordPath.isEmpty() && options.stored.size() > 1)
        return usageError(Words::tr("--record records one server: give one --connect."));
    return {};
}

} // namespace lockscope
