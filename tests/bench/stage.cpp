// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/bench/stage.h"

#include <cstdio>

namespace lockscope {

std::unique_ptr<Stage> Stage::make(const DataSize &size)
{
    std::unique_ptr<Stage> stage(
        new Stage(size)); // NOLINT(cppcoreguidelines-owning-memory): private constructor
    return stage->prepare() ? std::move(stage) : nullptr;
}

bool Stage::prepare()
{
    if (const auto started = m_server.start(); !started) {
        std::fprintf(stderr, "%s\n", started.error().detail.constData());
        return false;
    }
    m_control.emplace(address(), BlockingConnection::Options{});
    m_figures.emplace(*m_control);
    // Five million keys are more than a private server may otherwise hold.
    if (!m_control->open() || !m_control->send({"CONFIG", "SET", "maxmemory", "0"})) {
        std::fprintf(stderr, "the server can't be set up\n");
        return false;
    }
    m_pinned.emplace(*m_control, Placement::TwoCores);
    PlainClient client(socketPath());
    m_crowd.emplace(socketPath(), m_size.locks);
    if (!makeOthers(client, "other:", m_size.others) || !m_crowd->begin()) {
        std::fprintf(stderr, "the data set can't be made\n");
        return false;
    }
    return true;
}

} // namespace lockscope
