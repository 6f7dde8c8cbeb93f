// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFuture>

#include <type_traits>
#include <utility>

namespace lockscope {

/// A future that has finished with `value`. Qt 6.6 renamed its own function and deprecated the old name.
template <typename T>
QFuture<std::decay_t<T>> readyFuture(T &&value)
{
#if QT_VERSION >= QT_VERSION_CHECK(6, 6, 0)
    return QtFuture::makeReadyValueFuture(std::forward<T>(value));
#else
    return QtFuture::makeReadyFuture(std::forward<T>(value));
#endif
}

} // namespace lockscope
