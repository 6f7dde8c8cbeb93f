// SPDX-License-Identifier: GPL-3.0-or-later
// Laravel's cache: a string of random letters, as its serializer writes it, under the prefixes of the application.
#include "core/family/familytable.h"
#include "core/family/unwrap.h"

namespace lockscope {

namespace {

/// Scheduled tasks, commands and unique jobs, which delete the key when they end.
bool isReleasedUnchecked(QByteArrayView key)
{
    return key.contains("laravel_unique_job:") || key.contains("framework/schedule-") ||
           key.contains("framework/command-");
}

bool isOwnName(QByteArrayView key)
{
    return isReleasedUnchecked(key) || key.contains("laravel-queue-overlap:");
}

/// Before and after 9, and since 11, by the prefixes of the application's own configuration.
bool hasPrefix(QByteArrayView key)
{
    const bool hasCache = key.contains("_cache:") || key.contains("_cache_");
    return key.contains("laravel_cache:") || (key.contains("_database_") && hasCache) ||
           (key.contains("-database-") && key.contains("-cache-"));
}

/// As phpredis writes what it was told to serialise.
bool isSerialized(QByteArrayView value)
{
    return value.startsWith("s:16:\"") || static_cast<uchar>(value[0]) < ' ' ||
           static_cast<uchar>(value[0]) > '~';
}

/// What LZF can't shorten it leaves as it is, behind its length less one.
QByteArrayView withoutLzf(QByteArrayView value)
{
    constexpr uchar longestRun = 32;
    const auto run = static_cast<uchar>(value.front());
    return value.size() > 1 && run < longestRun && value.size() == run + 2 ? value.sliced(1) : value;
}

/// One in 17 has no digit, or looks like words. Of what an application keeps in its cache only numbers are bare.
bool isBareToken(QByteArrayView value)
{
    constexpr qsizetype length = 16;
    return value.size() == length && isAlphanumeric(value) && !isDigits(value);
}

/// What was compressed else can't be read: then a name must tell more than the cache's prefix does.
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
