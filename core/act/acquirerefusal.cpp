// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/act/acquirerefusal.h"

#include "core/family/family.h"
#include "core/family/shapes.h"

namespace lockscope {

Phrase acquireRefusal(Family family)
{
    if (family == Family::Unknown)
        return Phrase(QT_TRANSLATE_NOOP(
            "phrases",
            "This is not a recognized lock: Lockscope has no script that acquires or expires it."));
    switch (factsOf(family).taking) {
    case AcquireSupport::Supported:
    case AcquireSupport::BypassesQueue: // where a queue stands the script refuses, and knows better
        return {};
    case AcquireSupport::IsJob:
        return Phrase(QT_TRANSLATE_NOOP(
            "phrases",
            "This lock belongs to a job in a queue: taking it would stall that job. Pause the queue "
            "instead."));
    case AcquireSupport::NoOwners:
        return Phrase(QT_TRANSLATE_NOOP(
            "phrases",
            "This is a counter without owners: what you took could not be told from the rest. Take it "
            "with the library that made it."));
    case AcquireSupport::NoScript:
        return Phrase(
            QT_TRANSLATE_NOOP(
                "phrases",
                "Locks of the family %1 can be ended here, but not taken. Take it with the library that made "
                "it."),
            familyName(family));
    }
    return {};
}

Phrase acquireRefusal(const LockKey &key, Family family)
{
    const Phrase refusal = acquireRefusal(family);
    if (!refusal.isEmpty() || !namesAJobLock(key.bytes))
        return refusal;
    return Phrase(QT_TRANSLATE_NOOP(
        "phrases", "This name belongs to the lock of a Bull or BullMQ job. Bull overwrites it without asking "
                   "who holds it, so it cannot be held. Pause the queue instead."));
}

} // namespace lockscope
