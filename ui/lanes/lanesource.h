// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/widgets/glyph.h"
#include "ui/widgets/palette.h"
#include "ui/widgets/timerange.h"

#include <QFlags>
#include <QList>
#include <QString>

#include <optional>

namespace lockscope {

enum class LanePart : quint8 {
    Holds = 0x01,
    Waits = 0x02,
    Leases = 0x04,
    Renewals = 0x08,
    Endings = 0x10, ///< expired, forced and vanished
    Unknown = 0x20,
    Messages = 0x40,
    Overlaps = 0x80, ///< crossed bars: violations
};
Q_DECLARE_FLAGS(LaneParts, LanePart)
Q_DECLARE_OPERATORS_FOR_FLAGS(LaneParts)
constexpr LaneParts allLaneParts = LaneParts::fromInt(0xff);

struct LaneBar
{
    enum class Look : quint8 {
        Solid,
        Dense, ///< many, too short to be told apart
        Hatched,
        Crossed, ///< waits in vain; for a bar: a violation
        Unknown, ///< over the whole lane
    };

    TimeRange time{};
    int row = 0;
    Look look = Look::Solid;
    StatusColor color = StatusColor::Held;
    int depth = 1;           ///< hold count
    bool isOpenLeft = false; ///< began before `time`
    bool isOpenRight = false;
    QString text{}; ///< drawn if it fits between the marks
};

/// The time left of a lease, as a share of the longest.
struct LaneLease
{
    TimeRange time{};
    double shareFrom = 0;
    double shareTo = 0;
    bool isEndless = false;
    bool beginsByRenewal = false;
};

/// A moment in a lane, drawn on its first row.
struct LaneMark
{
    qint64 atMs = 0;
    std::optional<Glyph> glyph{}; ///< absent: a question mark
    StatusColor color = StatusColor::Muted;
};

struct LaneContent
{
    QList<LaneBar> bars;
    QList<LaneBar> waits;
    QList<LaneLease> leases;
    QList<LaneMark> marks;

    void clear()
    {
        bars.clear();
        waits.clear();
        leases.clear();
        marks.clear();
    }
};

struct LaneBand
{
    TimeRange time{};
    bool isUnknown = true; ///< false: an event for all lanes, such as a pause
    StatusColor color = StatusColor::Warning;
    QString text{};
};

struct LaneArrow
{
    int fromLane = 0;
    int toLane = 0;
    qint64 fromMs = 0;
    qint64 toMs = 0;
};

struct LaneLine
{
    qint64 atMs = 0;
    StatusColor color = StatusColor::Muted;
    QString text{};
};

/// The data of a LaneView. Lanes are numbered from 0; times are ms on one axis, of a clock or in slow motion.
class LaneSource
{
public:
    virtual ~LaneSource() = default;

    virtual int laneCount() const = 0;
    /// Returns one line of escaped text.
    virtual QString laneName(int lane) const = 0;
    virtual StatusColor laneColor(int lane) const = 0;
    virtual bool isChosen(int lane) const = 0;
    virtual int barRows(int lane) const = 0; ///< at least 1
    virtual int waitRows(int lane) const = 0;
    /// Number of lanes that stay at the top when scrolling.
    virtual int pinnedLanes() const { return 0; }
    /// Desired width of names, in Latin letters.
    virtual int nameLetters() const { return 40; }
    /// True if the state is shown next to the name instead of below.
    virtual bool isCompact() const { return false; }

    /// Scale of the bar height: few lanes can be higher.
    virtual double barScale() const { return 1; }

    virtual TimeRange known() const = 0; ///< first moment to now
    /// False if there was nothing before known().
    virtual bool isUnknownBefore() const { return true; }
    /// Returns the moment after which data is hidden.
    virtual qint64 shownUntilMs() const { return known().toMs; }
    /// Adds the visible content of a lane. `stepMs`: time per pixel.
    virtual void fill(LaneContent &content, int lane, TimeRange time, qint64 stepMs) const = 0;
    virtual QList<LaneBand> bands(TimeRange time) const = 0;
    virtual QList<LaneLine> lines(TimeRange time) const = 0;
    virtual QList<LaneArrow> arrows(TimeRange time) const = 0;

    /// Describes a moment in a lane: stateText() in short, toolTip() in full.
    virtual QString stateText(int lane, qint64 atMs) const = 0;
    virtual QString toolTip(int lane, qint64 atMs) const = 0;
    /// Returns epoch ms for a moment of the axis; the moment itself if the axis is not a clock.
    virtual qint64 wallMs(qint64 atMs) const = 0;
    /// Formats a moment; `stepMs` is the distance between labels, 1 for full precision.
    virtual QString timeText(qint64 atMs, qint64 stepMs) const;
    /// Returns a round distance between axis labels, at least `leastMs`.
    virtual qint64 labelStepMs(double leastMs) const;
    /// Returns the label of the moment that is read without a cursor.
    virtual QString lastText() const;
};

} // namespace lockscope
