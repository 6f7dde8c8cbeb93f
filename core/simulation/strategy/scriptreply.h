// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/simulation/strategy/strategy.h"

namespace lockscope {

/// A script's named answer.
struct ScriptReply
{
    QByteArray outcome;
    std::optional<milliseconds> ttl; ///< absent: no key, or no expiry
    qint64 fence = -1;               ///< of the scripts that answer one
};

/// An Error where it is none, or where it says that the key is no lock of this kind.
Result<ScriptReply> answerFrom(Result<Reply> reply);
/// The result of a script that releases one level, from its answer.
ReleaseResult levelReleased(const ScriptReply &answer);

} // namespace lockscope
