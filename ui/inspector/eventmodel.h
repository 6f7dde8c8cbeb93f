// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/lockevent.h"
#include "ui/locks/ownernames.h"

#include <QAbstractTableModel>

namespace lockscope {

/// The events of one lock, newest first, at most 200.
class EventModel : public QAbstractTableModel
{
    Q_OBJECT

public:
    enum class Column : quint8 { Time, Event, Detail };
    static constexpr int columns = 3;
    static constexpr qsizetype most = 200;

    /// `names` must outlive this.
    explicit EventModel(const OwnerNames &names = OwnerNames::none(), QObject *parent = nullptr);

    void setEvents(QList<LockEvent> newestFirst);
    void prepend(const LockEvent &event);

    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

private:
    const OwnerNames &m_names;
    QList<LockEvent> m_events;
};

/// One word for what happened, translated.
QString eventWord(EventKind kind);

} // namespace lockscope
