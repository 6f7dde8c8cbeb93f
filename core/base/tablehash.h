// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QHashFunctions>

namespace lockscope {

/// For the tables of the standard library, of what has a qHash(). Not noexcept: so they keep the hash with each value instead of
/// computing it anew for its neighbours.
template <typename T>
struct TableHash
{
    // NOLINTNEXTLINE(performance-noexcept-move-constructor)
    size_t operator()(const T &value) const { return qHash(value, QHashSeed::globalSeed()); }
};

} // namespace lockscope
