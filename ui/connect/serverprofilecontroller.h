// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/connect/serverprofile.h"

#include <QObject>

namespace lockscope {

/// What the user notes about the server of one page, and the dialogs for it. Keeps each change at once.
class ServerProfileController : public QObject
{
    Q_OBJECT

public:
    /// `uri` as notesOf() takes it; `rules` are in force already.
    ServerProfileController(QString uri, const QList<FamilyRule> &rules, QObject *parent = nullptr);

    const QString &uri() const { return m_uri; }
    const OwnerNames &names() const { return m_names; }
    /// `lock` is the chosen one, nullptr for none.
    void nameProcess(const WatchedLock *lock, QWidget *window);
    void editRules(const WatchedLock *lock, QWidget *window);
    const FamilySet &undiscovered() const { return m_undiscovered; }
    void setUndiscovered(const FamilySet &families);

signals:
    void rulesChosen(const QList<lockscope::FamilyRule> &rules);
    void undiscoveredChosen(const lockscope::FamilySet &families);

private:
    void keep() const;

    QString m_uri;
    QList<FamilyRule> m_rules;
    FamilySet m_undiscovered;
    OwnerNames m_names;
};

} // namespace lockscope
