// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/watch/monitorsource.h"

#include <QtTest>

#include <type_traits>

namespace lockscope {

/// A source that emits events of a test.
class ToldSource : public MonitorSource
{
public:
    using MonitorSource::tell;
};

inline ConnectionStatus statusOf(Link::State state)
{
    ConnectionStatus status;
    status.state = state;
    return status;
}

inline ScanStats wholeScan()
{
    ScanStats stats;
    stats.complete = true;
    return stats;
}

/// Calls `take` with each T emitted by a monitor or source, or without it; of scans only complete ones.
template <typename T, typename Source, typename Take>
void onTold(const Source &source, const QObject *context, Take take)
{
    QObject::connect(&source, &Source::reported, context, [take](const MonitorReport &event) mutable {
        const auto *told = std::get_if<T>(&event);
        if (!told)
            return;
        if constexpr (std::is_same_v<T, ScanStats>) {
            if (!told->complete)
                return;
        }
        if constexpr (std::is_invocable_v<Take &>)
            take();
        else if constexpr (std::is_invocable_v<Take &, const T &>)
            take(*told);
        else
            take(told->at);
    });
}

/// Records everything of one type that is emitted, in order; of scans only complete ones.
template <typename T>
class ToldSpy : public QObject, public QList<T>
{
public:
    template <typename Source>
    explicit ToldSpy(const Source &source)
    {
        onTold<T>(source, this, [this](const T &told) { this->append(told); });
    }
    /// Waits for another one.
    bool wait(int timeoutMs = 5000)
    {
        const qsizetype before = this->size();
        return QTest::qWaitFor([&] { return this->size() > before; }, timeoutMs);
    }
};

} // namespace lockscope
