// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QtGlobal>

#include <limits>
#include <optional>

namespace lockscope {

/// The value of T that means absent, and never occurs otherwise.
template <typename T>
inline constexpr T noValue = T::min();
template <>
inline constexpr qint64 noValue<qint64> = std::numeric_limits<qint64>::min();

/// An optional of the size of its value, for objects that exist by the hundred thousand.
template <typename T>
class CompactOptional
{
public:
    constexpr CompactOptional() = default;
    constexpr CompactOptional(std::nullopt_t) {}
    constexpr CompactOptional(const T &value) : m_value(value) {}
    constexpr CompactOptional(const std::optional<T> &value) : m_value(value.value_or(noValue<T>)) {}

    constexpr bool has_value() const { return m_value != noValue<T>; }
    constexpr explicit operator bool() const { return has_value(); }
    constexpr operator std::optional<T>() const { return *this ? std::optional(m_value) : std::nullopt; }
    constexpr const T &operator*() const { return m_value; }
    constexpr const T *operator->() const { return &m_value; }
    constexpr T value_or(const T &other) const { return *this ? m_value : other; }
    constexpr void reset() { m_value = noValue<T>; }

    friend constexpr bool operator==(const CompactOptional &, const CompactOptional &) = default;

private:
    T m_value = noValue<T>;
};

} // namespace lockscope
