// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/alerts/alertlist.h"

#include <QList>
#include <QMetaType>
#include <QString>

#include <bitset>

namespace lockscope {

struct AlertSettings
{
    AlertRules rules;
    bool notifies = true;           ///< false: none at all
    std::bitset<alertKinds> silent; ///< kinds without notification

    bool tellsOf(AlertKind kind) const { return notifies && !silent.test(static_cast<size_t>(kind)); }
    friend bool operator==(const AlertSettings &, const AlertSettings &) = default;
};

// Kept in the settings, in the server's notes. `uri` as in notesOf(); if empty, nothing is kept.
AlertSettings alertSettingsOf(const QString &uri);
void keepAlertSettings(const QString &uri, const AlertSettings &settings);
QList<AlertSnooze> snoozesOf(const QString &uri);
void keepSnoozes(const QString &uri, const QList<AlertSnooze> &snoozes);

// As above, but only differences are written, since another window may have changed the rest.
/// Returns the settings as kept afterwards.
AlertSettings changeAlertSettings(const QString &uri, const AlertSettings &before,
                                  const AlertSettings &after);
void changeSnoozes(const QString &uri, const QList<AlertSnooze> &before, const QList<AlertSnooze> &after);

} // namespace lockscope

Q_DECLARE_METATYPE(lockscope::AlertSettings)
