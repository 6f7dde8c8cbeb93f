// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/lock.h"

namespace lockscope {

enum class OwnerGrouping : quint8 { Owner, Process, Host };

/// The process or host behind an owner's ID, as far as the ID names it.
struct OwnerGroup
{
    enum class Names : quint8 {
        Nobody, ///< the stored value does not distinguish holders
        Owner,  ///< the owner alone: the ID does not name its process
        Process,
        Host, ///< all IDs with this host; only if grouped by host
    };

    Names names = Names::Nobody;
    QByteArray bytes; ///< empty for Nobody
    /// The family of its locks if other families may use the same bytes for another owner; otherwise unknown.
    Family family{};

    friend bool operator==(const OwnerGroup &, const OwnerGroup &) = default;
};

inline size_t qHash(const OwnerGroup &group, size_t seed = 0)
{
    return ::qHash(group.bytes, seed + static_cast<size_t>(group.names) +
                                    (static_cast<size_t>(group.family.index()) << 8));
}

/// The group of an owner or waiter. An ID that does not name the process or host stands for itself, to never
/// join owners that may differ. A process is a UUID that a library draws for each, or a host with a process
/// number other than that of a container's first process. Pure.
OwnerGroup ownerGroup(OwnerGrouping by, Family family, const LockKey &key, const OwnerId &owner);
/// The group of a holder of this lock; Nobody for a weak token. Pure.
OwnerGroup holderGroup(OwnerGrouping by, const Lock &lock, const OwnerId &owner);
/// True if an owner or waiter of this lock is in the group. Pure.
bool belongsTo(const OwnerGroup &whose, OwnerGrouping by, const Lock &lock, const OwnerId &id);

/// True if a group that holds `held` locks may be several processes, some alive and some dead: a host, or an
/// ID that a whole service may write. Pure.
bool mayBeSeveral(const OwnerGroup &whose, qsizetype held);

/// True if a lock may have owners besides the `theirs` in question: more than were read, or permits without a
/// named owner. Pure.
bool mayHaveOtherHolders(const Lock &lock, qsizetype theirs);

} // namespace lockscope
