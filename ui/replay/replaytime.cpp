// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/replay/replaytime.h"

#include <QDateTime>

namespace lockscope {

namespace {

QTime timeOfDay(const QString &text)
{
    for (const char *format : {"H:mm", "H:mm:ss", "H:mm:ss.z", "H:mm:ss.zzz"}) {
        if (const QTime time = QTime::fromString(text, QLatin1String(format)); time.isValid())
            return time;
    }
    return {};
}

} // namespace

std::optional<qint64> typedTime(const QString &text, const ReplayOutline &outline, qint64 shownMs)
{
    const QString typed = text.trimmed();
    if (const QTime time = timeOfDay(typed); time.isValid()) {
        QDateTime at = QDateTime::fromMSecsSinceEpoch(shownMs);
        at.setTime(time);
        const qint64 wallMs = at.toMSecsSinceEpoch();
        const bool isOfThatDay = wallMs >= outline.wallFirstMs && wallMs <= outline.wallLastMs;
        return isOfThatDay ? wallMs : lastAtTimeOfDay(time, outline.wallLastMs);
    }
    const qsizetype blank = typed.indexOf(u' ');
    const QTime time = timeOfDay(typed.mid(blank + 1));
    const QDate date = QDate::fromString(typed.left(blank), Qt::ISODate);
    if (blank > 0 && date.isValid() && time.isValid())
        return QDateTime(date, time).toMSecsSinceEpoch();
    const QDateTime moment = QDateTime::fromString(typed, Qt::ISODateWithMs);
    return moment.isValid() ? std::optional(moment.toMSecsSinceEpoch()) : std::nullopt;
}

bool hasTime(const ReplayOutline &outline, qint64 wallMs)
{
    constexpr qint64 minute = 60'000; // what is typed may be no finer
    constexpr qint64 second = 1'000;  // as the end is shown
    return wallMs > outline.wallFirstMs - minute && wallMs < outline.wallLastMs + second;
}

} // namespace lockscope
