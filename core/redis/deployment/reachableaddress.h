// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/redis/nodeaddress.h"
#include "core/redis/serveraddress.h"

namespace lockscope {

/// How a node is reached that `teller` has named, where `given` says how to log in, and which addresses are others from here.
ServerAddress reachableAddress(const NodeAddress &node, const ServerAddress &given,
                               const ServerAddress &teller);

} // namespace lockscope
