// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/redis/serveraddress.h"

#include <QObject>

#include <memory>

namespace lockscope {

/// A few dozen workers that acquire, re-enter, renew, hold too long and die, so that every state of a lock is
/// on screen within seconds. They run on a thread of their own until this object is gone. Only for a private
/// server: their keys have the names of a shop's real locks.
class DemoWorkers : public QObject
{
    Q_OBJECT

public:
    explicit DemoWorkers(ServerAddress server, quint32 seed = 1, QObject *parent = nullptr);
    ~DemoWorkers() override;

private:
    class Private;
    std::unique_ptr<Private> d;
};

} // namespace lockscope
