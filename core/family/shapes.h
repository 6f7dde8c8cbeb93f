// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/compactoptional.h"

#include <QByteArray>
#include <QByteArrayView>

#include <optional>

namespace lockscope {

// What bytes look like, without a look at where they stand. All pure; nothing allocates.

bool isLowerHex(QByteArrayView text); ///< false for no bytes at all, as are the next five
bool isDigits(QByteArrayView text);
/// What a counter may be: digits, with a sign where it was counted below zero.
bool isCount(QByteArrayView text);
/// A re-entry count as the scripts accept it: decimal, at least 1, no sign, no leading zero, below 10^15.
std::optional<qint64> parseCount(QByteArrayView text);
bool isAlphanumeric(QByteArrayView text);
bool isBase64(QByteArrayView text); ///< without padding
bool isBase64Url(QByteArrayView text);
/// 8-4-4-4-12 digits, lower case.
bool isUuid(QByteArrayView text);
/// Of 32 hex digits, or of a UUID with its hyphens; 0 where the variant is not the usual one.
int uuidVersion(QByteArrayView uuid);
/// The epoch ms in a UUID of version 1, of 32 hex digits; absent for other versions and outside 2010 to 2100.
CompactOptional<qint64> uuidTime(QByteArrayView hex);
/// Epoch ms of "2026-11-21T20:13:35.123456Z", with as many digits of a second as Java's Instant has: none, 3, 6 or 9.
CompactOptional<qint64> isoTime(QByteArrayView text);
/// Capitals, small letters and digits: as random letters have them, and words hardly do.
bool isMixed(QByteArrayView text);
/// Random letters of both cases: something else among them, as nearly all base64 has, or capitals as often as small letters,
/// as hardly any words joined together have.
bool looksRandom(QByteArrayView text);
/// Whether base64 of 16 bytes can end so: the last letter has two bits of them.
bool endsSixteenBytes(char last);

inline constexpr qsizetype uuidLength = 36;
inline constexpr qsizetype hexUuidLength = 32;
/// Epoch ms.
inline constexpr double year2001 = 978'307'200'000;
inline constexpr qint64 dayMs = 86'400'000;
/// Redisson's ids of permits are raw bytes.
inline constexpr qsizetype permitIdLength = 16;

/// An owner of madelson's locks: machine, process and a random part.
struct ProcessToken
{
    QByteArrayView machine;
    QByteArrayView process;
    bool namesAMachine =
        false; ///< not just a word of small letters, which other tokens begin with too: "user_42_…"
    bool waits = false; ///< a writer that waits for readers, and holds nothing
};
std::optional<ProcessToken> processToken(QByteArrayView text);

/// Redisson's owners: client and thread, what a transaction adds, and whether as a writer.
struct RedissonId
{
    QByteArrayView clientAndThread;
    QByteArrayView transaction;
    bool writes = false;

    QByteArrayView client() const { return clientAndThread.first(36); }
    QByteArrayView thread() const { return clientAndThread.sliced(37); }
};
std::optional<RedissonId> redissonId(QByteArrayView text);

/// What a string's value looks like.
enum class TokenFormat : quint8 {
    Other,
    Uuid,
    CountedUuid,  ///< a UUID, a colon, a number
    SuffixedUuid, ///< a UUID, a hyphen, anything
    Hex32,
    Hex40,
    Letters16, ///< and digits, random ones
    Letters20,
    Base64Of16, ///< bytes, padded
    Base64Of18,
    Base64Of32,     ///< padded
    Url16,          ///< 16 bytes as base64url, unpadded
    Url16AndMore,   ///< the same, then something that can't belong to it
    Url16MaybeMore, ///< the same, then something that might
    AddedAt,        ///< ShedLock's: when, to the millisecond, and where
    Process,        ///< a ProcessToken
    NodeAndTime,    ///< a name, epoch ms, 16 hex digits
    TimeAndProcess, ///< epoch ms, small letters and digits, a number: redlock-universal's lean lock
};
TokenFormat shapeOf(QByteArrayView value);

/// What a field of a hash looks like.
enum class FieldFormat : quint8 {
    Other,
    RedissonId, ///< a client and a thread
    UuidPair,   ///< two UUIDs, or a UUID and any text, with a colon between
    Mode,       ///< "mode", as read-write locks have it
    JobId,      ///< 24 hex digits
    ValueHash,  ///< 16 bytes as base64, alone or with more behind them
};
FieldFormat fieldFormatOf(QByteArrayView field);

/// The UUID of version 1 in base64 of 16 bytes, as 32 hex digits; empty where they are none.
QByteArray uuidInBase64(QByteArrayView value);

/// True where the name has "lock", "mutex" or "semaphore" as a word, in whatever way its words are joined; false for
/// "block", "clock" and "unlocked".
bool namesALock(QByteArrayView key);
/// That word, with the s of a plural, as it stands in the name; empty where there is none.
QByteArrayView lockWordIn(QByteArrayView key);

} // namespace lockscope
