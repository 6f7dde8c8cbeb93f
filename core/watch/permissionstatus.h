// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/redis/refusal.h"

#include <QList>
#include <QMetaType>

#include <chrono>

namespace lockscope {

/// What this login may not do, of what a monitor needs.
struct PermissionStatus
{
    /// What a permission is needed for.
    enum class Use : quint8 { Read, Scan, Load, Feed, Companions };

    struct Missing
    {
        Use use = Use::Read;
        Refusal refusal;         ///< with the command that was refused, also where the text doesn't name it
        QByteArray said;         ///< the server's text
        bool wasRevoked = false; ///< it was there before
        /// Of the keys beside locks that may not be read.
        QList<QByteArray> patterns{};

        friend bool operator==(const Missing &, const Missing &) = default;
    };

    QList<Missing> missing;     ///< each use, what it is about and command at most once
    qint64 unreadable = 0;      ///< keys whose content may not be read
    qint64 lost = 0;            ///< locks among them that were read before
    QList<QByteArray> patterns; ///< of the watched ones, those that match keys which are refused themselves
    std::chrono::milliseconds retryInterval{0}; ///< 0: not tried again

    /// What another server says of the same login.
    void add(const PermissionStatus &other);
    bool isWhole() const { return missing.isEmpty() && unreadable == 0; }
    friend bool operator==(const PermissionStatus &, const PermissionStatus &) = default;
};

} // namespace lockscope

Q_DECLARE_METATYPE(lockscope::PermissionStatus)
