// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/act/lockoperations.h"
#include "core/redis/script.h"

namespace lockscope {

struct ScriptCall
{
    QByteArray path; ///< below lua/: "token/acquire.lua"
    const Script *script = nullptr;
    QList<QByteArray> keys;
    QList<QByteArray> arguments;
};

/// Why a request is invalid, and what to do instead; absent: valid. Pure.
std::optional<Phrase> validationError(const ActionRequest &request);

/// Force-expire: how the expected holds differ from those of request.seen, for locks without a stored count,
/// which no script can compare; absent: equal. Pure.
std::optional<Outcome> mismatchOf(const ActionRequest &request);

/// The script for a valid action on a lock of a family, with the keys that it may touch. `server`: only a
/// cluster of Redis 7 gets messages per shard. `isHeardNowhere`: no node of the cluster has subscribers for
/// the waiter to remove. Pure.
ScriptCall scriptCall(const ActionRequest &request, const ServerInfo &server, bool isHeardNowhere = false);

} // namespace lockscope
