// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QThreadPool>

#include <memory>
#include <utility>

namespace lockscope {

/// Destroys a value on a thread of the pool: giving back the memory of a hundred thousand locks takes longer than a turn of the
/// event loop may. Nothing else may use what it holds, but for data that is shared implicitly.
template <typename T>
void disposeElsewhere(T value)
{
    QThreadPool::globalInstance()->start(
        [kept = std::make_shared<T>(std::move(value))]() mutable { kept.reset(); });
}

} // namespace lockscope
