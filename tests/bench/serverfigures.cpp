// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/bench/serverfigures.h"

namespace lockscope {

namespace {

/// "name:value" on a line of its own; empty where there is none.
QByteArray lineOf(const QByteArray &section, const QByteArray &name)
{
    const QByteArray begin = '\n' + name + ':';
    const qsizetype at = section.indexOf(begin);
    if (at < 0)
        return {};
    const qsizetype from = at + begin.size();
    return section.sliced(from, section.indexOf('\r', from) - from);
}

/// The value of "name=value" between commas.
double part(const QByteArray &line, const QByteArray &name)
{
    for (const QByteArray &field : line.split(',')) {
        if (field.startsWith(name + '='))
            return field.sliced(name.size() + 1).toDouble();
    }
    return 0;
}

} // namespace

QByteArray ServerFigures::section(QByteArrayView name)
{
    const auto info = m_server.send({"INFO", name});
    return info ? info->text : QByteArray();
}

std::chrono::duration<double> ServerFigures::cpu()
{
    const QByteArray figures = section("cpu");
    return std::chrono::duration<double>(lineOf(figures, "used_cpu_user").toDouble() +
                                         lineOf(figures, "used_cpu_sys").toDouble());
}

qint64 ServerFigures::calls(QByteArrayView command)
{
    const QByteArray line = lineOf(section("commandstats"), "cmdstat_" + command.toByteArray());
    return static_cast<qint64>(part(line, "calls"));
}

std::chrono::duration<double> ServerFigures::timeIn(const QByteArrayList &commands)
{
    const QByteArray figures = section("commandstats");
    double sum = 0;
    for (const QByteArray &command : commands)
        sum += part(lineOf(figures, "cmdstat_" + command), "usec");
    return std::chrono::duration<double, std::micro>(sum);
}

ServerFigures::Longest ServerFigures::longest(const QByteArrayList &commands)
{
    const QByteArray figures = section("latencystats");
    Longest longest;
    for (const QByteArray &command : commands) {
        const double time = part(lineOf(figures, "latency_percentiles_usec_" + command), "p99.9");
        if (time > longest.time.count())
            longest = {command, std::chrono::duration<double, std::micro>(time)};
    }
    return longest;
}

} // namespace lockscope
