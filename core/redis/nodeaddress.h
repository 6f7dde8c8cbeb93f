// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QByteArrayView>
#include <QString>

#include <optional>

namespace lockscope {

/// Where a server says that it, or another, is.
struct NodeAddress
{
    QString host; ///< empty: not known, or the host of whoever told it
    quint16 port = 0;

    /// "10.0.0.1:6379", "::1:6379", "[::1]:6379", ":6379", "?:6379"; what follows '@' or ',' is left out.
    static std::optional<NodeAddress> parse(QByteArrayView text);
    /// As a server tells the two. A host that makes no sense is not known; nullopt where the port makes none.
    static std::optional<NodeAddress> from(QByteArrayView host, qint64 port);
    QString toDisplayString() const; ///< "10.0.0.1:6379", "[::1]:6379"

    friend bool operator==(const NodeAddress &, const NodeAddress &) = default;
};

} // namespace lockscope
