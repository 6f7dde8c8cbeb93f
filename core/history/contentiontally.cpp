// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/history/contentiontally.h"

#include "core/base/glob.h"
#include "core/base/printable.h"
#include "core/family/registry.h"

#include <algorithm>

namespace lockscope {

using namespace std::chrono_literals;

namespace {

constexpr double keptOfRecent = 0.995; // of each run: half in seven minutes
constexpr double clearlyMore = 2;      // for a change of the groups that are shown
constexpr qint64 betweenSwapsMs = 60'000;

} // namespace

void LengthHistogram::add(qint64 ms, qint64 times)
{
    const auto bound = std::ranges::lower_bound(boundsMs, ms);
    counts[size_t(bound - boundsMs.begin())] += times;
    sumMs += ms * times;
}

void LengthHistogram::add(const LengthHistogram &other)
{
    for (size_t i = 0; i < counts.size(); ++i)
        counts[i] += other.counts[i];
    sumMs += other.sumMs;
}

void ContentionTally::Counts::add(const Counts &other)
{
    holds.add(other.holds);
    waits.add(other.waits);
    waitedMs += other.waitedMs;
}

void ContentionTally::apply(const LockDiff &diff, qint64 wallMs)
{
    m_history.apply(diff, wallMs);
    for (const LockEvent &event : diff.events) {
        if (isEnd(event.kind) || event.kind == EventKind::OwnerChanged || event.kind == EventKind::Unwound)
            m_touched.insert(event.address.key);
    }
    for (const WatchedLock &lock : diff.changed) {
        if (lock.lock.companions->waiters.count > 0)
            m_waited.insert(lock.key());
        else if (m_waited.remove(lock.key()))
            m_touched.insert(lock.key());
    }
    for (const LockKey &key : diff.removed) {
        if (m_waited.remove(key))
            m_touched.insert(key);
    }
}

bool ContentionTally::work(qint64 wallMs, milliseconds budget)
{
    if (!m_run) {
        const qint64 nowMs = m_history.clock().now(wallMs);
        m_toMs = nowMs - delayMs;
        // After the clock was set back, the axis goes on from the last event.
        m_doneMs = m_doneMs == 0 ? m_toMs : std::min(m_doneMs, nowMs + 1);
        if (m_toMs - m_doneMs < delayMs)
            return true;
        QSet<LockKey> keys = m_touched + m_waited;
        keys.unite(m_before);
        m_before = std::exchange(m_touched, {});
        m_run = std::make_unique<StatisticsRun>(m_history, m_doneMs, m_toMs,
                                                std::vector<LockKey>(keys.begin(), keys.end()));
        m_run->setTakeLengths([this](const LockStatistics &lock, const Lengths &holds, const Lengths &waits) {
            take(lock, holds, waits);
        });
    }
    if (!m_run->work(budget))
        return false;
    m_run.reset();
    m_doneMs = m_toMs;
    chooseShown(wallMs);
    finishRun();
    return true;
}

void ContentionTally::take(const LockStatistics &lock, const Lengths &holds, const Lengths &waits)
{
    const auto pattern = std::ranges::find_if(
        m_patterns, [&](const QByteArray &each) { return globMatches(each, lock.key.bytes); });
    Counts counts;
    holds.visit([&](quint32 ms, qint64 times) { counts.holds.add(ms, times); });
    waits.visit([&](quint32 ms, qint64 times) { counts.waits.add(ms, times); });
    counts.waitedMs = lock.waited.count();
    if (!counts.isEmpty())
        m_groups[{lock.family, pattern - m_patterns.begin()}].fresh.add(counts);
}

/// Gives free places to the groups with most waiting, and at times one that is taken.
void ContentionTally::chooseShown(qint64 wallMs)
{
    std::vector<Group *> waiting, shown;
    for (auto &[key, group] : m_groups) {
        group.recentMs = group.recentMs * keptOfRecent + double(group.fresh.waitedMs);
        (group.isShown ? shown : waiting).push_back(&group);
    }
    std::ranges::stable_sort(waiting, std::greater(), &Group::recentMs);
    for (Group *group : waiting) {
        if (shown.size() < mostGroups) {
            group->isShown = true;
            shown.push_back(group);
        }
    }
    const auto least = std::ranges::min_element(shown, {}, &Group::recentMs);
    if (waiting.empty() || waiting.front()->isShown || std::abs(wallMs - m_swappedMs) < betweenSwapsMs ||
        waiting.front()->recentMs <= clearlyMore * (*least)->recentMs)
        return;
    m_swappedMs = wallMs;
    waiting.front()->isShown = true;
    (*least)->isShown = false;
}

void ContentionTally::finishRun()
{
    for (auto &[key, group] : m_groups) {
        const Counts fresh = std::exchange(group.fresh, {});
        (group.isShown ? group.counts : m_others).add(fresh);
    }
}

std::vector<ContentionTally::Series> ContentionTally::series() const
{
    std::vector<Series> told;
    for (const auto &[key, group] : m_groups) {
        const auto &[family, pattern] = key;
        if (group.isShown)
            told.push_back({familyName(family),
                            pattern < m_patterns.size() ? losslessUtf8(m_patterns[pattern]) : QByteArray(),
                            group.counts});
    }
    if (!m_others.isEmpty())
        told.push_back({"other", "other", m_others});
    return told;
}

} // namespace lockscope
