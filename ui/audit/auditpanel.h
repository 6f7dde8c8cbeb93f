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

/// The actions of this user's programs, from the audit log: newest first, with the state of the hash chain.
/// Reads the file on another thread, while visible and whenever it has changed.
class AuditPanel : public PagePanel
{
    Q_OBJECT

public:
    static constexpr qsizetype maxRequests = 2000;

    /// An empty `path` means AuditLog::defaultPath(). `server`: name of the watched server in the log.
    AuditPanel(const QString &path, const QString &server, QWidget *parent = nullptr);
    /// Stops the reading instead of waiting for it.
    ~AuditPanel() override;

    /// Adds names for this server in the log: nodes of the cluster, or servers named by Sentinels.
    void addServers(const QStringList &names);
    void focusContents() override;

signals:
    void chosen(const lockscope::LockKey &key);

protected:
    void showEvent(QShowEvent *event) override;

private:
    class RowFilter;

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
    const QString m_server;
    QSet<QString> m_servers;     ///< m_server and the names added since
    std::optional<Stamp> m_read; ///< state at the last reading
    QDateTime m_readAt;          ///< start of the last reading
    QFutureWatcher<Result<AuditLog::History>> m_reading;
    bool m_isReading = false; ///< running, or its result is pending
    QElapsedTimer m_readSince;
    std::chrono::milliseconds m_rest{0}; ///< pause before the next reading
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
