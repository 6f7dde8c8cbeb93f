// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/redis/serveraddress.h"

#include <QtGlobal>

#include <memory>

namespace lockscope {

/// A few dozen workers that acquire, re-enter, renew, hold too long and die, so that every state of a lock is
/// on screen within seconds. They run, each on a thread of its own, until this object is gone. Only for a private
/// server: their keys have the names of a shop's real locks.
class DemoWorkers
{
public:
    explicit DemoWorkers(const ServerAddress &server, quint32 seed = 1);
    ~DemoWorkers();
    DemoWorkers(const DemoWorkers &) = delete;
    DemoWorkers &operator=(const DemoWorkers &) = delete;

private:
    class Private;
    std::unique_ptr<Private> d;
};

} // namespace lockscope
