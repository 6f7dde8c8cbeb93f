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
        given.lengthMs = text.size() == 5 ? 60'000 : 1;
        if (given.timeOfDay.isValid())
            return given;
    }
    const QDateTime moment = QDateTime::fromString(text, Qt::ISODateWithMs);
    if (!moment.isValid() || moment.toMSecsSinceEpoch() < 0)
        return std::nullopt;
    given.wallMs = moment.toMSecsSinceEpoch();
    return given;
}

} // namespace

std::vector<OptionRow> OptionGroups::recording()
{
    const auto time = [](std::optional<GivenTime> RecordingRequest::*member) {
        return into(member, givenTime,
                    exampleRefusal("03:12, 03:12:30, 2026-01-31T03:12:00, 2026-01-31T03:12:00Z, 1769829120"));
    };
    return {
        {0, "record", "FILE", window, QT_TR_NOOP("record changes to a file"), text(&Options::recordPath)},
        {0, "replay", "FILE", window | scopeOf(Verb::Top), QT_TR_NOOP("show a recording"),
         text(&Options::replayPath)},
        {0, "max-size", "MB", window | scopeOf(Verb::Record),
         QT_TR_NOOP("size limit; the oldest part is deleted (1000)"),
         number(&RecordingRequest::limit, 2, 1'000'000'000, {}, megabyte)},
        {0, "anonymous", "", window | scopeOf(Verb::Record), QT_TR_NOOP("hash keys, owners and hosts"),
         flag(&RecordingRequest::isAnonymous)},
        {0, "at", "TIME", replay | scopeOf(Verb::Top),
         QT_TR_NOOP("list the locks at this time, as in 03:12 or 2026-01-31T03:12:00[Z]"),
         time(&RecordingRequest::at)},
        {0, "from", "TIME", replay, QT_TR_NOOP("first event time"), time(&RecordingRequest::from)},
        {0, "to", "TIME", replay, QT_TR_NOOP("last event time"), time(&RecordingRequest::to)},
        {0, "info", "", replay, QT_TR_NOOP("print time range, event count and gaps"),
         flag(&RecordingRequest::showsInfo)},
        {0, "blame", "", replay, QT_TR_NOOP("print who made others wait, and how long"),
         flag(&RecordingRequest::showsBlame)},
        {0, "order", "", replay, QT_TR_NOOP("print locks acquired in contradicting orders"),
         flag(&RecordingRequest::showsOrder)},
        {0, "by", "BY", replay, QT_TR_NOOP("rank the blame by"),
         oneOf<blameByName>(&RecordingRequest::blameBy), 0, "lockscope::app", "lock"},
    };
}

Result<void> checkRecording(const RecordingRequest &request, bool isRanked)
{
    const bool hasRange = request.from || request.to;
    const int kinds = int(request.showsInfo) + int(request.at.has_value()) +
                      int(hasRange || request.showsBlame || request.showsOrder);
    return firstBroken(
        {{kinds > 1, Words::tr("Give one of --info, --at, --blame and --order. --from and --to go alone, or "
                               "with --blame or --order.")},
         {isRanked && !request.showsBlame, needText(QStringLiteral("--by"), QStringLiteral("--blame"))}});
}

Result<void> checkWindowRecording(const Options &options, bool isLimited)
{
    const bool records = !options.recordPath.isEmpty();
    const bool replays = !options.replayPath.isEmpty();
    return firstBroken({
        {replays && (options.serverGiven || options.demo || records),
         Words::tr("--replay needs no server. Remove --record, --demo and the server options.")},
        {!records && isLimited,
         needText(QStringLiteral("--max-size, --anonymous"), QStringLiteral("--record FILE"))},
        {records && options.stored.size() > 1, Words::tr("--record takes one server. Give one --connect.")},
    });
}

} // namespace lockscope
