// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/compactoptional.h"

#include <QByteArray>
#include <QByteArrayView>

#include <optional>

namespace lockscope {

// Formats of bytes, independent of where they stand. All pure; nothing allocates.

bool isLowerHex(QByteArrayView text); ///< false for an empty text, as are the next five
bool isDigits(QByteArrayView text);
/// True for digits, with a sign if negative.
bool isCount(QByteArrayView text);
/// Reads a hold count as the scripts accept it: decimal, at least 1, no sign, no leading zero, below 10^15.
std::optional<qint64> parseCount(QByteArrayView text);
bool isAlphanumeric(QByteArrayView text);
bool isBase64(QByteArrayView text); ///< without padding
bool isBase64Url(QByteArrayView text);
/// True for 8-4-4-4-12 hex digits, lower case.
bool isUuid(QByteArrayView text);
/// The version of a UUID of 32 hex digits or with hyphens; 0 for an unusual variant.
int uuidVersion(QByteArrayView uuid);
/// The epoch ms in a UUID of version 1, of 32 hex digits; absent for other versions and outside 2010 to 2100.
CompactOptional<qint64> uuidTime(QByteArrayView hex);
/// Reads "2026-11-21T20:13:35.123456Z" in epoch ms, with 0, 3, 6 or 9 digits of a second like Java's Instant.
CompactOptional<qint64> isoTime(QByteArrayView text);
/// True if the text has capitals, small letters and digits: likely in random text, unlikely in words.
bool isMixed(QByteArrayView text);
/// True for random text of both cases: with other characters among the letters (nearly all base64), or with
/// as many capitals as small letters (hardly any joined words).
bool looksRandom(QByteArrayView text);
/// True if base64 of 16 bytes can end with this letter, which carries two bits.
bool endsSixteenBytes(char last);

inline constexpr qsizetype uuidLength = 36;
inline constexpr qsizetype hexUuidLength = 32;
inline constexpr double year2001 = 978'307'200'000;
inline constexpr qint64 dayMs = 86'400'000;
/// Redisson's permit IDs are raw bytes.
inline constexpr qsizetype permitIdLength = 16;

/// An owner of madelson's DistributedLock: machine, process and a random part.
struct ProcessToken
{
    QByteArrayView machine;
    QByteArrayView process;
    bool namesAMachine = false; ///< not just a word of small letters, as in other tokens: "user_42_…"
    bool waits = false;         ///< a writer that waits for readers and holds nothing
};
std::optional<ProcessToken> processToken(QByteArrayView text);

/// A Redisson owner: client and thread, a transaction's suffix, and whether it is a writer.
struct RedissonId
{
    QByteArrayView clientAndThread;
    QByteArrayView transaction;
    bool writes = false;

    QByteArrayView client() const { return clientAndThread.first(36); }
    QByteArrayView thread() const { return clientAndThread.sliced(37); }
};
std::optional<RedissonId> redissonId(QByteArrayView text);

enum class TokenFormat : quint8 {
    Other,
    Uuid,
    CountedUuid,
    SuffixedUuid, ///< a UUID, a hyphen, anything
    Hex32,
    Hex40,
    Letters16, ///< random letters and digits
    Letters20,
    Base64Of16, ///< bytes, padded
    Base64Of18,
    Base64Of32,     ///< padded
    Url16,          ///< 16 bytes as base64url, unpadded
    Url16AndMore,   ///< Url16, then text that cannot belong to it
    Url16MaybeMore, ///< Url16, then text that might belong to it
    AddedAt,        ///< ShedLock: time to the millisecond, and host
    Process,
    NodeAndTime,    ///< a name, epoch ms, 16 hex digits
    TimeAndProcess, ///< epoch ms, small letters and digits, a number: redlock-universal's lean lock
};
TokenFormat shapeOf(QByteArrayView value);

enum class FieldFormat : quint8 {
    Other,
    RedissonId, ///< a client and a thread
    UuidPair,   ///< two UUIDs, or a UUID and any text, with a colon between
    Mode,       ///< "mode", as read-write locks have it
    JobId,      ///< 24 hex digits
    ValueHash,  ///< 16 bytes as base64, alone or with more behind them
};
FieldFormat fieldFormatOf(QByteArrayView field);

/// The UUID of version 1 in base64 of 16 bytes, as 32 hex digits; empty for another text.
QByteArray uuidInBase64(QByteArrayView value);

/// True if the name has "lock", "mutex" or "semaphore" as a word, however its words are joined; false for
/// "block", "clock" and "unlocked".
bool namesALock(QByteArrayView key);
/// That word of namesALock() as it stands in the name, with a plural s; empty if there is none.
QByteArrayView lockWordIn(QByteArrayView key);

} // namespace lockscope
