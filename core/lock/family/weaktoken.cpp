// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/lock/family/weaktoken.h"

#include "core/lock/family/shapes.h"

#include <algorithm>
#include <array>

namespace lockscope {

namespace {

constexpr std::array<QByteArrayView, 20> constants{
    "y",      "t",     "ok",  "on",     "yes",   "true", "busy",   "held",     "lock",    "mutex",
    "locked", "taken", "set", "exists", "value", "x",    "active", "acquired", "locking", "owned"};
constexpr qsizetype longestProcessId = 7; // Linux counts to 4,194,304
constexpr qsizetype secondsLength = 10;   // epoch seconds, from 2001 to 2286
constexpr qsizetype msLength = 13;

/// Epoch seconds, with a fraction or not, or milliseconds.
bool isTime(QByteArrayView value)
{
    const qsizetype point = value.indexOf('.');
    const QByteArrayView whole = point < 0 ? value : value.first(point);
    if (!isDigits(whole) || whole[0] != '1' || (point >= 0 && !isDigits(value.sliced(point + 1))))
        return false;
    return whole.size() == secondsLength || (point < 0 && whole.size() == msLength);
}

} // namespace

WeakToken weakTokenOf(const Lock &lock)
{
    if (lock.type != KeyType::String || lock.holders.size() != 1)
        return WeakToken::No;
    const Taking taking = factsOf(lock.family).taking;
    if (taking == Taking::NoOwners || taking == Taking::IsJob)
        return WeakToken::No;
    const QByteArray &value = lock.holders.front().owner.bytes;
    const QByteArray small = value.size() < 16 ? value.toLower() : value;
    if (value == "1" || value == lock.key().bytes ||
        std::ranges::find(constants, QByteArrayView(small)) != constants.end())
        return WeakToken::Constant;
    if (isTime(value))
        return WeakToken::Time;
    return !value.isEmpty() && value.size() <= longestProcessId && isDigits(value) ? WeakToken::Number
                                                                                   : WeakToken::No;
}

} // namespace lockscope
