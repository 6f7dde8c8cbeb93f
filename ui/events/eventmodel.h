// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/table/ownernames.h"
#include "core/watch/eventlog.h"
#include "ui/events/eventfilter.h"

#include <QAbstractTableModel>
#include <QTimer>

#include <deque>
#include <optional>

namespace lockscope {

/// The log entries that pass a filter, newest first (by time, if they arrived within two seconds). Follows
/// the log in batches while live; otherwise it costs nothing.
class EventModel : public QAbstractTableModel
{
    Q_OBJECT

public:
    enum class Column : quint8 {
        Time,      ///< with the date if that is not today
        ClockTime, ///< without the date, for lack of space
        Event,
        Key,
        Owner,
        Detail,
        OwnerDetail, ///< owner and detail
    };
    static constexpr std::chrono::milliseconds pace{50};

    /// Shows at most the newest `most` entries. `log` and `names` must outlive this.
    EventModel(const EventLog &log, const OwnerNames &names, QList<Column> columns,
               qsizetype most = EventLog::usualMost, QObject *parent = nullptr);

    void setFilter(const EventFilter &filter);
    const EventFilter &filter() const { return m_filter; }
    void setLive(bool live);
    void update();

    /// Returns nullopt for an entry that the log has dropped.
    std::optional<LoggedEvent> at(int row) const;
    int columnOf(Column column) const { return static_cast<int>(m_columns.indexOf(column)); }

    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

signals:
    void updated();

private:
    qint64 numberOf(int row) const { return m_rows[m_rows.size() - 1 - static_cast<size_t>(row)]; }
    QString text(const LoggedEvent &logged, Column column) const;
    QString toolTip(const LoggedEvent &logged, Column column) const;
    std::deque<qint64>::iterator placeOf(qint64 number, std::deque<qint64> &rows) const;
    void dropLast(qsizetype rows);

    const EventLog &m_log;
    const OwnerNames &m_names;
    const QList<Column> m_columns;
    const qsizetype m_most;
    EventFilter m_filter;
    std::deque<qint64> m_rows; ///< numbers in the log, oldest first by placeOf()
    qint64 m_seen = 0;         ///< first number of the log that was not examined
    bool m_isLive = false;
    QTimer m_due;
};

} // namespace lockscope
