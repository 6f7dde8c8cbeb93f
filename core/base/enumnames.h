// SPDX-License-Identifier: GPL-3.0-or-later
// Tables of names for enums.
#pragma once

#include <QByteArray>
#include <QByteArrayList>

#include <algorithm>
#include <array>
#include <functional>
#include <optional>
#include <utility>

namespace lockscope {

template <typename Enum>
using Named = std::pair<Enum, const char *>;

/// Empty for a value without a name.
template <typename Enum, size_t size>
QByteArray nameIn(const std::array<Named<Enum>, size> &names, Enum value)
{
    const auto named = std::ranges::find(names, value, &Named<Enum>::first);
    return named == names.end() ? QByteArray() : QByteArray(named->second);
}

template <typename Enum, size_t size>
std::optional<Enum> valueIn(const std::array<Named<Enum>, size> &names, QByteArrayView name)
{
    const auto named = std::ranges::find_if(names, [&](const auto &entry) { return name == entry.second; });
    return named == names.end() ? std::nullopt : std::optional(named->first);
}

template <typename Enum, size_t size>
QByteArrayList namesIn(const std::array<Named<Enum>, size> &names)
{
    QByteArrayList all;
    for (const auto &named : names)
        all.append(named.second);
    return all;
}

/// True if the table's rows are for all values from 0 to `last`, in order: it can be indexed by value.
/// `valueOf`: of a row, as a function or a member.
template <typename Row, size_t size, typename Value, typename Of>
constexpr bool isByValue(const Row (&rows)[size], Value last, Of valueOf)
{
    return size == size_t(last) + 1 &&
           std::ranges::all_of(rows, [valueOf, at = size_t(0)](const Row &row) mutable {
               return size_t(std::invoke(valueOf, row)) == at++;
           });
}

/// A table that is called as a function: the name of a value.
template <typename Enum, size_t size>
struct EnumNames
{
    std::array<Named<Enum>, size> names;

    QByteArray operator()(Enum value) const { return nameIn(names, value); }
    std::optional<Enum> valueOf(QByteArrayView name) const { return valueIn(names, name); }
};
template <typename Enum, typename... More>
EnumNames(Named<Enum>, More...) -> EnumNames<Enum, 1 + sizeof...(More)>;

} // namespace lockscope
