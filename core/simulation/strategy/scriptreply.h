// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/simulation/strategy/strategy.h"

namespace lockscope {

struct ScriptReply
{
    QByteArray outcome;
    std::optional<milliseconds> ttl; ///< absent: no key, or no expiry
    qint64 fence = -1;               ///< if the script answers one
};

/// An Error for an invalid answer, or if the key is no lock of this kind.
Result<ScriptReply> answerFrom(Result<Reply> reply);
ReleaseResult levelReleased(const ScriptReply &answer);

} // namespace lockscope
