// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/act/lockoperations.h"
#include "core/model/quorum.h"

#include <QString>

namespace lockscope {

/// "2 of 3", "1–2 of 3" if one is unknown; empty without an owner.
QString quorumText(const Quorum &quorum);
/// Whether a majority of the servers has the lock.
QString describe(const Quorum &quorum);
/// The state on one server: "held, 9.2 s left", "other owner: worker-2, 3.1 s left", "not there".
QString readingText(const Quorum &quorum, qsizetype server, TimePoint now);
QString describe(const ServerResult &result);

} // namespace lockscope
