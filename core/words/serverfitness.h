// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/enumnames.h"

#include <QByteArray>
#include <QList>
#include <QString>

namespace lockscope {

/// What one property of a server means for locks.
struct ServerFinding
{
    enum class Level : quint8 {
        Risk,    ///< a lock may be lost, or not be acquired
        Note,    ///< worth knowing; no fault by itself
        Unknown, ///< INFO does not tell it
        Good,
    };
    QByteArray check; ///< name in JSON: "eviction"
    Level level = Level::Unknown;
    QString text;
    QString reason; ///< why it matters to a lock; empty for Good
    QString advice; ///< empty: nothing to do
};

inline constexpr EnumNames levelName{Named<ServerFinding::Level>{ServerFinding::Level::Risk, "risk"},
                                     Named<ServerFinding::Level>{ServerFinding::Level::Note, "note"},
                                     Named<ServerFinding::Level>{ServerFinding::Level::Unknown, "unknown"},
                                     Named<ServerFinding::Level>{ServerFinding::Level::Good, "good"}};

QString levelInWords(ServerFinding::Level level);

/// Judges by the reply to INFO alone whether the server is fit for locks, worst first. `nowS`: epoch s. The thresholds
/// are rules of thumb.
QList<ServerFinding> judgeServer(const QByteArray &info, qint64 nowS);

} // namespace lockscope
