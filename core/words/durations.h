// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLocale>
#include <QString>

#include <chrono>

namespace lockscope {

// Durations for display. All units are defined here. Translated.

/// "850 ms", "1.2 s", "1 min 12 s", "3 h 5 min", "more than 1,000 years". Rounded down: the time left must
/// never look longer than it is.
QString describe(std::chrono::milliseconds duration);
/// The duration rounded as in describe(): equal for equal texts.
std::chrono::milliseconds describedPart(std::chrono::milliseconds duration);
/// Three digits: "850 µs", "1.25 ms", "12.3 ms", "3.20 s"; from a minute on as describe().
QString shortTime(std::chrono::microseconds duration, const QLocale &locale = QLocale::c());
/// In the largest possible unit, without decimals: "100 µs", "10 ms", "1 s".
QString wholeTime(std::chrono::microseconds duration);
QString secondsText(double seconds, int decimals, const QLocale &locale = QLocale::c());

} // namespace lockscope
