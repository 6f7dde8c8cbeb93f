// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/inspector/eventmodel.h"
#include "ui/widgets/plaintext.h"

#include "core/family/weaktoken.h"
#include "core/words/familymessages.h"
#include "ui/locks/locktext.h"
#include "ui/widgets/palette.h"

#include <QDateTime>
#include <QGuiApplication>

namespace lockscope {

namespace {

QString detailOf(const LockEvent &event, const OwnerNames &names)
{
    QStringList parts;
    if (!event.owners.isEmpty()) {
        const LockOwner &holder = event.owners.first();
        QString owner = shortened(names.text(event.family, event.address.key, holder.owner), 28);
        if (holder.holdCount.value_or(1) > 1)
            owner += QStringLiteral(" ×") + QString::number(*holder.holdCount);
        parts << owner;
        if (event.kind == EventKind::Renewed && isUnattributed(event.family) &&
            mayRepeat(weakToken(event.address.key, holder.owner.bytes)))
            parts << EventModel::tr("or acquired again", "follows: Renewed");
    }
    if (event.others > 0)
        parts << EventModel::tr("%n other owner(s)", "follows an owner who came or went", event.others);
    if (event.ttl)
        parts << countdown(*event.ttl);
    return parts.join(QStringLiteral(" · "));
}

StatusColor toneOf(EventKind kind)
{
    switch (kind) {
    case EventKind::ExpiryLost:
        return StatusColor::Endless;
    case EventKind::OwnerChanged:
    case EventKind::Expired:
    case EventKind::Shortened:
    case EventKind::Forced:
        return StatusColor::Warning;
    case EventKind::Found:
    case EventKind::Vanished:
    case EventKind::Released:
        return StatusColor::Muted;
    default:
        return StatusColor::Held;
    }
}

} // namespace

QString eventWord(EventKind kind)
{
    switch (kind) {
    case EventKind::Found:
        return EventModel::tr("Found");
    case EventKind::Acquired:
        return EventModel::tr("Acquired");
    case EventKind::Reentered:
        return EventModel::tr("Re-entered");
    case EventKind::Unwound:
        return EventModel::tr("Released one level");
    case EventKind::Renewed:
        return EventModel::tr("Renewed");
    case EventKind::Shortened:
        return EventModel::tr("Shortened");
    case EventKind::Released:
        return EventModel::tr("Released");
    case EventKind::Expired:
        return EventModel::tr("Expired");
    case EventKind::OwnerChanged:
        return EventModel::tr("Owner changed");
    case EventKind::ExpiryLost:
        return EventModel::tr("Expiry lost");
    case EventKind::Vanished:
        return EventModel::tr("Vanished");
    case EventKind::Forced:
        return EventModel::tr("Forced by you");
    }
    return {};
}

EventModel::EventModel(const OwnerNames &names, QObject *parent) : QAbstractTableModel(parent), m_names(names)
{
    connect(&names, &OwnerNames::changed, this, [this] {
        const int detail = static_cast<int>(Column::Detail);
        if (!m_events.isEmpty())
            emit dataChanged(index(0, detail), index(rowCount() - 1, detail));
    });
}

void EventModel::setEvents(QList<LockEvent> newestFirst)
{
    beginResetModel();
    m_events = std::move(newestFirst);
    endResetModel();
}

void EventModel::prepend(const LockEvent &event)
{
    beginInsertRows({}, 0, 0);
    m_events.prepend(event);
    endInsertRows();
    if (m_events.size() <= most)
        return;
    const int last = static_cast<int>(m_events.size()) - 1;
    beginRemoveRows({}, last, last);
    m_events.removeLast();
    endRemoveRows();
}

int EventModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_events.size());
}

int EventModel::columnCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : columns;
}

QVariant EventModel::data(const QModelIndex &index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const LockEvent &event = m_events.at(index.row());
    const auto column = static_cast<Column>(index.column());
    if (role == Qt::ForegroundRole)
        return textColor(column == Column::Event ? toneOf(event.kind) : StatusColor::Muted,
                         QGuiApplication::palette());
    if (role != Qt::DisplayRole)
        return {};
    switch (column) {
    case Column::Time:
        return QDateTime::fromMSecsSinceEpoch(event.wallMs).time().toString(QStringLiteral("HH:mm:ss.zzz"));
    case Column::Event:
        return eventWord(event.kind);
    case Column::Detail:
        return detailOf(event, m_names);
    }
    return {};
}

QVariant EventModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
        return {};
    switch (static_cast<Column>(section)) {
    case Column::Time:
        return tr("Time");
    case Column::Event:
        return tr("Event");
    case Column::Detail:
        return tr("Owner, time left");
    }
    return {};
}

} // namespace lockscope
