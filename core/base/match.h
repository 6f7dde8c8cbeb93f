// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace lockscope {

/// For std::visit(): a function for each alternative that is of interest, and for the rest `[](const auto &) {}`.
template <typename... Functions>
struct Match : Functions...
{
    using Functions::operator()...;
};
template <typename... Functions>
Match(Functions...) -> Match<Functions...>;

} // namespace lockscope
