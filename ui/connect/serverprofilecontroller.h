// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/connect/serverprofile.h"

#include <QObject>

namespace lockscope {

/// The notes on the server of a page and their dialogs. Saves each change at once.
class ServerProfileController : public QObject
{
    Q_OBJECT

public:
    /// `uri` as in notesOf(); `rules` are already in use.
    ServerProfileController(QString uri, const QList<FamilyRule> &rules, QObject *parent = nullptr);

    const QString &uri() const { return m_uri; }
    const OwnerNames &names() const { return m_names; }
    void nameProcess(const WatchedLock *lock, QWidget *window);
    void editRules(const WatchedLock *lock, QWidget *window);
    const FamilySet &undiscovered() const { return m_undiscovered; }
    void setUndiscovered(const FamilySet &families);
    void setPatterns(const QList<QByteArray> &patterns);

signals:
    void rulesChosen(const QList<lockscope::FamilyRule> &rules);
    void undiscoveredChosen(const lockscope::FamilySet &families);

private:
    void keep() const;

    QString m_uri;
    QList<FamilyRule> m_rules;
    FamilySet m_undiscovered;
    QList<QByteArray> m_patterns;
    OwnerNames m_names;
};

} // namespace lockscope
