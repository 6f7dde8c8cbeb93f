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
        Host, ///< the host alone: which of its processes, the id does not tell
    };

    Names names = Names::Nobody;
    QByteArray bytes; ///< empty for Nobody

    friend bool operator==(const OwnerGroup &, const OwnerGroup &) = default;
};

inline size_t qHash(const OwnerGroup &group, size_t seed = 0)
{
    return ::qHash(group.bytes, seed + static_cast<size_t>(group.names));
}

/// The group of an owner or a waiter. An id that does not tell what is asked for stands for itself: nothing is put together
/// that may belong to several. Pure.
OwnerGroup ownerGroup(OwnerGrouping by, Family family, const LockKey &key, const OwnerId &owner);
/// The same of one that holds this lock: of a weak token it is Nobody. Pure.
OwnerGroup holderGroup(OwnerGrouping by, const Lock &lock, const OwnerId &owner);

} // namespace lockscope
