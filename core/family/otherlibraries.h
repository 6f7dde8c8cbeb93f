// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/lock.h"

#include <QList>

namespace lockscope {

/// Libraries whose locks look like others', and which are no families yet: they are named among the candidates.
enum class OtherLibrary : quint8 {
    NodeRedisson,
    NodeRedisWarlock,
    Redislock, ///< danielstjules'
    IoredisLock,
    MicrofleetIoredisLock,
    SimpleRedisMutex,
    RedisLock, ///< errorception's
    RedisMutex,
    NodeResque,
    RqScheduler,
    Aioredlock,
    RedlockRb,
    RedisPlusPlus,
};

struct OtherLibraryFacts
{
    OtherLibrary library;
    const char *name;    ///< as programs read it
    const char *product; ///< as people do
};
const OtherLibraryFacts &otherLibrary(OtherLibrary library);

/// Which of them may have written an ambiguous lock; empty for others. Pure.
QList<OtherLibrary> otherCandidatesOf(const Lock &lock);

} // namespace lockscope
