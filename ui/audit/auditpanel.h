// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/redis/error.h"
#include "ui/audit/auditmodel.h"
#include "ui/widgets/pagepanel.h"

#include <QDateTime>
#include <QElapsedTimer>
#include <QFutureWatcher>
#include <QSet>
#include <QTimer>

#include <optional>
#include <stop_token>

class QCheckBox;
class QLabel;
class QLineEdit;
class QPlainTextEdit;
class QTableView;
class QToolButton;

namespace lockscope {

class ElidedLabel;

/// What this user's programs did to locks, as the audit log has it: the newest requests first, with the state of the file's
/// hash chain. Reads the file on another thread, while it is visible and whenever the file has changed.
class AuditPanel : public PagePanel
{
    Q_OBJECT

public:
    static constexpr qsizetype mostRequests = 2000;

    /// `path` empty: AuditLog::defaultPath(). `server`: as the log names the one that is watched.
    AuditPanel(const QString &path, const QString &server, QWidget *parent = nullptr);
    /// Ends the reading: the program does not wait for a long file.
    ~AuditPanel() override;

    /// The log names the server that an action went to: a node of the cluster, or the one that Sentinels named then.
    void addServers(const QStringList &names);
    void focusContents() override;

signals:
    void chosen(const lockscope::LockKey &key);

protected:
    void showEvent(QShowEvent *event) override;

private:
    class RowFilter;

    /// What tells that a file is another one, or has changed.
    struct Stamp
    {
        bool isThere = false;
        qint64 size = 0;
        qint64 changedMs = 0;
        friend bool operator==(const Stamp &, const Stamp &) = default;
    };

    void buildTable();
    void buildHead();
    Stamp stamp() const;
    void look();
    void verifyNow();
    void read();
    void take(const Result<AuditLog::History> &history);
    void showState();
    QString verifiedText() const;
    void showCount();
    void refilter();
    void showDetails();
    void choose(const QModelIndex &index);

    const QString m_path;
    const QString m_server;      ///< as it was given
    QSet<QString> m_servers;     ///< that and those that it has turned out to be
    std::optional<Stamp> m_read; ///< as it was when it was read last
    QDateTime m_readAt;          ///< when that was begun
    QFutureWatcher<Result<AuditLog::History>> m_reading;
    bool m_isReading = false; ///< or what was read is not taken yet
    QElapsedTimer m_readSince;
    std::chrono::milliseconds m_rest{0}; ///< from one reading to the next
    std::stop_source m_stop;
    std::optional<Result<AuditLog::History>> m_history;

    AuditModel m_model;
    RowFilter *m_filtered;
    QCheckBox *m_onlyHere;
    QLineEdit *m_filter;
    QTableView *m_table;
    QPlainTextEdit *m_details;
    ElidedLabel *m_chain;
    QToolButton *m_verify;
    QTimer m_timer;
};

} // namespace lockscope
