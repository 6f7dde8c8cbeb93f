// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/redis/error.h"

#include <QEventLoop>
#include <QFuture>
#include <QFutureWatcher>
#include <QTimer>

namespace lockscope {

/// The future's result, with the event loop running until it is there. Not QTest::qWaitFor(), which sleeps between two looks:
/// ten thousand races would take minutes of it.
template <typename T>
Result<T> await(QFuture<Result<T>> future, std::chrono::milliseconds patience = std::chrono::seconds(30))
{
    QEventLoop loop;
    QFutureWatcher<Result<T>> watcher;
    QObject::connect(&watcher, &QFutureWatcherBase::finished, &loop, &QEventLoop::quit);
    QTimer::singleShot(patience, &loop, &QEventLoop::quit);
    watcher.setFuture(future);
    if (!future.isFinished())
        loop.exec();
    if (!future.isFinished() || future.resultCount() == 0)
        return tl::unexpected(Error{ErrorKind::Canceled, "the future did not finish with a result"});
    return future.result();
}

/// The event loop for so long.
inline void runFor(std::chrono::milliseconds duration)
{
    QEventLoop loop;
    QTimer::singleShot(duration, &loop, &QEventLoop::quit);
    loop.exec();
}

/// The event loop until the predicate holds, which is asked every few milliseconds.
template <typename Predicate>
bool runUntil(Predicate predicate, std::chrono::milliseconds patience)
{
    const auto end = std::chrono::steady_clock::now() + patience;
    while (!predicate()) {
        if (std::chrono::steady_clock::now() >= end)
            return false;
        runFor(std::chrono::milliseconds(5));
    }
    return true;
}

} // namespace lockscope
