// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/locks/statelook.h"

#include <QCoreApplication>

#include <array>

namespace lockscope {

QString stateWord(LockState state)
{
    switch (state) {
    case LockState::Deadlock:
        return QCoreApplication::translate("LockState", "Deadlock");
    case LockState::Corrupt:
        return QCoreApplication::translate("LockState", "Corrupt");
    case LockState::Orphaned:
        return QCoreApplication::translate("LockState", "Orphaned");
    case LockState::NoQuorum:
        return QCoreApplication::translate("LockState", "No quorum");
    case LockState::NoExpiry:
        return QCoreApplication::translate("LockState", "No expiry");
    case LockState::Stalled:
        return QCoreApplication::translate("LockState", "Stalled");
    case LockState::Expiring:
        return QCoreApplication::translate("LockState", "Expiring");
    case LockState::Renewed:
        return QCoreApplication::translate("LockState", "Renewed");
    case LockState::Held:
        return QCoreApplication::translate("LockState", "Held");
    case LockState::Ended:
        return QCoreApplication::translate("LockState", "Ended");
    case LockState::Unreadable:
        return QCoreApplication::translate("LockState", "No permission");
    case LockState::QuorumUnknown:
        return QCoreApplication::translate("LockState", "Unknown");
    }
    return {};
}

Glyph stateGlyph(LockState state)
{
    constexpr std::array<Glyph, lockStates> glyphs = {
        Glyph::Circle,    Glyph::Octagon, Glyph::Unlinked, Glyph::Minority, Glyph::Infinity, Glyph::Hourglass,
        Glyph::ClockFace, Glyph::Pulse,   Glyph::Square,   Glyph::Dash,     Glyph::Padlock,  Glyph::Ring};
    return glyphs.at(static_cast<size_t>(state));
}

StatusColor stateColor(LockState state)
{
    constexpr std::array<StatusColor, lockStates> tones = {
        StatusColor::Danger,  StatusColor::Danger,  StatusColor::Endless, StatusColor::Danger,
        StatusColor::Endless, StatusColor::Warning, StatusColor::Warning, StatusColor::Held,
        StatusColor::Held,    StatusColor::Muted,   StatusColor::Warning, StatusColor::Muted};
    return tones.at(static_cast<size_t>(state));
}

} // namespace lockscope
