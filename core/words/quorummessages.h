// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/act/lockoperations.h"
#include "core/model/quorum.h"

#include <QString>

namespace lockscope {

/// "2 of 3", "1–2 of 3" where one is unknown; empty where there is no owner.
QString quorumText(const Quorum &quorum);
/// What that means for the lock: whether a majority of the servers has it.
QString describe(const Quorum &quorum);
/// What a server has: "held, 9.2 s left", "other owner: worker-2, 3.1 s left", "not there".
QString readingText(const Quorum &quorum, qsizetype server, TimePoint now);
/// "host1:6379: The lock was force-expired."
QString describe(const ServerResult &result);

} // namespace lockscope
