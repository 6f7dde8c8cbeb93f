// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QByteArrayView>
#include <QString>

#include <optional>

namespace lockscope {

/// The address that a server reports for itself or another.
struct NodeAddress
{
    QString host; ///< empty: unknown, or the reporting server's
    quint16 port = 0;

    /// Reads "10.0.0.1:6379", "::1:6379", "[::1]:6379", ":6379", "?:6379"; ignores text from '@' or ',' on.
    static std::optional<NodeAddress> parse(QByteArrayView text);
    /// From separate host and port. An invalid host counts as unknown; absent for an invalid port.
    static std::optional<NodeAddress> from(QByteArrayView host, qint64 port);
    QString toDisplayString() const; ///< "10.0.0.1:6379", "[::1]:6379"

    friend bool operator==(const NodeAddress &, const NodeAddress &) = default;
};

} // namespace lockscope
