// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/simulation/model/runtrace.h"

#include <algorithm>

namespace lockscope {

RunTrace::RunTrace(const QList<TraceEntry> &entries, qint64 leftOut, std::optional<microseconds> fullAt)
    : m_entries(entries), m_leftOut(leftOut), m_fullAt(fullAt)
{
}

void RunTrace::add(TraceEntry entry)
{
    entry.at = std::max(entry.at, microseconds(0));
    entry.since = std::max(entry.since, microseconds(0));
    const bool isRefusal = entry.kind == TraceEntry::Kind::Refused;
    if (m_entries.size() >= m_most || (isRefusal && m_refusals >= m_most / 2)) {
        ++m_leftOut;
        if (!isRefusal)
            m_fullAt = std::min(m_fullAt.value_or(entry.at), entry.at);
        return;
    }
    m_refusals += isRefusal ? 1 : 0;
    m_entries.append(entry);
}

void RunTrace::add(const RunTrace &more)
{
    for (const TraceEntry &entry : more.m_entries)
        add(entry);
    addLoss(more);
}

void RunTrace::addAs(int worker, const RunTrace &more)
{
    for (TraceEntry entry : more.m_entries) {
        entry.worker = qint16(worker);
        add(entry);
    }
    addLoss(more);
}

void RunTrace::addLoss(const RunTrace &other)
{
    m_leftOut += other.m_leftOut;
    if (other.m_fullAt)
        m_fullAt = std::min(m_fullAt.value_or(*other.m_fullAt), *other.m_fullAt);
}

void RunTrace::sort()
{
    std::ranges::stable_sort(m_entries, {}, &TraceEntry::at);
}

} // namespace lockscope
