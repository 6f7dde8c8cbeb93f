// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/lock/family/recognise.h"

#include <algorithm>
#include <charconv>

namespace lockscope {

namespace {

constexpr qsizetype longestToken =
    512; // tokens are UUIDs and the like; a document under a lock's name is none

Recognition recogniseHash(const HashContent &hash)
{
    Recognition result;
    bool anyCount = false;
    bool anyBad = false;
    for (const auto &[field, value] : hash.fields) {
        const std::optional<qint64> count = parseCount(value);
        anyCount = anyCount || count;
        anyBad = anyBad || !count;
        result.holders.append({OwnerId(field), value, count});
    }
    std::ranges::sort(result.holders, {}, [](const Holder &holder) { return holder.owner; });
    const bool named =
        std::ranges::none_of(result.holders, [](const Holder &h) { return h.owner.isEmpty(); });
    if (!hash.complete)
        result.problems |= Problem::TooBig;
    // One field is one owner, whatever became of its count. Among several, at least one must look like a
    // count: else it is somebody's record and no lock.
    if (!named || !hash.complete || (result.holders.size() > 1 && !anyCount)) {
        result.holders.clear();
        return result;
    }
    result.family = Family::Reentrant;
    result.problems.setFlag(Problem::BadCount, anyBad);
    result.problems.setFlag(Problem::SeveralOwners, result.holders.size() > 1);
    return result;
}

Recognition recogniseString(const StringContent &string)
{
    Recognition result;
    result.problems.setFlag(Problem::TooBig, !string.complete);
    if (!string.complete || string.value.isEmpty() || string.value.size() > longestToken)
        return result;
    result.family = Family::Token;
    result.holders.append({OwnerId(string.value), {}, 1});
    return result;
}

} // namespace

Recognition recognise(const LockKey &, const KeyContent &content, Maybe<milliseconds>, qint64)
{
    if (const auto *hash = std::get_if<HashContent>(&content))
        return recogniseHash(*hash);
    if (const auto *string = std::get_if<StringContent>(&content))
        return recogniseString(*string);
    return {Family::Unknown, {}, Problem::WrongType};
}

Family familyWithBeside(const Lock &lock)
{
    return lock.family;
}

QList<Family> candidatesOf(const Lock &)
{
    return {};
}

std::optional<qint64> parseCount(QByteArrayView text)
{
    constexpr qsizetype mostDigits = 15; // Lua's numbers are exact to 2^53
    qint64 count = 0;
    if (text.isEmpty() || text.size() > mostDigits || text[0] < '1' || text[0] > '9')
        return std::nullopt;
    const char *end = text.data() + text.size();
    const auto [stop, failure] = std::from_chars(text.data(), end, count);
    if (failure != std::errc() || stop != end)
        return std::nullopt;
    return count;
}

} // namespace lockscope
