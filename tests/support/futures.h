// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/redis/error.h"

#include <QFuture>
#include <QtTest>

namespace lockscope {

/// Returns the future's result; runs the event loop for at most 10 s.
template <typename T>
Result<T> waitFor(QFuture<Result<T>> future)
{
    if (!QTest::qWaitFor([&] { return future.isFinished(); }, 10'000) || future.resultCount() == 0)
        return tl::unexpected(Error{ErrorKind::Canceled, "the future did not finish with a result"});
    return future.result();
}

} // namespace lockscope
