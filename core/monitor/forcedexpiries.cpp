// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/monitor/forcedexpiries.h"

#include "core/family/weaktoken.h"

#include <algorithm>
#include <utility>

namespace lockscope {

namespace {

constexpr std::chrono::seconds rewriteWindow{60};

} // namespace

void ForcedExpiries::record(const LockKey &key, const QList<LockOwner> &ended, TimePoint now)
{
    m_forced.removeIf([now](const auto &forced) { return now - forced.value().at > rewriteWindow; });
    m_forced.insert(key, {ended, now});
}

bool ForcedExpiries::takeExplanation(const Lock &before, const std::optional<Lock> &after)
{
    const auto forced = m_forced.find(before.key());
    if (forced == m_forced.end() || !std::exchange(forced->awaitsReading, false))
        return false;
    QList<LockOwner> left = before.owners;
    left.removeIf([&](const LockOwner &holder) { return isAmong(forced->ended, holder); });
    const QList<LockOwner> now = after ? after->owners : QList<LockOwner>();
    return left.size() < before.owners.size() &&
           std::ranges::equal(left, now, {}, &LockOwner::owner, &LockOwner::owner);
}

bool ForcedExpiries::takeReturn(const Lock &lock, TimePoint now)
{
    const auto forced = m_forced.constFind(lock.key());
    if (forced == m_forced.cend() || now - forced->at > rewriteWindow || mayRepeat(lock))
        return false;
    const bool isBack = std::ranges::any_of(
        lock.owners, [&](const LockOwner &holder) { return isAmong(forced->ended, holder); });
    if (isBack)
        m_forced.erase(forced);
    return isBack;
}

} // namespace lockscope
