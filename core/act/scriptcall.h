// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/act/lockoperations.h"
#include "core/redis/script.h"

namespace lockscope {

/// One script as an action sends it.
struct ScriptCall
{
    QByteArray path; ///< below lua/: "token/acquire.lua"
    const Script *script = nullptr;
    QList<QByteArray> keys;
    QList<QByteArray> arguments;
};

/// Why a request can't be sent as it is, and what to do instead; nullopt where it can. Pure.
std::optional<Phrase> validationError(const ActionRequest &request);

/// Force-expire: how the holds that are expected differ from those of request.seen, where no script could tell, since such
/// a lock stores no count; nullopt: they don't. Pure.
std::optional<Outcome> mismatchOf(const ActionRequest &request);

/// The script for an action on a lock of a family, with the keys that it may touch. `request` has no flaw. `server`: a
/// cluster of Redis 7 has messages of its own for each shard, other servers must not be sent them. `isHeardNowhere`: every
/// node of the cluster was just asked who listens for the waiter that is to be removed, and nobody does. Pure.
ScriptCall scriptCall(const ActionRequest &request, const ServerInfo &server, bool isHeardNowhere = false);

} // namespace lockscope
