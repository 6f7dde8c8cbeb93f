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

/// What a legend can leave out.
enum class LanePart : quint8 {
    Holds = 0x01,
    Waits = 0x02,
    Leases = 0x04,
    Renewals = 0x08,
    Endings = 0x10, ///< expired, forced, and vanished
    Unknown = 0x20,
    Messages = 0x40, ///< from lane to lane
    Overlaps = 0x80, ///< crossed bars, of what must not be at the same time
};
Q_DECLARE_FLAGS(LaneParts, LanePart)
Q_DECLARE_OPERATORS_FOR_FLAGS(LaneParts)
constexpr LaneParts allLaneParts = LaneParts::fromInt(0xff);

/// A stretch of time in a lane.
struct LaneBar
{
    enum class Look : quint8 {
        Solid,
        Dense,   ///< many, too short to be told apart
        Hatched, ///< waits
        Crossed, ///< waits in vain; of a bar: must not be
        Unknown, ///< over the whole lane
    };

    TimeRange time{};
    int row = 0;
    Look look = Look::Solid;
    StatusColor color = StatusColor::Held;
    int depth = 1;            ///< of a hold: so often it is nested
    bool isOpenLeft = false;  ///< began earlier than it is drawn
    bool isOpenRight = false; ///< goes on
    QString text{};           ///< drawn where there is room, beside marks
};

/// What is left of a lease, as a share of the longest.
struct LaneLease
{
    TimeRange time{};
    double shareFrom = 0;
    double shareTo = 0;
    bool isEndless = false;
    bool beginsByRenewal = false;
};

/// A moment in a lane, at its first row.
struct LaneMark
{
    qint64 atMs = 0;
    std::optional<Glyph> glyph{}; ///< absent: a question mark
    StatusColor color = StatusColor::Muted;
};

/// What is to be drawn of a lane.
struct LaneContent
{
    QList<LaneBar> bars;  ///< of those that hold or work
    QList<LaneBar> waits; ///< in rows below
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

/// Across all lanes.
struct LaneBand
{
    TimeRange time{};
    bool isUnknown = true; ///< else something that everybody had, such as a pause
    StatusColor color = StatusColor::Warning;
    QString text{};
};

/// From one lane to another, such as a message.
struct LaneArrow
{
    int fromLane = 0;
    int toLane = 0;
    qint64 fromMs = 0;
    qint64 toMs = 0;
};

/// A moment of all lanes.
struct LaneLine
{
    qint64 atMs = 0;
    StatusColor color = StatusColor::Muted;
    QString text{};
};

/// What a LaneView shows. Lanes are numbered from 0; times are ms on one axis, be it that of a clock or one in slow motion.
class LaneSource
{
public:
    virtual ~LaneSource() = default;

    virtual int laneCount() const = 0;
    /// One line, escaped.
    virtual QString laneName(int lane) const = 0;
    virtual StatusColor laneColor(int lane) const = 0;
    virtual bool isChosen(int lane) const = 0;
    virtual int barRows(int lane) const = 0;  ///< one at least
    virtual int waitRows(int lane) const = 0; ///< below, none or more
    /// So many lanes stay at the top when the others are scrolled.
    virtual int pinnedLanes() const { return 0; }
    /// What room for names is wanted, in Latin letters.
    virtual int nameLetters() const { return 40; }
    /// A lane's state stands beside its name instead of below it.
    virtual bool isCompact() const { return false; }

    /// Of bars, beside the usual one: a few lanes have more room than many.
    virtual double barScale() const { return 1; }

    virtual TimeRange known() const = 0; ///< from the first moment to now
    /// Whether there was anything before; otherwise what is known begins where all began.
    virtual bool isUnknownBefore() const { return true; }
    /// What comes after it is not shown, although it may be known.
    virtual qint64 shownUntilMs() const { return known().toMs; }
    /// What can be seen of a lane. `stepMs`: a pixel's time.
    virtual void fill(LaneContent &content, int lane, TimeRange time, qint64 stepMs) const = 0;
    virtual QList<LaneBand> bands(TimeRange time) const = 0;
    virtual QList<LaneLine> lines(TimeRange time) const = 0;
    virtual QList<LaneArrow> arrows(TimeRange time) const = 0;

    /// What was so at a moment, as short text, and as a tool tip in whole.
    virtual QString stateText(int lane, qint64 atMs) const = 0;
    virtual QString toolTip(int lane, qint64 atMs) const = 0;
    /// What a clock said at a moment of the axis, epoch ms. Of an axis that is no clock's: the moment itself.
    virtual qint64 wallMs(qint64 atMs) const = 0;
    /// How a moment is called beside others that are so far away; as exactly as it can be: 1.
    virtual QString timeText(qint64 atMs, qint64 stepMs) const;
    /// From a labeled line of the axis to the next, at least so much: a step that people count in.
    virtual qint64 labelStepMs(double leastMs) const;
    /// What the moment is called that is read where there is no cursor.
    virtual QString lastText() const;
};

} // namespace lockscope
