// SPDX-License-Identifier: GPL-3.0-or-later
// Laravel's cache: a string of random letters, as its serializer writes it, under the prefixes of the application.
#include "core/family/familytable.h"
#include "core/family/unwrap.h"

namespace lockscope {

namespace {

/// True for scheduled tasks, commands and unique jobs, which delete the key at their end.
bool isReleasedUnchecked(QByteArrayView key)
{
    return key.contains("laravel_unique_job:") || key.contains("framework/schedule-") ||
           key.contains("framework/command-");
}

bool isOwnName(QByteArrayView key)
{
    return isReleasedUnchecked(key) || key.contains("laravel-queue-overlap:");
}

/// True for prefixes of versions before 9, from 9, and from 11, by the application's configuration.
bool hasPrefix(QByteArrayView key)
{
    const bool hasCache = key.contains("_cache:") || key.contains("_cache_");
    return key.contains("laravel_cache:") || (key.contains("_database_") && hasCache) ||
           (key.contains("-database-") && key.contains("-cache-"));
}

bool isSerialized(QByteArrayView value)
{
    return value.startsWith("s:16:\"") || static_cast<uchar>(value[0]) < ' ' ||
           static_cast<uchar>(value[0]) > '~';
}

/// The value if LZF did not shorten it: stored unchanged after its length minus one.
QByteArrayView withoutLzf(QByteArrayView value)
{
    constexpr uchar longestRun = 32;
    const auto run = static_cast<uchar>(value.front());
    return value.size() > 1 && run < longestRun && value.size() == run + 2 ? value.sliced(1) : value;
}

/// True for a bare token; one in 17 has no digit or looks like words. Cached bare values are numbers.
bool isBareToken(QByteArrayView value)
{
    constexpr qsizetype length = 16;
    return value.size() == length && isAlphanumeric(value) && !isDigits(value);
}

/// True for a token. In another compression it is unreadable, and needs a name besides the cache's prefix.
bool isOwnToken(QByteArrayView key, QByteArrayView value)
{
    if (isOwnName(key) && isSerialized(value))
        return true;
    const QByteArrayView stored = withoutLzf(value);
    const std::optional<QByteArrayView> text = unwrapped(stored);
    const bool isToken = text ? shapeOf(*text) == TokenFormat::Letters16 : isBareToken(stored);
    return isToken && (isOwnName(key) || hasPrefix(key));
}

std::optional<StringMatch> matchString(const StringValue &string)
{
    const bool isLeased = string.ttl.has_value();
    switch (string.format) {
    case TokenFormat::Letters16:
        return StringMatch{contentEvidence(isOwnName(string.key) || hasPrefix(string.key), isLeased)};
    case TokenFormat::Letters20: // the slots of its limiter
        return StringMatch();
    default:
        if (isOwnToken(string.key, string.value))
            return StringMatch{contentEvidence(true, isLeased)};
        return std::nullopt;
    }
}

} // namespace

constinit const FamilySpec families::laravel{
    .name = "laravel",
    .noun = QT_TRANSLATE_NOOP("phrases", "Laravel cache lock"),
    .stored = "string: 16 letters or digits, under a Laravel cache prefix",
    .proof = provenByHint,
    .prevalence = 85,
    .usualNames = {"laravel_database_laravel_cache*", "laravel-database-laravel-cache-*", "laravel_cache*",
                   "laravel-cache-*"},
    .discovery = Discovery::Hint, // where all that is cached stands
    .canLackExpiry = true,
    .strings = {TokenFormat::Letters16, TokenFormat::Letters20, TokenFormat::Other},
    .matchString = matchString,
    .isReleasedUnchecked = isReleasedUnchecked,
};

} // namespace lockscope
