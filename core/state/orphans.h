// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/enumnames.h"
#include "core/model/lock.h"

#include <QList>

namespace lockscope {

/// Why a lock is no proven orphan.
enum class OrphanDoubt : quint8 {
    None,
    NoHeartbeat,   ///< none is kept or readable, or its time is absurd
    Changed,       ///< the two readings differ
    TooEarly,      ///< fewer than two intervals between the readings
    RecordMissing, ///< an old version of the library, which registers elsewhere, looks the same
    CountDiffers,  ///< more holds than the holders that are named
    OthersHold,    ///< other holders may be alive, and the family cannot end one hold alone
    Evictions,     ///< the server may have evicted the heartbeat
    Replica,       ///< heartbeats may arrive late
    WritesRefused, ///< the server may have refused heartbeats
};
inline constexpr EnumNames orphanDoubtName{Named<OrphanDoubt>{OrphanDoubt::None, "none"},
                                           Named<OrphanDoubt>{OrphanDoubt::NoHeartbeat, "no-heartbeat"},
                                           Named<OrphanDoubt>{OrphanDoubt::Changed, "changed"},
                                           Named<OrphanDoubt>{OrphanDoubt::TooEarly, "too-early"},
                                           Named<OrphanDoubt>{OrphanDoubt::RecordMissing, "record-missing"},
                                           Named<OrphanDoubt>{OrphanDoubt::CountDiffers, "count-differs"},
                                           Named<OrphanDoubt>{OrphanDoubt::OthersHold, "others-hold"},
                                           Named<OrphanDoubt>{OrphanDoubt::Evictions, "evictions"},
                                           Named<OrphanDoubt>{OrphanDoubt::Replica, "replica"},
                                           Named<OrphanDoubt>{OrphanDoubt::WritesRefused, "writes-refused"}};

/// What two readings say of a lock's holders.
struct OrphanFinding
{
    enum class Verdict : quint8 {
        Alive,   ///< all holders
        Unknown, ///< see `doubt`
        Likely,  ///< the signs say so, but see `doubt`; never ended
        Orphan,  ///< the heartbeats of these holders have stopped for two intervals
    };
    Verdict verdict = Verdict::Unknown;
    OrphanDoubt doubt = OrphanDoubt::None;
    QList<GoneHolder> gone{};    ///< also for Likely
    QList<LockOwner> expected{}; ///< owners whose holds end
    bool isPart = false;         ///< others hold the lock too, and keep it
};

/// Returns families whose heartbeats and their interval are known: each is a rule.
QList<Family> orphanRules();

/// The least time between two readings that prove an orphan of the family.
milliseconds orphanPatience(Family family);

/// What is known of the server apart from the locks.
struct OrphanSurroundings
{
    bool mayEvict = false;
    bool isReplica = false;
    bool mayRefuseWrites = false; ///< at a reading, or between the two
};
/// Judges a lock of such a family by two readings with companions, so far `apart`. Pure.
OrphanFinding orphanFinding(const Lock &first, const Lock &second, milliseconds apart,
                            const OrphanSurroundings &around = {});

} // namespace lockscope
