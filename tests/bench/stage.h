// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/bench/dataset.h"
#include "tests/bench/placement.h"
#include "tests/bench/serverfigures.h"
#include "tests/support/redisserver.h"

#include <optional>

namespace lockscope {

/// A server of our own with its data, kept alive.
class Stage
{
public:
    enum class Cores : quint8 {
        Apart, ///< the server has one core, everything started from here on the other
        AsTheKernelLikes,
    };
    /// nullptr after saying why there is none.
    static std::unique_ptr<Stage> make(const DataSize &size, Cores cores = Cores::Apart);

    ServerAddress address() const { return m_server.socketAddress(); }
    QString socketPath() const { return address().socketPath; }
    quint16 port() const { return m_server.port(); }
    const DataSize &size() const { return m_size; }
    BlockingConnection &control() { return *m_control; }
    ServerFigures &figures() { return *m_figures; }
    LockCrowd &crowd() { return *m_crowd; }

private:
    explicit Stage(DataSize size) : m_size(std::move(size)) {}
    bool prepare(Cores cores);

    const DataSize m_size;
    RedisServer m_server;
    std::optional<BlockingConnection> m_control;
    std::optional<ServerFigures> m_figures;
    std::optional<Pinned> m_pinned;
    std::optional<LockCrowd> m_crowd;
};

} // namespace lockscope
