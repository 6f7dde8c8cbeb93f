// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/bench/scaletable.h"

#include "tests/bench/coldmemory.h"

#include <cstdio>

namespace lockscope {

namespace {

constexpr char format[] = "%-50s | %-26s | %-58s | %-16s | %-26s | %s\n";

} // namespace

void printScaleHeading()
{
    printScaleHeading(
        "Live at scale: medians (quartiles) of the rounds, in which all sides took turns; the server has "
        "one core, all else the other.\nA ratio is the median of the rounds' own ratios. " +
        coldMemoryText());
}

void printScaleHeading(const QByteArray &what)
{
    std::printf("\n%s\n\n", what.constData());
    std::printf(format, "what", "measured", "limit or peer in the same run", "ratio", "target", "verdict");
    std::fflush(stdout);
}

void printRow(const ScaleRow &row)
{
    std::printf(format, row.what.constData(), row.measured.constData(), row.peer.constData(),
                row.ratio.constData(), row.target.constData(), row.isMet ? "met" : "MISSED");
    std::fflush(stdout);
}

void printNotMeasured(const QByteArray &what, const QByteArray &why)
{
    std::printf("%-50s | not measured: %s\n", what.constData(), why.constData());
    std::fflush(stdout);
}

void PairedTimes::add(double own, double peer)
{
    m_own.add(own);
    m_peer.add(peer);
    m_ratio.add(own / peer);
}

ScaleRow PairedTimes::row(const QByteArray &what, const QByteArray &peer, const QByteArray &unit,
                          int decimals, double target, bool isLeast) const
{
    const double ratio = m_ratio.median();
    return {what,
            m_own.text(decimals) + ' ' + unit,
            peer + ": " + m_peer.text(decimals) + ' ' + unit,
            m_ratio.ratio(),
            (isLeast ? ">= " : "<= ") + QByteArray::number(target, 'f', 2),
            isLeast ? ratio >= target : ratio <= target};
}

} // namespace lockscope
