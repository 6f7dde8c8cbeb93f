// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFuture>
#include <QObject>
#include <QPointer>

#include <utility>

namespace lockscope {

/// Calls `then` with the future's result, unless `context` is gone by then. The future must finish on the
/// context's thread. Qt 6.4's own then() asserts if it outlives its context.
template <typename T, typename Continuation>
void whenDone(QObject *context, QFuture<T> future, Continuation then)
{
    future.then([guard = QPointer<QObject>(context), then = std::move(then)](const T &result) mutable {
        if (guard)
            then(result);
    });
}

} // namespace lockscope
