// SPDX-License-Identifier: GPL-3.0-or-later
// What nothing is known of; the first in the table.
#include "core/family/familytable.h"

namespace lockscope {

constinit const FamilySpec families::unknown{
    .name = "unknown",
    .noun = QT_TRANSLATE_NOOP("phrases", "no known kind of lock"),
    .stored = "a lock's name, another content",
    .ownerImpact = OwnerImpact::Unknown,
    .acquire = AcquireSupport::NoScript,
    .hasGenericContent = true,
    .canLackExpiry = true,
    .scripts = &noScripts,
};

} // namespace lockscope
