// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>

#include <tl/expected.hpp>

#include <chrono>
#include <functional>
#include <span>

namespace lockscope {

/// Pairs of acquire and release a second; or, as a sentence, why there is no such figure.
using Rate = tl::expected<double, QByteArray>;

/// One side of a comparison.
struct Contestant
{
    QByteArray name;
    std::function<Rate()> measure; ///< one round
    double target = 0;             ///< what our own rate is to be, in multiples of this one
};

/// Lets our own side and its peers run in turn, round after round, so that what else the machine does meets all
/// of them, and prints a row for each peer: medians, and the median of the ratios within the rounds. A peer that
/// can't be measured gets a row that says why. False: our own side could not be.
bool compete(const QByteArray &what, const Contestant &own, std::span<const Contestant> peers, int rounds);

/// The line above the rows.
void printHeading(const QByteArray &title);

/// Does one pair; false: it failed.
using Pair = std::function<bool()>;

/// So many threads, each with a `prepare`d pair of its own (made on the thread, which connects there), for so
/// long after all are ready.
Rate ratePairs(int threads, std::chrono::milliseconds duration,
               const std::function<Pair(int thread)> &prepare);

} // namespace lockscope
