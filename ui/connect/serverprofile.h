// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/family/rules.h"
#include "ui/locks/ownernames.h"

#include <QList>
#include <QString>

namespace lockscope {

/// What the user has noted about one server: how its processes are called, which families its token locks are of, and which
/// families are not looked for. No secrets.
struct ServerProfile
{
    OwnerNames::ByClient names;
    QList<FamilyRule> rules;
    FamilySet undiscovered;

    friend bool operator==(const ServerProfile &, const ServerProfile &) = default;
};

/// From the settings. `uri` is the server's, without its password; of an empty one nothing is kept.
ServerProfile notesOf(const QString &uri);
void keepNotes(const QString &uri, const ServerProfile &notes);
/// Where the settings keep what is noted of a server, of these notes and of others.
QString notesGroup(const QString &uri);

} // namespace lockscope
