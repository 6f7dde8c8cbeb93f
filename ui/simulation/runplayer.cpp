// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/simulation/runplayer.h"

#include <algorithm>

namespace lockscope {

void RunPlayer::setLength(microseconds run, microseconds shown)
{
    m_run = run;
    m_shown = std::max(shown, microseconds(1));
}

void RunPlayer::play(microseconds from)
{
    m_position = from;
    m_isPlaying = from < m_run;
}

void RunPlayer::advance(microseconds passed)
{
    if (!m_isPlaying)
        return;
    const double share = double(passed.count()) / double(m_shown.count());
    m_position = std::min(m_position + microseconds(qint64(share * double(m_run.count()))), m_run);
    m_isPlaying = m_position < m_run;
}

std::optional<microseconds> RunPlayer::next(const std::vector<microseconds> &moments, microseconds at,
                                            microseconds least)
{
    const auto found = std::ranges::upper_bound(moments, at + least);
    return found == moments.end() ? std::nullopt : std::optional(*found);
}

std::optional<microseconds> RunPlayer::previous(const std::vector<microseconds> &moments, microseconds at,
                                                microseconds least)
{
    const auto found = std::ranges::lower_bound(moments, at - least);
    return found == moments.begin() ? std::nullopt : std::optional(*std::prev(found));
}

} // namespace lockscope
