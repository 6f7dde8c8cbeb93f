// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/family/certainty.h"
#include "core/family/ownerfacts.h"
#include "core/family/recognize.h"
#include "core/family/registry.h"
#include "tests/support/familyliteral.h"

#include <QtTest>

namespace lockscope {

constexpr qint64 readAt = 1'763'756'015'123; // 2025-11-21T20:13:35.123Z

/// Returns the recognition of a key with this content at readAt: "redsync likely", "token ambiguous: pottery
/// redlock-net". `more`: later evidence.
inline QByteArray readAs(const QByteArray &key, const KeyContent &content,
                         CompactOptional<milliseconds> ttl = milliseconds(30'000), EvidenceSet more = {})
{
    const Recognition found = recognize(LockKey(key), content, ttl, readAt);
    Lock lock;
    lock.address.key = LockKey(key);
    lock.type = std::holds_alternative<HashContent>(content) ? KeyType::Hash : KeyType::String;
    lock.ttl = ttl;
    takeRecognition(lock, found);
    lock.evidence |= more;
    nameByEvidence(lock, readAt);
    QByteArray text = familyName(lock.family) + ' ' + certaintyName(certaintyOf(lock));
    const QByteArrayList candidates = candidateNames(lock);
    return candidates.isEmpty() ? text : text + ": " + candidates.join(' ');
}

inline QByteArray readAs(const QByteArray &key, const QByteArray &value,
                         CompactOptional<milliseconds> ttl = milliseconds(30'000), EvidenceSet more = {})
{
    return readAs(key, KeyContent(StringContent{value}), ttl, more);
}

inline constexpr CompactOptional<milliseconds> endless{};

} // namespace lockscope
