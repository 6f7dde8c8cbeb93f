// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/redis/deployment/commandkey.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace lockscope {

namespace {

/// Walks over the arguments of "*2\r\n$3\r\nGET\r\n$1\r\nk\r\n".
class Arguments
{
public:
    explicit Arguments(QByteArrayView encoded) : m_rest(encoded) { takeNumber(); }

    QByteArrayView next()
    {
        const qsizetype length = takeNumber();
        if (length < 0 || length + 2 > m_rest.size())
            return {};
        const QByteArrayView argument = m_rest.first(length);
        m_rest = m_rest.sliced(length + 2);
        return argument;
    }

private:
    /// The number in a line such as "$3"; -1: none.
    qsizetype takeNumber()
    {
        const qsizetype end = m_rest.indexOf('\r');
        if (end < 1 || end + 2 > m_rest.size())
            return -1;
        qsizetype number = -1;
        std::from_chars(m_rest.data() + 1, m_rest.data() + end, number);
        m_rest = m_rest.sliced(end + 2);
        return number;
    }

    QByteArrayView m_rest;
};

} // namespace

CommandTarget targetOf(QByteArrayView command)
{
    using Nodes = CommandTarget::Nodes;
    static constexpr std::array<QByteArrayView, 16> keyless{
        "SCAN",  "DBSIZE", "INFO", "PING",   "CLIENT",  "CONFIG", "COMMAND", "CLUSTER",
        "MULTI", "EXEC",   "AUTH", "SELECT", "MONITOR", "ROLE",   "SCRIPT",  "ASKING"};
    Arguments arguments(command);
    const QByteArrayView verb = arguments.next();
    if (verb == "PUBSUB")
        return {arguments.next().endsWith("NUMSUB") ? Nodes::All : Nodes::Any};
    if (std::ranges::find(keyless, verb) != keyless.end())
        return {};
    QByteArrayView key = arguments.next();
    if (verb == "EVAL" || verb == "EVALSHA") {
        if (arguments.next() == "0")
            return {};
        key = arguments.next();
    }
    return {Nodes::OfKey, key};
}

} // namespace lockscope
