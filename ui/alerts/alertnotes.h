// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/alerts/alertlist.h"

#include <QList>
#include <QMetaType>
#include <QString>

#include <bitset>

namespace lockscope {

/// Which alerts there are of one server, and of which of them the desktop is told.
struct AlertSettings
{
    AlertRules rules;
    bool notifies = true;           ///< the desktop is told at all
    std::bitset<alertKinds> silent; ///< kinds of which it is not

    bool tellsOf(AlertKind kind) const { return notifies && !silent.test(static_cast<size_t>(kind)); }
    friend bool operator==(const AlertSettings &, const AlertSettings &) = default;
};

// In the settings, with the notes about the server. `uri` as notesOf() takes it: of an empty one nothing is kept.
AlertSettings alertSettingsOf(const QString &uri);
void keepAlertSettings(const QString &uri, const AlertSettings &settings);
QList<AlertSnooze> snoozesOf(const QString &uri);
void keepSnoozes(const QString &uri, const QList<AlertSnooze> &snoozes);

// The same, where another window may have kept something meanwhile: only what differs between the two is changed.
/// What is kept then.
AlertSettings changeAlertSettings(const QString &uri, const AlertSettings &before,
                                  const AlertSettings &after);
void changeSnoozes(const QString &uri, const QList<AlertSnooze> &before, const QList<AlertSnooze> &after);

} // namespace lockscope

Q_DECLARE_METATYPE(lockscope::AlertSettings)
