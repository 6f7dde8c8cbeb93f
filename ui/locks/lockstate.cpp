// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/locks/lockstate.h"

#include <QCoreApplication>

#include <algorithm>
#include <array>

namespace lockscope {

namespace {

constexpr Problems corruption = Problems(Problem::BadCount) | Problem::SeveralOwners | Problem::WrongType;
/// The last fifth of a lease.
constexpr int expiringPart = 5;
/// A watchdog renews at a third of the lease gone; with less than a third left it has missed two.
constexpr double renewedAbove = 1.0 / 3;

constexpr std::array<const char *, lockStates> names = {"corrupt", "no-expiry", "expiring",
                                                        "renewed", "held",      "ended"};

/// The longest TTL seen: the lease, as far as it is known, and no longer than what a deadline can say.
milliseconds wholeLease(const WatchedLock &lock)
{
    const milliseconds longest =
        std::max({lock.longestTtl, lock.lock.ttl.value_or(milliseconds(0)), milliseconds(1)});
    return std::min(longest, Deadline::horizon);
}

} // namespace

int severity(const Lock &lock)
{
    if (lock.problems & corruption)
        return 0;
    return lock.deadline ? 2 : 1;
}

double leaseLeft(const WatchedLock &lock, TimePoint now)
{
    if (!lock.lock.deadline)
        return 0;
    const auto left = static_cast<double>(lock.lock.deadline->left(now).count());
    return std::clamp(left / static_cast<double>(wholeLease(lock).count()), 0.0, 1.0);
}

milliseconds expiringTime(const WatchedLock &lock)
{
    return wholeLease(lock) / expiringPart;
}

LockState stateOf(const WatchedLock &lock, TimePoint now)
{
    switch (severity(lock.lock)) {
    case 0:
        return LockState::Corrupt;
    case 1:
        return LockState::NoExpiry;
    default:
        break;
    }
    const milliseconds left = lock.lock.deadline->left(now);
    if (left <= milliseconds::zero())
        return LockState::Ended;
    if (left < expiringTime(lock))
        return LockState::Expiring;
    return lock.renewals > 0 && leaseLeft(lock, now) > renewedAbove ? LockState::Renewed : LockState::Held;
}

QByteArray stateName(LockState state)
{
    return names.at(static_cast<size_t>(state));
}

std::optional<LockState> stateFromName(QByteArrayView name)
{
    const auto found =
        std::find_if(names.begin(), names.end(), [name](const char *known) { return name == known; });
    if (found == names.end())
        return std::nullopt;
    return static_cast<LockState>(found - names.begin());
}

QString stateWord(LockState state)
{
    switch (state) {
    case LockState::Corrupt:
        return QCoreApplication::translate("LockState", "Corrupt");
    case LockState::NoExpiry:
        return QCoreApplication::translate("LockState", "No expiry");
    case LockState::Expiring:
        return QCoreApplication::translate("LockState", "Expiring");
    case LockState::Renewed:
        return QCoreApplication::translate("LockState", "Renewed");
    case LockState::Held:
        return QCoreApplication::translate("LockState", "Held");
    case LockState::Ended:
        return QCoreApplication::translate("LockState", "Ended");
    }
    return {};
}

Glyph stateGlyph(LockState state)
{
    constexpr std::array<Glyph, lockStates> glyphs = {Glyph::Octagon, Glyph::Infinity, Glyph::ClockFace,
                                                      Glyph::Pulse,   Glyph::Square,   Glyph::Dash};
    return glyphs.at(static_cast<size_t>(state));
}

Tone stateTone(LockState state)
{
    constexpr std::array<Tone, lockStates> tones = {Tone::Danger, Tone::Endless, Tone::Warning,
                                                    Tone::Held,   Tone::Held,    Tone::Muted};
    return tones.at(static_cast<size_t>(state));
}

} // namespace lockscope
