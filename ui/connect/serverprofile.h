// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/family/rules.h"
#include "core/table/ownernames.h"

#include <QList>
#include <QString>

namespace lockscope {

/// The user's notes on a server: process names, family rules, families to ignore, and key patterns. No secrets.
struct ServerProfile
{
    OwnerNames::ByClient names;
    QList<FamilyRule> rules;
    FamilySet undiscovered;
    QList<QByteArray> patterns; ///< empty: the default ones

    friend bool operator==(const ServerProfile &, const ServerProfile &) = default;
};

/// Reads the settings. `uri`: without password; nothing is kept for an empty one.
ServerProfile notesOf(const QString &uri);
void keepNotes(const QString &uri, const ServerProfile &notes);
QString notesGroup(const QString &uri);

} // namespace lockscope
