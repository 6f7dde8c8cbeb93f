// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/words/durations.h"

#include "core/words/texts.h"

#include <algorithm>

namespace lockscope {

using namespace std::chrono;

namespace {

QString inUnit(microseconds unit, const QString &number)
{
    if (unit == 1us)
        return Texts::tr("%1 µs").arg(number);
    return unit == 1ms ? Texts::tr("%1 ms").arg(number) : Texts::tr("%1 s").arg(number);
}

microseconds unitOf(microseconds duration)
{
    return duration < 1ms ? 1us : duration < 1s ? microseconds(1ms) : microseconds(1s);
}

} // namespace

QString describe(milliseconds duration)
{
    const milliseconds left = std::max(duration, milliseconds(0));
    if (left < 1s)
        return inUnit(1ms, QString::number(left.count()));
    if (left < 10s)
        return secondsText(static_cast<double>(left / 100ms) / 10, 1);
    if (left < 1min)
        return inUnit(1s, QString::number(left / 1s));
    if (left < 1h)
        return Texts::tr("%1 min %2 s").arg(QString::number(left / 1min), QString::number(left % 1min / 1s));
    if (left < days(1))
        return Texts::tr("%1 h %2 min").arg(QString::number(left / 1h), QString::number(left % 1h / 1min));
    constexpr days year(365);
    if (left < year)
        return Texts::tr("%1 d %2 h")
            .arg(QString::number(left / days(1)), QString::number(left % days(1) / 1h));
    if (left / year < 1000)
        return Texts::tr("%1 y %2 d")
            .arg(QString::number(left / year), QString::number(left % year / days(1)));
    return Texts::tr("more than 1,000 years");
}

milliseconds describedPart(milliseconds duration)
{
    const milliseconds left = std::max(duration, milliseconds(0));
    const auto inWhole = [left](milliseconds unit) { return left - left % unit; };
    constexpr days year(365);
    if (left < 1s)
        return left;
    if (left < 10s)
        return inWhole(100ms);
    if (left < 1h)
        return inWhole(1s);
    if (left < days(1))
        return inWhole(1min);
    if (left < year)
        return inWhole(1h);
    return std::min<milliseconds>(inWhole(days(1)), 1000 * year);
}

QString shortTime(microseconds duration, const QLocale &locale)
{
    if (duration >= 1min)
        return describe(duration_cast<milliseconds>(duration));
    const microseconds unit = unitOf(duration);
    if (unit == 1us)
        return wholeTime(duration);
    const double count = static_cast<double>(duration.count()) / static_cast<double>(unit.count());
    return inUnit(unit, locale.toString(count, 'f', count >= 100 ? 0 : count >= 10 ? 1 : 2));
}

QString wholeTime(microseconds duration)
{
    const microseconds unit = unitOf(duration);
    return inUnit(unit, QString::number(duration / unit));
}

QString secondsText(double seconds, int decimals, const QLocale &locale)
{
    return inUnit(1s, locale.toString(seconds, 'f', decimals));
}

} // namespace lockscope
