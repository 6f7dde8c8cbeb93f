// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/act/acquirerefusal.h"

#include "core/family/registry.h"

namespace lockscope {

Phrase acquireRefusal(Family family)
{
    if (family.isUnknown())
        return Phrase(QT_TRANSLATE_NOOP(
            "phrases",
            "This is not a recognized lock. Lockscope has no script that acquires or expires it."));
    switch (specOf(family).acquire) {
    case AcquireSupport::Supported:
    case AcquireSupport::BypassesQueue: // where a queue stands the script refuses, and knows better
        return {};
    case AcquireSupport::IsJob:
        return Phrase(QT_TRANSLATE_NOOP("phrases", "This lock belongs to a job in a queue. Acquiring the "
                                                   "lock would stall the job. Pause the queue instead."));
    case AcquireSupport::NoOwners:
        return Phrase(QT_TRANSLATE_NOOP("phrases",
                                        "This is a counter without owners. Lockscope could not identify "
                                        "your share. Acquire the lock with its own library."));
    case AcquireSupport::NoScript:
        return Phrase(QT_TRANSLATE_NOOP("phrases", "Locks of the family %1 can be force-expired here, but "
                                                   "not acquired. Acquire the lock with its own library."),
                      familyName(family));
    }
    return {};
}

Phrase acquireRefusal(const LockKey &key, Family family)
{
    const Phrase refusal = acquireRefusal(family);
    if (!refusal.isEmpty())
        return refusal;
    for (const Family owning : familiesWith<&FamilySpec::nameRefusal>()) {
        if (Phrase reason = specOf(owning).nameRefusal(key.bytes); !reason.isEmpty())
            return reason;
    }
    return {};
}

} // namespace lockscope
