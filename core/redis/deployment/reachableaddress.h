// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/redis/nodeaddress.h"
#include "core/redis/serveraddress.h"

namespace lockscope {

/// The address of a node that `teller` named; `given` has the login and the reachable addresses.
ServerAddress reachableAddress(const NodeAddress &node, const ServerAddress &given,
                               const ServerAddress &teller);

} // namespace lockscope
