// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLocale>
#include <QString>

#include <chrono>

namespace lockscope {

// Durations as people read them: the one place that knows their units. Translated.

/// "850 ms", "1.2 s", "1 min 12 s", "3 h 5 min", "more than 1,000 years". Rounded down: a time left must never look
/// longer than it is.
QString describe(std::chrono::milliseconds duration);
/// What describe() writes of a duration: the same for two that it writes alike.
std::chrono::milliseconds describedPart(std::chrono::milliseconds duration);
/// With three digits: "850 µs", "1.25 ms", "12.3 ms", "3.20 s"; from a minute on as describe().
QString shortTime(std::chrono::microseconds duration, const QLocale &locale = QLocale::c());
/// In the largest unit that it fills, without decimals: "100 µs", "10 ms", "1 s".
QString wholeTime(std::chrono::microseconds duration);
/// "12.5 s".
QString secondsText(double seconds, int decimals, const QLocale &locale = QLocale::c());

} // namespace lockscope
