// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/lanes/lanesource.h"

#include <QString>

namespace lockscope {

/// Maps the shown time to pixels. Either follows the known time, with now at the right edge, or stands still.
/// A value without a clock.
class TimeScale
{
public:
    static constexpr qint64 leastSpanMs = 20;
    static constexpr qint64 usualSpanMs = 60'000;

    /// Sets the place in pixels; the width is at least one.
    void setPlace(double left, double width);
    /// Sets the known time; moves on if it is followed.
    void setKnown(TimeRange known);

    TimeRange shown() const { return {m_fromMs, m_fromMs + m_spanMs}; }
    qint64 spanMs() const { return m_spanMs; }
    bool isFollowing() const { return m_isFollowing; }
    void setFollowing(bool on);

    /// Sets the span. The end stays when following, otherwise the middle.
    void setSpan(qint64 spanMs);
    /// Zooms with `aroundMs` in place.
    void zoom(double factor, qint64 aroundMs);
    /// Moves later; stays within the known time but for a part of the span. Follows again at the end.
    void pan(qint64 byMs);
    /// Stops following and shows a time, as far as data is known.
    void show(TimeRange time);
    void showFirst();
    void fit();
    void reveal(qint64 atMs);

    double xOf(qint64 atMs) const;
    qint64 atX(double x) const;
    double width() const { return m_width; }
    double left() const { return m_left; }
    qint64 stepMs() const; ///< per pixel, at least 1

    /// Returns the minimum time between labels of this width in pixels.
    double leastStepMs(double labelWidth) const { return labelWidth * double(m_spanMs) / m_width; }
    /// Returns a round clock step for labels of this width in pixels.
    qint64 labelStepMs(double labelWidth) const { return clockStepMs(leastStepMs(labelWidth)); }
    static qint64 clockStepMs(double leastMs);
    static qint64 decimalStepMs(double leastMs); ///< 1, 2, 5, 10, …
    /// "14:03:07", with milliseconds for steps below a second.
    static QString labelOf(qint64 wallMs, qint64 labelStepMs);

private:
    void bound();
    qint64 longestSpan() const;

    double m_left = 0;
    double m_width = 1;
    TimeRange m_known;
    qint64 m_fromMs = 0;
    qint64 m_spanMs = usualSpanMs;
    bool m_isFollowing = true;
};

} // namespace lockscope
