// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/monitor/contentsearch.h"
#include "core/monitor/patternadvice.h"

#include <QDialog>
#include <QElapsedTimer>
#include <QHash>
#include <QMap>
#include <QTimer>

class QLabel;
class QProgressBar;
class QPushButton;
class QTreeWidget;

namespace lockscope {

/// Finds locks by content and turns them into patterns to watch. Requests the search and shows its progress.
/// Not modal.
class SearchDialog : public QDialog
{
    Q_OBJECT

public:
    /// `patterns`: those watched now; `areKept`: added ones are stored with the server; `keyspace`: estimated
    /// number of keys, 0 if unknown.
    SearchDialog(QList<QByteArray> patterns, bool areKept, qint64 keyspace, QString serverName,
                 QWidget *parent);

    void take(const QList<Lock> &locks);
    void showProgress(const SearchProgress &progress);
    void showEnd(const SearchResult &end);

signals:
    void startWanted();
    void cancelWanted();
    /// Requests to add watched patterns.
    void patternsChosen(const QList<QByteArray> &patterns);

public slots:
    void reject() override;

private:
    void toggleSearch();
    using PatternStates = QHash<QByteArray, std::pair<bool, bool>>; ///< chosen, opened
    void listFound();
    void listPatterns(const QList<PatternAdvice> &advice, bool areChosen, const PatternStates &before);
    void updateWatch();
    void watch();
    QList<QByteArray> checked() const;

    QList<QByteArray> m_watched;
    QString m_serverName;
    QMap<LockKey, Lock> m_found;
    bool m_areKept;
    bool m_isSearching = false;
    QElapsedTimer m_begun;
    QTimer m_listing; ///< locks are found faster than a list can be updated
    QLabel *m_state;
    QProgressBar *m_progress;
    QTreeWidget *m_list;
    QPushButton *m_search;
    QPushButton *m_watch;
};

} // namespace lockscope
