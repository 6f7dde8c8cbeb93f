// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/recordingoptions.h"

#include "app/words.h"

#include <QDateTime>

namespace lockscope {

namespace {

constexpr qint64 megabyte = 1'000'000;

Result<void> takeLimit(Options &options, const QByteArray &value)
{
    const auto number = wholeNumber(value, 1'000'000'000);
    if (!number || *number < 2)
        return usageError(Words::tr("--max-size takes a whole number of megabytes from 2 to 1000000000."));
    options.recording.limit = *number * megabyte;
    return {};
}

template <bool RecordingRequest::*flag>
Result<void> setRequest(Options &options, const QByteArray &)
{
    options.recording.*flag = true;
    return {};
}

template <QByteArray Options::*path>
Result<void> takeFile(Options &options, const QByteArray &value)
{
    if (value.isEmpty())
        return usageError(Words::tr("The name of the recording's file must not be empty."));
    options.*path = value;
    return {};
}

/// "03:12", "2026-11-24T03:12:00Z", "1790000000": seconds, or ms where it has 13 digits.
std::optional<GivenTime> givenTime(const QByteArray &value)
{
    GivenTime given;
    if (const auto number = wholeNumber(value, 9'999'999'999'999)) {
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

template <std::optional<GivenTime> RecordingRequest::*time>
Result<void> takeTime(Options &options, const QByteArray &value)
{
    options.recording.*time = givenTime(value);
    if (!(options.recording.*time))
        return usageError(
            Words::tr("A time is HH:MM[:SS], a date and time as in 2026-01-31T03:12:00 (local) or "
                      "2026-01-31T03:12:00Z, or seconds since 1970."));
    return {};
}

const std::array rows{
    OptionRow{0, "record", "FILE", window,
              QT_TRANSLATE_NOOP("lockscope::app", "record what the server tells to this file"),
              takeFile<&Options::recordPath>},
    OptionRow{0, "replay", "FILE", window,
              QT_TRANSLATE_NOOP("lockscope::app", "show a recording instead of a server"),
              takeFile<&Options::replayPath>},
    OptionRow{0, "max-size", "MB", window | scopeOf(Verb::Record),
              QT_TRANSLATE_NOOP("lockscope::app",
                                "limit of all files of the recording; the oldest part goes (1000)"),
              takeLimit},
    OptionRow{
        0, "anonymous", "", window | scopeOf(Verb::Record),
        QT_TRANSLATE_NOOP("lockscope::app", "replace keys, owners and hosts by hashes, the same by the same"),
        setRequest<&RecordingRequest::isAnonymous>},
    OptionRow{
        0, "at", "TIME", scopeOf(Verb::Replay),
        QT_TRANSLATE_NOOP("lockscope::app", "list the locks as they were: 03:12, 2026-01-31T03:12:00[Z]"),
        takeTime<&RecordingRequest::at>},
    OptionRow{0, "from", "TIME", scopeOf(Verb::Replay),
              QT_TRANSLATE_NOOP("lockscope::app", "print events from then on"),
              takeTime<&RecordingRequest::from>},
    OptionRow{0, "to", "TIME", scopeOf(Verb::Replay),
              QT_TRANSLATE_NOOP("lockscope::app", "print events until then"),
              takeTime<&RecordingRequest::to>},
    OptionRow{0, "info", "", scopeOf(Verb::Replay),
              QT_TRANSLATE_NOOP("lockscope::app", "print time range, number of events, and gaps"),
              setRequest<&RecordingRequest::showsInfo>},
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
