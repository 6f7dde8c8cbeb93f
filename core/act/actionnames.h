// SPDX-License-Identifier: GPL-3.0-or-later
// The names that programs read: scripts, JSON, command line, audit records. Never translated.
#pragma once

#include "core/act/lockoperations.h"
#include "core/base/enumnames.h"

namespace lockscope {

inline constexpr EnumNames outcomeName{
    Named<Outcome>{Outcome::Acquired, "acquired"},
    Named<Outcome>{Outcome::Reentered, "reentered"},
    Named<Outcome>{Outcome::HeldByOther, "held-by-other"},
    Named<Outcome>{Outcome::Released, "released"},
    Named<Outcome>{Outcome::Unwound, "unwound"},
    Named<Outcome>{Outcome::NotHeld, "not-held"},
    Named<Outcome>{Outcome::Extended, "extended"},
    Named<Outcome>{Outcome::Expired, "expired"},
    Named<Outcome>{Outcome::AlreadyGone, "already-gone"},
    Named<Outcome>{Outcome::OwnerChanged, "owner-changed"},
    Named<Outcome>{Outcome::HoldsChanged, "holds-changed"},
    Named<Outcome>{Outcome::WrongType, "wrong-type"},
    Named<Outcome>{Outcome::BadCount, "bad-count"},
    Named<Outcome>{Outcome::Removed, "removed"},
    Named<Outcome>{Outcome::NotWaiting, "not-waiting"},
    Named<Outcome>{Outcome::StillListens, "still-listens"},
    Named<Outcome>{Outcome::LeaseChanged, "lease-changed"},
    Named<Outcome>{Outcome::NotHeard, "not-heard"},
    Named<Outcome>{Outcome::Woken, "woken"},
    Named<Outcome>{Outcome::Renewed, "renewed"},
    Named<Outcome>{Outcome::EvidenceChanged, "evidence-changed"},
    Named<Outcome>{Outcome::Unknown, "unknown"},
};

inline constexpr EnumNames actionName{
    Named<Action>{Action::Acquire, "acquire"},
    Named<Action>{Action::Release, "release"},
    Named<Action>{Action::Extend, "extend"},
    Named<Action>{Action::ForceExpire, "force-expire"},
    Named<Action>{Action::RemoveWaiter, "remove-waiter"},
    Named<Action>{Action::Wake, "wake"},
};

inline constexpr EnumNames foundName{
    Named<Found::State>{Found::State::Held, "held"},
    Named<Found::State>{Found::State::Absent, "absent"},
    Named<Found::State>{Found::State::Unreadable, "unreadable"},
    Named<Found::State>{Found::State::Unreachable, "unreachable"},
};

} // namespace lockscope
