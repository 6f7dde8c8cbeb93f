// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/monitor/session.h"

#include <QPointer>
#include <QWidget>

namespace lockscope {

class SearchDialog;
class ClientFinderDialog;

/// The searches that a page's user starts, from command to dialog to session.
class SearchController : public QObject
{
    Q_OBJECT

public:
    /// `session` and `window` must outlive this.
    SearchController(Session &session, QString serverName, QWidget *window);

    void findLocks(const QList<QByteArray> &patterns, bool areKept, qint64 keyspace);
    void findClients(const Lock &lock);

signals:
    /// Requests to add watched patterns.
    void patternsChosen(const QList<QByteArray> &patterns);

private:
    Session &m_session;
    QString m_serverName;
    QWidget *m_window;
    QPointer<SearchDialog> m_search;
    QPointer<ClientFinderDialog> m_who;
};

} // namespace lockscope
