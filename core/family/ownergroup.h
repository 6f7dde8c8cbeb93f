// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/lock.h"

namespace lockscope {

/// By what owners are put together.
enum class OwnerGrouping : quint8 { Owner, Process, Host };

/// To whom an owner's id leads, as far as it tells.
struct OwnerGroup
{
    /// What the bytes name.
    enum class Names : quint8 {
        Nobody, ///< what is stored does not tell one holder from another
        Owner,  ///< the owner alone: of which process it is, the id does not tell
        Process,
        Host, ///< all that name this host; only where owners are put together by host
    };

    Names names = Names::Nobody;
    QByteArray bytes; ///< empty for Nobody
    /// Of its locks, where the same bytes may be another's in other families; else unknown.
    Family family{};

    friend bool operator==(const OwnerGroup &, const OwnerGroup &) = default;
};

inline size_t qHash(const OwnerGroup &group, size_t seed = 0)
{
    return ::qHash(group.bytes, seed + static_cast<size_t>(group.names) +
                                    (static_cast<size_t>(group.family.index()) << 8));
}

/// The group of an owner or a waiter. An id that does not tell what is asked for stands for itself: nothing is put together
/// that may belong to several. A process is a UUID that a library draws for each, or a host with a number that is not that of
/// every container's first process. Pure.
OwnerGroup ownerGroup(OwnerGrouping by, Family family, const LockKey &key, const OwnerId &owner);
/// The same of one that holds this lock: of a weak token it is Nobody. Pure.
OwnerGroup holderGroup(OwnerGrouping by, const Lock &lock, const OwnerId &owner);
/// Whether an owner or a waiter of this lock is one of the group. Pure.
bool belongsTo(const OwnerGroup &whose, OwnerGrouping by, const Lock &lock, const OwnerId &id);

/// Whether a group that holds so many locks may be several processes, of which some live while others are dead: a host, or an id
/// that a whole service may write. Pure.
bool mayBeSeveral(const OwnerGroup &whose, qsizetype held);

/// Of a lock that so many of its owners hold who are asked about: whether others may hold it, too. More than were read, or
/// those whom the counter of a semaphore has, and nobody names. Pure.
bool mayHaveOtherHolders(const Lock &lock, qsizetype theirs);

} // namespace lockscope
