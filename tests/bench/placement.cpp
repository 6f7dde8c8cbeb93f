// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/bench/placement.h"

#include <QList>

#include <cstdio>
#include <vector>

namespace lockscope {

namespace {

void tie(pid_t process, size_t core)
{
    cpu_set_t cores;
    CPU_ZERO(&cores);
    CPU_SET(core, &cores);
    ::sched_setaffinity(process, sizeof cores, &cores);
}

} // namespace

Pinned::Pinned(BlockingConnection &server, Placement placement)
{
    ::sched_getaffinity(0, sizeof m_before, &m_before);
    std::vector<size_t> cores;
    for (size_t core = 0; core < CPU_SETSIZE && cores.size() < 2; ++core) {
        if (CPU_ISSET(core, &m_before))
            cores.push_back(core);
    }
    const auto info = server.send({"INFO", "server"});
    const QByteArray name = "process_id:";
    const qsizetype at = info ? info->text.indexOf(name) : -1;
    if (at < 0) {
        std::fprintf(stderr, "the server does not tell its process: nothing is pinned\n");
        return;
    }
    m_server = info->text.sliced(at + name.size()).split('\r').front().toInt();
    tie(m_server, cores.front());
    tie(0, placement == Placement::OneCore ? cores.front() : cores.back());
}

Pinned::~Pinned()
{
    if (m_server == 0)
        return;
    ::sched_setaffinity(m_server, sizeof m_before, &m_before);
    ::sched_setaffinity(0, sizeof m_before, &m_before);
}

} // namespace lockscope
