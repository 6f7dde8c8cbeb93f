// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/bench/stage.h"

#include <cstdio>

namespace lockscope {

std::unique_ptr<Stage> Stage::make(const DataSize &size, Cores cores)
{
    std::unique_ptr<Stage> stage(
        new Stage(size)); // NOLINT(cppcoreguidelines-owning-memory): private constructor
    return stage->prepare(cores) ? std::move(stage) : nullptr;
}

bool Stage::prepare(Cores cores)
{
    m_control.emplace(address(), BlockingConnection::Options{});
    m_figures.emplace(*m_control);
    if (!m_control->open()) {
        std::fprintf(stderr, "the server can't be reached\n");
        return false;
    }
    if (cores == Cores::Apart)
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
