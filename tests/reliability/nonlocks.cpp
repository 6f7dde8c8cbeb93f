// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/reliability/row.h"

namespace lockscope {

/// Here the generator of keys that are no locks is to be asked.
Verdict runNonLocks(const Effort &)
{
    return {false, "not measured: this tree has no generator of keys that are no locks"};
}

} // namespace lockscope
