// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/redis/error.h"

#include <QFuture>
#include <QtTest>

namespace lockscope {

/// The future's result, with the event loop running until it is there (10 s at most).
template <typename T>
Result<T> waitFor(QFuture<Result<T>> future)
{
    if (!QTest::qWaitFor([&] { return future.isFinished(); }, 10'000) || future.resultCount() == 0)
        return tl::unexpected(Error{ErrorKind::Canceled, "the future did not finish with a result"});
    return future.result();
}

} // namespace lockscope
