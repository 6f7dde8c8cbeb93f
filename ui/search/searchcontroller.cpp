// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/search/searchcontroller.h"

#include "ui/search/clientfinderdialog.h"
#include "ui/search/searchdialog.h"

#include <utility>

namespace lockscope {

namespace {

/// Not modal: found locks appear in the window behind it.
void present(QDialog *dialog)
{
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->show();
    dialog->raise();
    dialog->activateWindow();
}

} // namespace

SearchController::SearchController(Session &session, QString serverName, QWidget *window)
    : QObject(window), m_session(session), m_serverName(std::move(serverName)), m_window(window)
{
}

void SearchController::findLocks(const QList<QByteArray> &patterns, bool areKept, qint64 keyspace)
{
    if (!m_search) {
        m_search = new SearchDialog(patterns, areKept, keyspace, m_serverName, m_window);
        connect(m_search, &SearchDialog::startWanted, &m_session, [this] { m_session.search(); });
        connect(m_search, &SearchDialog::cancelWanted, &m_session, &Session::cancelSearch);
        connect(m_search, &SearchDialog::patternsChosen, this, &SearchController::patternsChosen);
        connect(&m_session, &Session::searchFound, m_search, &SearchDialog::take);
        connect(&m_session, &Session::searchProgressed, m_search, &SearchDialog::showProgress);
        connect(&m_session, &Session::searchEnded, m_search, &SearchDialog::showEnd);
    }
    present(m_search);
}

void SearchController::findClients(const Lock &lock)
{
    if (m_who) // of another lock, perhaps
        m_who->reject();
    m_who = new ClientFinderDialog(lock, m_serverName, m_window);
    connect(m_who, &ClientFinderDialog::startWanted, &m_session, &Session::findClients);
    connect(m_who, &ClientFinderDialog::stopWanted, &m_session, &Session::stopFindingClients);
    connect(&m_session, &Session::clientsFound, m_who, &ClientFinderDialog::showEnd);
    present(m_who);
}

} // namespace lockscope
