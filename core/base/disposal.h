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

/// Something that can be destroyed piece by piece. False: little is left.
template <typename T>
concept Sheddable = requires(T &value)
{
    {
        value.shed()
        } -> std::same_as<bool>;
};

/// Destroys a value on another thread, one after the other: giving back the memory of a hundred thousand locks takes longer than a
/// turn of the event loop may. Nothing else may use what it holds, but for data that is shared implicitly.
template <typename T>
void disposeElsewhere(T value)
{
    disposalPool().start([kept = std::make_shared<T>(std::move(value))]() mutable {
        // Whoever needs memory from where this goes back to waits meanwhile: what is large leaves pauses.
        if constexpr (Sheddable<T>) {
            while (kept->shed())
                std::this_thread::sleep_for(std::chrono::milliseconds(1));
        }
        kept.reset();
    });
}

} // namespace lockscope
