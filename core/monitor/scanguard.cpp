// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/monitor/scanguard.h"

#include "core/base/ascii.h"
#include "core/base/printable.h"

#include <algorithm>

namespace lockscope {

namespace {

/// A call walks over COUNT buckets or ten times as many empty ones; a table that lost nearly all keys may
/// stay large for a while. The smallest COUNT gives one call per 200 keys.
constexpr qint64 freeCalls = 100'000;
constexpr qint64 keysPerCall = 25;
/// Limit of keys in a Redis database.
constexpr qint64 maxKeys = qint64(1) << 32;
/// Names may repeat, and new ones may come during the pass.
constexpr qint64 freeNames = 10'000;
constexpr qint64 namesPerKey = 4;

template <typename... Arguments>
tl::unexpected<Error> endless(const char *why, const Arguments &...arguments)
{
    return failedWith(ErrorKind::EndlessScan, why, arguments...);
}

/// Reads digits only, up to 64 bits.
std::optional<quint64> numberIn(const QByteArray &text)
{
    const bool isDigits = !text.isEmpty() && std::ranges::all_of(text, isDigit);
    bool fits = false;
    const quint64 number = text.toULongLong(&fits);
    return isDigits && fits ? std::optional(number) : std::nullopt;
}

} // namespace

void ScanGuard::setKeyspace(qint64 keys)
{
    m_keyspace = std::clamp(keys, m_keyspace.value_or(0), maxKeys);
}

bool ScanGuard::isRepeated(quint64 cursor)
{
    if (m_mark == cursor)
        return true;
    if (!m_mark || ++m_sinceMark == m_stride) {
        m_mark = cursor;
        m_sinceMark = 0;
        m_stride *= 2;
    }
    return false;
}

Result<quint64> ScanGuard::take(const QByteArray &text, qint64 names)
{
    ++m_calls;
    m_names += names;
    const std::optional<quint64> cursor = numberIn(text);
    if (!cursor)
        return endless(QT_TRANSLATE_NOOP("phrases", "SCAN returned an invalid cursor: %1"), text);
    if (m_keyspace && m_names > freeNames + namesPerKey * *m_keyspace)
        return endless(QT_TRANSLATE_NOOP("phrases", "SCAN returned %1 names, DBSIZE %2 keys"), m_names,
                       *m_keyspace);
    if (*cursor == 0)
        return 0;
    if (isRepeated(*cursor))
        return endless(QT_TRANSLATE_NOOP("phrases", "SCAN returned the cursor %1 twice, after %2 calls"),
                       *cursor, m_calls);
    if (m_calls >= freeCalls + m_keyspace.value_or(0) / keysPerCall)
        return endless(QT_TRANSLATE_NOOP("phrases", "SCAN was not complete after %1 calls"), m_calls);
    return *cursor;
}

} // namespace lockscope
