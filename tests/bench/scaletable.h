// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/bench/series.h"

namespace lockscope {

/// One line of the table; what it was measured on comes before it.
struct ScaleRow
{
    QByteArray what;
    QByteArray measured;
    QByteArray peer;  ///< a limit or another way, in the same run
    QByteArray ratio; ///< empty: there is none
    QByteArray target;
    bool isMet = false;
};

/// `what` is measured: its first line.
void printScaleHeading(const QByteArray &what);
/// That of the benches with a server of their own on one core.
void printScaleHeading();
void printRow(const ScaleRow &row);
/// A row that can't be measured, and why.
void printNotMeasured(const QByteArray &what, const QByteArray &why);

/// Own and other figures of the same rounds.
class PairedTimes
{
public:
    void add(double own, double peer);
    bool isEmpty() const { return m_own.isEmpty(); }
    /// "at most" (or, where `isLeast`, "at least") so many times the peer.
    ScaleRow row(const QByteArray &what, const QByteArray &peer, const QByteArray &unit, int decimals,
                 double target, bool isLeast = false) const;

private:
    Series m_own;
    Series m_peer;
    Series m_ratio;
};

} // namespace lockscope
