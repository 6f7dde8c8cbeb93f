// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QHash>

namespace lockscope {

/// Typed bytes: a key cannot be passed as an owner.
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

/// A lock's key on its server. Bytes, never text: two keys with equal text may differ.
using LockKey = TaggedBytes<struct LockKeyTag>;
/// A lock's owner: the hash field of a reentrant lock, or the token of a token lock (a secret of its holder).
using OwnerId = TaggedBytes<struct OwnerIdTag>;

} // namespace lockscope
