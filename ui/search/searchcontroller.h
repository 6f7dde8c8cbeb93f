// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/monitor/session.h"

#include <QPointer>
#include <QWidget>

namespace lockscope {

class SearchDialog;
class ClientFinderDialog;

/// What is looked for only when the user asks: from the command to the dialog to the session. One of one page.
class SearchController : public QObject
{
    Q_OBJECT

public:
    /// `session` and `window` must outlive this.
    SearchController(Session &session, QString serverName, QWidget *window);

    /// `keyspace`: keys of the database as far as known, or 0.
    void findLocks(const QList<QByteArray> &patterns, qint64 keyspace);
    void findClients(const Lock &lock);

signals:
    /// To be watched beside those that are.
    void patternsChosen(const QList<QByteArray> &patterns);

private:
    Session &m_session;
    QString m_serverName;
    QWidget *m_window;
    QPointer<SearchDialog> m_search;
    QPointer<ClientFinderDialog> m_who;
};

} // namespace lockscope
