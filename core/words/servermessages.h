// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/redis/login.h"

#include <QString>

namespace lockscope {

/// "Redis 7.0.15", "Valkey 8.1.1 cluster": printable, never translated. Empty where the server did not say.
QString productText(const ServerInfo &server);

} // namespace lockscope
