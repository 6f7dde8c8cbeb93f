// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/redis/command.h"

#include "core/redis/resp.h"

#include <algorithm>
#include <array>

namespace lockscope {

namespace {

bool same(QByteArrayView a, QByteArrayView b)
{
    return a.size() == b.size() && a.compare(b, Qt::CaseInsensitive) == 0;
}

} // namespace

void CommandBatch::add(std::span<const QByteArrayView> command)
{
    appendCommand(m_wire, command);
    ++m_size;
    m_readsOnly = m_readsOnly && isReadCommand(command);
}

bool isReadCommand(std::span<const QByteArrayView> command)
{
    static constexpr std::array<QByteArrayView, 10> reads{"PTTL", "TYPE", "HSCAN",  "GETRANGE", "SCAN",
                                                          "PING", "INFO", "DBSIZE", "SELECT",   "AUTH"};
    if (command.empty())
        return false;
    if (std::ranges::any_of(reads, [&](QByteArrayView name) { return same(name, command[0]); }))
        return true;
    return command.size() > 1 && same(command[0], "CLIENT") && same(command[1], "SETNAME");
}

} // namespace lockscope
