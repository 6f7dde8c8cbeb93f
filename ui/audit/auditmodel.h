// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/journal/auditlog.h"
#include "core/model/lock.h"

#include <QAbstractTableModel>

namespace lockscope {

/// The requests of the audit log, one per row in the given order. File contents are untrusted: shown as plain
/// text and cut.
class AuditModel : public QAbstractTableModel
{
    Q_OBJECT

public:
    enum class Column : quint8 { Time, Action, Key, Owner, Outcome, User, Server };
    static constexpr int columns = 7;
    /// A younger request without an outcome may still be running.
    static constexpr milliseconds underWay{30'000};

    using QAbstractTableModel::QAbstractTableModel;

    void setRequests(QList<AuditLog::Request> requests);
    const AuditLog::Request &request(int row) const { return m_requests.at(row); }

    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

private:
    QString text(const AuditLog::Request &request, Column column) const;

    QList<AuditLog::Request> m_requests;
};

QString idOf(const AuditLog::Request &request);
LockKey keyOf(const AuditLog::Request &request);
/// Describes both records of a request, one field per line, as plain text of limited length.
QString detailsOf(const AuditLog::Request &request);

} // namespace lockscope
