// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QtGlobal>

namespace lockscope {

/// The meaning of a color, always accompanied by a shape and a word.
enum class StatusColor : quint8 {
    Muted, ///< expired, old, secondary
    Held,
    Warning, ///< expires soon
    Endless,
    Danger, ///< corrupt; risky actions
    Good,
};

/// The program's icons.
enum class Glyph : quint8 {
    // States of a lock
    Square,
    Pulse,
    ClockFace,
    Infinity,
    Octagon,
    Circle,   ///< two arrows in a cycle
    Unlinked, ///< a queue without a lock
    Minority, ///< one of three
    Dash,
    // Actions and places
    Scan,
    Padlock,
    OpenPadlock,
    ClockPlus,
    Bolt,
    Copy,
    Search,
    Plug,
    Pattern,
    Panel,
    Detach, ///< separate window
    Triangle,
    Play,
    StepBack,
    StepForward,
    RecordDot,
    // Simulation
    Flask,
    Stop,
    Pause,
    Check,
    Cross,
    Hourglass,
    Ring,
    // Waiting
    Queue,
    Tag,
    Log,
    Lanes, ///< timeline bars
    Bars,  ///< statistics
    Person,
};

} // namespace lockscope
