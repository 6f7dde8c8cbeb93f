// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/journal/auditlog.h"
#include "core/model/lock.h"

#include <QAbstractTableModel>

namespace lockscope {

/// Requests of the audit log, a row each, in the order in which they are given. What a file says is shown as plain text and
/// cut; nothing of it is trusted.
class AuditModel : public QAbstractTableModel
{
    Q_OBJECT

public:
    enum class Column : quint8 { Time, Action, Key, Owner, Outcome, User, Server };
    static constexpr int columns = 7;
    /// One younger than this may still be under way.
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

/// The request's id, which tells it from all others.
QString idOf(const AuditLog::Request &request);
/// The lock that a request was for.
LockKey keyOf(const AuditLog::Request &request);
/// Both records, a field a line, as plain text of bounded length; what was seen and what came of it.
QString detailsOf(const AuditLog::Request &request);

} // namespace lockscope
