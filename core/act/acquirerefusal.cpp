// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/act/acquirerefusal.h"

#include "core/family/registry.h"

namespace lockscope {

Phrase acquireRefusal(Family family)
{
    if (family.isUnknown())
        return Phrase(QT_TRANSLATE_NOOP("phrases", "Not a recognized lock: no action is possible."));
    switch (specOf(family).acquire) {
    case AcquireSupport::Supported:
    case AcquireSupport::BypassesQueue: // where a queue stands the script refuses, and knows better
        return {};
    case AcquireSupport::IsJob:
        return Phrase(QT_TRANSLATE_NOOP(
            "phrases",
            "This key belongs to a job's lock; acquiring it would stall the job. Pause the queue instead."));
    case AcquireSupport::NoOwners:
        return Phrase(QT_TRANSLATE_NOOP("phrases", "This counter stores no owners; use its own library."));
    case AcquireSupport::NoScript:
        return Phrase(QT_TRANSLATE_NOOP("phrases", "Locks of the family %1 can only be force-expired here."),
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
