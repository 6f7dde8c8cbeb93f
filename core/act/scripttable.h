// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/act/lockoperations.h"

namespace lockscope {

/// Families that are stored, and woken, alike share their scripts.
enum class StorageLayout {
    None,
    Counted,   ///< a hash, an owner a field
    Redisson,  ///< the same, with a channel, and maybe a queue
    ReadWrite, ///< the same, with a mode, a channel and a key for each reader's hold
    Multi,     ///< three fields a locked value, with a channel
    Latch,     ///< a counter without owners, with a channel
    Permits,   ///< the same, with a sorted set of permits that were given out
    Handoff,   ///< the same as Counted, with a queue that the lock is handed to
    Value,     ///< a string, the owner's token
    Job,       ///< the same, but the owner is a worker and its job
    Signalled, ///< the same as Value, with a list that waiters block on
    Announced, ///< the same as Value, with a message named like the key
    Queued,    ///< the same as Value, with a queue in which its holder may stand first
    Members,   ///< a sorted set or a set, an owner a member; locks of other kinds are a string
    Semaphore, ///< the same, and the string is like any other
    Digest,    ///< a hash of jobs, with lists and an index
};

StorageLayout formOf(Family family);

/// The script for an action, below lua/ and without the ending; empty where nothing of ours does it.
QByteArray scriptName(StorageLayout form, Action action);
/// Some owners' holds can be ended while the lock stays with the others: such a script is told which of both is meant.
bool canEndSome(StorageLayout form);
/// Its owners hold it a number of times that is stored; of the others each holds it once.
bool keepsCounts(StorageLayout form);
/// Its force-expire compares the time left too, where it is told to: for owners whose bytes tell little.
bool comparesTimeLeft(StorageLayout form);
/// The scripts of the first families answer in two ways, and are told which; the others have names only.
bool takesNamedArgument(const QByteArray &script);
/// A script that sends messages can send them to a cluster's shard as well, where it is told to.
bool usesShardedPubSub(StorageLayout form, Action action);

} // namespace lockscope
