// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/lanes/lanesource.h"

#include <QString>

namespace lockscope {

/// Which time a view shows, and where each moment of it lies. Either it follows what is known, so that now stands at its right
/// edge, or it stands still. A value, without a clock: what is known is told.
class TimeScale
{
public:
    static constexpr qint64 leastSpanMs = 20;
    static constexpr qint64 usualSpanMs = 60'000;

    /// In pixels; at least one.
    void setPlace(double left, double width);
    /// What is known now. Where it is followed, the time moves on.
    void setKnown(TimeRange known);

    TimeRange shown() const { return {m_fromMs, m_fromMs + m_spanMs}; }
    qint64 spanMs() const { return m_spanMs; }
    bool isFollowing() const { return m_isFollowing; }
    void setFollowing(bool on);

    /// So much time, ending where it ended; around what is shown where it stands still.
    void setSpan(qint64 spanMs);
    /// So much, with the moment staying where it is.
    void zoom(double factor, qint64 aroundMs);
    /// Later by so much; stays within what is known, but for a part of what is shown. At its end it follows again.
    void pan(qint64 byMs);
    /// Stands still there; as far as what is known reaches.
    void show(TimeRange time);
    void showFirst();
    /// All that is known.
    void fit();
    /// As little as needed, so that the moment is shown.
    void reveal(qint64 atMs);

    double xOf(qint64 atMs) const;
    qint64 atX(double x) const;
    double width() const { return m_width; }
    double left() const { return m_left; }
    qint64 stepMs() const; ///< of a pixel, at least 1

    /// Between lines with a label of so many pixels.
    double leastStepMs(double labelWidth) const { return labelWidth * double(m_spanMs) / m_width; }
    /// The same, a step that people count a clock's time in.
    qint64 labelStepMs(double labelWidth) const { return clockStepMs(leastStepMs(labelWidth)); }
    static qint64 clockStepMs(double leastMs);
    static qint64 decimalStepMs(double leastMs); ///< 1, 2, 5, 10 …
    /// "14:03:07", with the milliseconds where steps are shorter than a second.
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
