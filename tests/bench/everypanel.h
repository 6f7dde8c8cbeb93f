// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/redis/serveraddress.h"

#include <QString>

namespace lockscope {

/// Leaves settings in `directory` with which the program opens every panel of a server beside the others: the user who has
/// it all in sight. By a real window of this process, shown for a moment. False: it did not come to that within a minute.
bool layOutEveryPanel(const ServerAddress &server, const QString &directory);

} // namespace lockscope
