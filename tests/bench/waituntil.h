// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/time.h"

#include <QDeadlineTimer>
#include <QEventLoop>
#include <QTimer>

namespace lockscope {

/// With an event loop that sleeps only where there is nothing to do.
template <typename IsSo>
bool waitUntil(IsSo isSo, std::chrono::milliseconds patience = std::chrono::seconds(60))
{
    QEventLoop loop;
    QTimer look;
    const QDeadlineTimer end(patience);
    QObject::connect(&look, &QTimer::timeout, &loop, [&] {
        if (isSo() || end.hasExpired())
            loop.quit();
    });
    look.start(2);
    loop.exec();
    return isSo();
}

} // namespace lockscope
