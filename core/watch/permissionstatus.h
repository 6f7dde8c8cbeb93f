// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/redis/refusal.h"

#include <QList>
#include <QMetaType>

#include <chrono>

namespace lockscope {

/// Permissions that a monitor needs and this login lacks.
struct PermissionStatus
{
    /// The purpose of a permission.
    enum class Use : quint8 { Read, Scan, Load, Feed, Companions };

    struct Missing
    {
        Use use = Use::Read;
        Refusal refusal;         ///< with the refused command, even if the text omits it
        QByteArray said;         ///< the server's error text
        bool wasRevoked = false; ///< it was permitted before
        /// Patterns of unreadable companion keys.
        QList<QByteArray> patterns{};

        friend bool operator==(const Missing &, const Missing &) = default;
    };

    QList<Missing> missing;                     ///< at most one per use, refused key or channel, and command
    qint64 unreadable = 0;                      ///< number of keys
    qint64 lost = 0;                            ///< number of locks among them that were read before
    QList<QByteArray> patterns;                 ///< watched patterns that match refused keys
    std::chrono::milliseconds retryInterval{0}; ///< 0: no retries

    /// Adds the status of another server for the same login.
    void add(const PermissionStatus &other);
    bool isWhole() const { return missing.isEmpty() && unreadable == 0; }
    friend bool operator==(const PermissionStatus &, const PermissionStatus &) = default;
};

} // namespace lockscope

Q_DECLARE_METATYPE(lockscope::PermissionStatus)
