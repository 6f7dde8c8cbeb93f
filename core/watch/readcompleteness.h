// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/watch/feedstatus.h"

#include <optional>
#include <utility>

namespace lockscope {

/// Whether all locks were read since the connection was made and since its feed's last gap: otherwise they
/// may be outdated, and others may exist.
class ReadCompleteness
{
public:
    bool isReady() const { return m_isReady; }
    bool hasReadAll() const { return m_isRead; }
    bool hasEverReadAll() const { return m_hasEverReadAll; }

    bool takeConnection(bool isReady)
    {
        m_isRead = m_isRead && isReady;
        return std::exchange(m_isReady, isReady) != isReady;
    }
    /// Ignores an incident that was reported before.
    bool takeFeed(const FeedStatus &status)
    {
        const auto before = std::exchange(m_incident, status.incident);
        const bool isNew = m_incident && (!before || before->at < m_incident->at);
        return isNew && std::exchange(m_isRead, false);
    }
    bool takeScan(bool isComplete)
    {
        m_hasEverReadAll = m_hasEverReadAll || (isComplete && m_isReady);
        return isComplete && m_isReady && !std::exchange(m_isRead, true);
    }

private:
    std::optional<FeedStatus::Incident> m_incident;
    bool m_isReady = false;
    bool m_isRead = false;
    bool m_hasEverReadAll = false;
};

} // namespace lockscope
