// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QHash>

namespace lockscope {

/// Bytes with a meaning, so that a key can't be passed where an owner is expected.
template <typename Tag>
struct TaggedBytes
{
    QByteArray bytes;

    TaggedBytes() = default;
    explicit TaggedBytes(QByteArray value) : bytes(std::move(value)) {}
    bool isEmpty() const { return bytes.isEmpty(); }
    friend bool operator==(const TaggedBytes &, const TaggedBytes &) = default;
    friend auto operator<=>(const TaggedBytes &a, const TaggedBytes &b)
    {
        return a.bytes.compare(b.bytes) <=> 0;
    }
    friend size_t qHash(const TaggedBytes &value, size_t seed = 0) noexcept
    {
        return qHash(value.bytes, seed);
    }
};

/// The name of a lock on its server. Bytes, never text: two keys that decode alike are two locks.
using LockKey = TaggedBytes<struct LockKeyTag>;
/// Who holds a lock: the hash field of a reentrant lock, the token of a token lock (then it is a secret of
/// its holder).
using OwnerId = TaggedBytes<struct OwnerIdTag>;

} // namespace lockscope
