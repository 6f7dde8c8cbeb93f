// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace lockscope {

/// For std::visit(): one function per alternative of interest, and `[](const auto &) {}` for the rest.
template <typename... Functions>
struct Match : Functions...
{
    using Functions::operator()...;
};
template <typename... Functions>
Match(Functions...) -> Match<Functions...>;

} // namespace lockscope
