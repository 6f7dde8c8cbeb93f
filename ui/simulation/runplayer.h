// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/simulation/model/plan.h"

#include <optional>
#include <vector>

namespace lockscope {

/// The playback position of a run in slow motion. A value without a clock: advance() supplies the time.
class RunPlayer
{
public:
    /// Sets the length of a run and the time to play all of it.
    void setLength(microseconds run, microseconds shown);
    void play(microseconds from);
    void stop() { m_isPlaying = false; }
    void advance(microseconds passed);

    bool isPlaying() const { return m_isPlaying; }
    microseconds position() const { return m_position; }

    // Returns the nearest later or earlier moment of a sorted list, at least `least` away; nullopt: none.
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
