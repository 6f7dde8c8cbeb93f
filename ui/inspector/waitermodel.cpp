// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/inspector/waitermodel.h"

#include "core/base/printable.h"
#include "core/table/waitertext.h"
#include "ui/widgets/glyph.h"
#include "ui/widgets/palette.h"
#include "ui/widgets/plaintext.h"

#include <QGuiApplication>
#include <QLocale>

namespace lockscope {

namespace {

QPixmap drawn(Glyph glyph, const QColor &color)
{
    return glyphPixmap(glyph, 14, color, qGuiApp->devicePixelRatio());
}

} // namespace

WaiterModel::WaiterModel(const DisplayClock &clock, const OwnerNames &names, QObject *parent)
    : QAbstractTableModel(parent), m_clock(clock), m_names(names)
{
    connect(&names, &OwnerNames::changed, this, [this] {
        if (!m_waiters.isEmpty())
            emit dataChanged(index(0, 0), index(rowCount() - 1, columns - 1));
    });
}

void WaiterModel::show(const Lock &lock)
{
    const QList<Waiter> &waiters = lock.companions->waiters.queue;
    if (lock.key() == m_key && lock.family == m_family && waiters == m_waiters)
        return;
    const bool isOther = lock.key() != m_key || waiters.size() != m_waiters.size();
    if (isOther)
        beginResetModel();
    m_key = lock.key();
    m_family = lock.family;
    m_waiters = waiters;
    if (isOther)
        endResetModel();
    else if (!m_waiters.isEmpty())
        emit dataChanged(index(0, 0), index(rowCount() - 1, columns - 1));
}

int WaiterModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_waiters.size());
}

int WaiterModel::columnCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : columns;
}

QVariant WaiterModel::data(const QModelIndex &index, int role) const
{
    if (!index.isValid() || !checkIndex(index))
        return {};
    const Waiter &waiter = m_waiters.at(index.row());
    const auto column = static_cast<Column>(index.column());
    if (role == Qt::ToolTipRole)
        return plainToolTip(column == Column::State ? waiterState(waiter, m_clock.of(m_key).wallMs()).text
                                                    : printable(waiter.id.bytes));
    if (role != Qt::DisplayRole && role != Qt::ForegroundRole && role != Qt::DecorationRole)
        return {};
    const StatusMessage state = waiterState(waiter, m_clock.of(m_key).wallMs());
    const QColor color = textColor(state.statusColor, QGuiApplication::palette());
    if (role == Qt::DecorationRole)
        return column == Column::State ? QVariant(drawn(waiterGlyph(waiter), color)) : QVariant();
    if (role == Qt::ForegroundRole)
        return column == Column::Who ? QVariant() : QVariant(color);
    switch (column) {
    case Column::Place:
        return QLocale().toString(index.row() + 1);
    case Column::Who:
        return m_names.text(m_family, m_key, waiter.id);
    case Column::State:
        return state.text;
    }
    return {};
}

QVariant WaiterModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || section < 0 || section >= columns || role != Qt::DisplayRole)
        return {};
    static constexpr const char *titles[] = {QT_TR_NOOP("Position"), QT_TR_NOOP("Waiter"),
                                             QT_TR_NOOP("State")};
    static_assert(std::size(titles) == columns);
    return tr(titles[section]);
}

} // namespace lockscope
