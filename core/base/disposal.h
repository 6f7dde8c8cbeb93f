// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QThreadPool>

#include <chrono>
#include <concepts>
#include <memory>
#include <thread>
#include <utility>

namespace lockscope {

QThreadPool &disposalPool();

/// A value that can be destroyed piece by piece. False: little is left.
template <typename T>
concept Sheddable = requires(T &value)
{
    {
        value.shed()
        } -> std::same_as<bool>;
};

/// Destroys values on another thread, one after the other: freeing a hundred thousand locks blocks the event
/// loop for too long. Nothing else may use the value, except implicitly shared data.
template <typename T>
void disposeElsewhere(T value)
{
    disposalPool().start([kept = std::make_shared<T>(std::move(value))]() mutable {
        // Other threads wait for the allocator meanwhile: large values leave pauses.
        if constexpr (Sheddable<T>) {
            while (kept->shed())
                std::this_thread::sleep_for(std::chrono::milliseconds(1));
        }
        kept.reset();
    });
}

} // namespace lockscope
