// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/monitor/contentsearch.h"
#include "core/monitor/patternadvice.h"

#include <QDialog>
#include <QHash>
#include <QMap>
#include <QTimer>

class QLabel;
class QProgressBar;
class QPushButton;
class QTreeWidget;

namespace lockscope {

/// Finds locks by what they hold, and turns what was found into patterns to watch. Asks for a search and shows how far it
/// is; it does none itself. Stays beside the window while that goes on.
class SearchDialog : public QDialog
{
    Q_OBJECT

public:
    /// `patterns` are those that are watched now; `keyspace` is what is known of the number of keys, or 0.
    SearchDialog(QList<QByteArray> patterns, qint64 keyspace, QString serverName, QWidget *parent);

    void take(const QList<Lock> &locks);
    void showProgress(const SearchProgress &progress);
    void showEnd(const SearchResult &end);

signals:
    void startWanted();
    void cancelWanted();
    /// To be watched beside those that are.
    void patternsChosen(const QList<QByteArray> &patterns);

public slots:
    void reject() override;

private:
    void toggleSearch();
    using PatternStates = QHash<QByteArray, std::pair<bool, bool>>; ///< chosen, opened
    void listFound();
    void listPatterns(const QList<PatternAdvice> &advice, bool areChosen, const PatternStates &before);
    void updateWatch();
    QList<QByteArray> checked() const;

    QList<QByteArray> m_watched;
    QString m_serverName;
    QMap<LockKey, Lock> m_found;
    bool m_isSearching = false;
    QTimer m_listing; ///< what is found comes faster than a list should be laid out
    QLabel *m_state;
    QProgressBar *m_progress;
    QTreeWidget *m_list;
    QPushButton *m_search;
    QPushButton *m_watch;
};

} // namespace lockscope
