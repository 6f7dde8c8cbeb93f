// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/events/eventmodel.h"

#include "core/base/printable.h"
#include "core/words/texts.h"
#include "ui/events/eventtext.h"
#include "ui/widgets/palette.h"
#include "ui/widgets/plaintext.h"

#include <QGuiApplication>

#include <algorithm>
#include <utility>

namespace lockscope {

namespace {

constexpr qsizetype keyCodePoints = 160;

} // namespace

EventModel::EventModel(const EventLog &log, const OwnerNames &names, QList<Column> columns, qsizetype most,
                       QObject *parent)
    : QAbstractTableModel(parent), m_log(log), m_names(names), m_columns(std::move(columns)), m_most(most)
{
    m_due.setSingleShot(true);
    m_due.setInterval(pace);
    connect(&m_due, &QTimer::timeout, this, &EventModel::update);
    connect(&log, &EventLog::appended, this, [this] {
        if (m_isLive && !m_due.isActive())
            m_due.start();
    });
    connect(&names, &OwnerNames::changed, this, [this] {
        if (!m_rows.empty())
            emit dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1));
    });
}

void EventModel::setFilter(const EventFilter &filter)
{
    beginResetModel();
    m_filter = filter;
    m_rows.clear();
    for (m_seen = m_log.first(); m_seen < m_log.end(); ++m_seen) {
        if (m_filter.accepts(m_log, m_seen))
            m_rows.insert(placeOf(m_seen, m_rows), m_seen);
    }
    const auto excess = std::max<std::ptrdiff_t>(std::ssize(m_rows) - m_most, 0);
    m_rows.erase(m_rows.begin(), m_rows.begin() + excess);
    endResetModel();
}

void EventModel::setLive(bool live)
{
    if (std::exchange(m_isLive, live) != live && live)
        update();
}

void EventModel::update()
{
    m_due.stop();
    const auto kept = std::ranges::find_if(m_rows, [this](qint64 number) { return number >= m_log.first(); });
    dropLast(kept - m_rows.begin());
    std::deque<qint64> gained;
    for (m_seen = std::max(m_seen, m_log.first()); m_seen < m_log.end(); ++m_seen) {
        if (m_filter.accepts(m_log, m_seen))
            gained.insert(placeOf(m_seen, gained), m_seen);
    }
    const auto excess = std::max<std::ptrdiff_t>(std::ssize(gained) - m_most, 0);
    gained.erase(gained.begin(), gained.begin() + excess);
    // What nodes, and the server's counters, told late stands where it belongs.
    for (; !gained.empty(); gained.pop_front()) {
        const auto at = placeOf(gained.front(), m_rows);
        if (at == m_rows.end())
            break;
        const auto row = static_cast<int>(m_rows.end() - at);
        beginInsertRows({}, row, row);
        m_rows.insert(at, gained.front());
        endInsertRows();
    }
    if (!gained.empty()) {
        dropLast(std::ssize(m_rows) + std::ssize(gained) - m_most);
        beginInsertRows({}, 0, static_cast<int>(gained.size()) - 1);
        m_rows.insert(m_rows.end(), gained.begin(), gained.end());
        endInsertRows();
    }
    emit updated();
}

std::deque<qint64>::iterator EventModel::placeOf(qint64 number, std::deque<qint64> &rows) const
{
    constexpr qint64 latest = 2000; // ms; beyond it a clock was set
    auto at = rows.end();
    const auto isLater = [&](qint64 other) {
        if (!m_log.contains(other))
            return false;
        const qint64 by = m_log.wallMsOf(other) - m_log.wallMsOf(number);
        return by > 0 && by < latest;
    };
    while (at != rows.begin() && isLater(*std::prev(at)))
        --at;
    return at;
}

void EventModel::dropLast(qsizetype rows)
{
    if (rows <= 0)
        return;
    beginRemoveRows({}, rowCount() - static_cast<int>(rows), rowCount() - 1);
    m_rows.erase(m_rows.begin(), m_rows.begin() + rows);
    endRemoveRows();
}

std::optional<LoggedEvent> EventModel::at(int row) const
{
    const qint64 number = numberOf(row);
    return m_log.contains(number) ? std::optional(m_log.at(number)) : std::nullopt;
}

int EventModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int EventModel::columnCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_columns.size());
}

QString EventModel::text(const LoggedEvent &logged, Column column) const
{
    switch (column) {
    case Column::Time:
        return timeText(logged.event.wallMs);
    case Column::ClockTime:
        return clockTimeText(logged.event.wallMs);
    case Column::Event:
        return eventWord(logged.kind);
    case Column::Key:
        return printable(logged.event.address.key.bytes, keyCodePoints);
    case Column::Owner:
        return ownersText(logged, m_names);
    case Column::Detail:
        return detailText(logged);
    case Column::OwnerDetail: {
        QStringList parts{ownersText(logged, m_names), detailText(logged)};
        parts.removeAll(QString());
        return parts.join(QStringLiteral(" · "));
    }
    }
    return {};
}

QString EventModel::toolTip(const LoggedEvent &logged, Column column) const
{
    switch (column) {
    case Column::Time:
    case Column::ClockTime:
        return exactTimeText(logged.event.wallMs);
    case Column::Event:
        return eventMeaning(logged.kind);
    case Column::Key:
        return printable(logged.event.address.key.bytes);
    case Column::Owner:
        return ownersToolTip(logged, m_names);
    case Column::Detail:
    case Column::OwnerDetail:
        return text(logged, column);
    }
    return {};
}

QVariant EventModel::data(const QModelIndex &index, int role) const
{
    if (!index.isValid() || !checkIndex(index))
        return {};
    if (role != Qt::DisplayRole && role != Qt::ToolTipRole && role != Qt::ForegroundRole)
        return {};
    const auto logged = at(index.row());
    if (!logged)
        return {};
    const Column column = m_columns.at(index.column());
    if (role == Qt::DisplayRole)
        return text(*logged, column);
    if (role == Qt::ToolTipRole)
        return plainToolTip(toolTip(*logged, column));
    if (column == Column::Event)
        return textColor(eventColor(logged->kind), QGuiApplication::palette());
    if (column == Column::Key || column == Column::Owner)
        return {};
    return textColor(StatusColor::Muted, QGuiApplication::palette());
}

QVariant EventModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
        return {};
    const QString titles[] = {Texts::tr("Time"),          Texts::tr("Time"),  Texts::tr("Event"),
                              Texts::tr("Key"),           Texts::tr("Owner"), Texts::tr("Details"),
                              Texts::tr("Owner, details")};
    return titles[int(m_columns.value(section))];
}

} // namespace lockscope
