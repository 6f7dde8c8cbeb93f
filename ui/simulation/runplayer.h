// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/simulation/model/plan.h"

#include <optional>
#include <vector>

namespace lockscope {

/// Where a run is that is played in slow motion. A value, without a clock: it is told how much time has passed.
class RunPlayer
{
public:
    /// A run of so long, and the time in which all of it is played.
    void setLength(microseconds run, microseconds shown);
    void play(microseconds from);
    void stop() { m_isPlaying = false; }
    /// The player's time goes on. At the run's end it stops.
    void advance(microseconds passed);

    bool isPlaying() const { return m_isPlaying; }
    microseconds position() const { return m_position; }

    // The nearest moment of these, in order, that is later or earlier by more than `least`; nothing: there is none.
    static std::optional<microseconds> next(const std::vector<microseconds> &moments, microseconds at,
                                            microseconds least);
    static std::optional<microseconds> previous(const std::vector<microseconds> &moments, microseconds at,
                                                microseconds least);

private:
    microseconds m_run{0};
    microseconds m_shown{1};
    microseconds m_position{0};
    bool m_isPlaying = false;
};

} // namespace lockscope
