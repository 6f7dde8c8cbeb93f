// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QHashFunctions>

namespace lockscope {

/// For standard containers of types with qHash(). Not noexcept, so that they store the hash with each value.
template <typename T>
struct TableHash
{
    // NOLINTNEXTLINE(performance-noexcept-move-constructor)
    size_t operator()(const T &value) const { return qHash(value, QHashSeed::globalSeed()); }
};

} // namespace lockscope
