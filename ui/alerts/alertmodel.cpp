// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/alerts/alertmodel.h"

#include "core/words/alertmessages.h"
#include "ui/alerts/alerttext.h"
#include "ui/widgets/glyph.h"
#include "ui/widgets/plaintext.h"

#include <QGuiApplication>
#include <QHash>
#include <QIcon>
#include <QPalette>
#include <QSet>

#include <algorithm>

namespace lockscope {

namespace {

QPixmap glyphPicture(Glyph glyph, const QColor &color)
{
    return glyphPixmap(glyph, 16, color, qGuiApp->devicePixelRatio(), 1);
}

QIcon severityIcon(const AlertList::Entry &entry)
{
    const AlertSeverity severity = ruleOf(entry.alert.kind).severity;
    const Glyph glyph = entry.isOpen() ? alertGlyph(severity) : Glyph::Check;
    const QPalette palette = QGuiApplication::palette();
    QIcon icon(
        glyphPicture(glyph, textColor(entry.isQuiet() ? StatusColor::Muted : alertColor(severity), palette)));
    icon.addPixmap(glyphPicture(glyph, palette.color(QPalette::HighlightedText)), QIcon::Selected);
    return icon;
}

} // namespace

void AlertModel::setEntries(const QList<AlertList::Entry> &list)
{
    m_all = list;
    m_now = Clock::now();
    show();
}

void AlertModel::setKinds(const Kinds &kinds)
{
    m_kinds = kinds;
    show();
}

/// Rows that are gone go, new ones come at the end, and then all come into their order.
void AlertModel::show()
{
    QList<AlertList::Entry> rows;
    for (const AlertList::Entry &entry : std::as_const(m_all)) {
        if (m_kinds.test(static_cast<size_t>(entry.alert.kind)))
            rows.append(entry);
    }
    dropMissing(rows);
    QHash<quint64, int> places;
    for (int row = 0; row < static_cast<int>(rows.size()); ++row)
        places.insert(rows.at(row).alert.number, row);
    const auto before = static_cast<int>(m_rows.size());
    if (before < static_cast<int>(rows.size())) {
        QSet<quint64> known;
        for (const AlertList::Entry &entry : std::as_const(m_rows))
            known.insert(entry.alert.number);
        beginInsertRows({}, before, static_cast<int>(rows.size()) - 1);
        std::ranges::copy_if(rows, std::back_inserter(m_rows), [&known](const AlertList::Entry &entry) {
            return !known.contains(entry.alert.number);
        });
        endInsertRows();
    }
    emit layoutAboutToBeChanged();
    const QModelIndexList from = persistentIndexList();
    QModelIndexList to;
    for (const QModelIndex &index : from)
        to.append(createIndex(places.value(m_rows.at(index.row()).alert.number), index.column()));
    m_rows = rows;
    changePersistentIndexList(from, to);
    emit layoutChanged();
    if (!m_rows.isEmpty())
        emit dataChanged(index(0, 0), index(static_cast<int>(m_rows.size()) - 1, columns - 1));
}

void AlertModel::dropMissing(const QList<AlertList::Entry> &rows)
{
    QSet<quint64> kept;
    for (const AlertList::Entry &entry : rows)
        kept.insert(entry.alert.number);
    for (int last = static_cast<int>(m_rows.size()) - 1; last >= 0; --last) {
        if (kept.contains(m_rows.at(last).alert.number))
            continue;
        int first = last;
        while (first > 0 && !kept.contains(m_rows.at(first - 1).alert.number))
            --first;
        beginRemoveRows({}, first, last);
        m_rows.remove(first, last - first + 1);
        endRemoveRows();
        last = first;
    }
}

void AlertModel::setNow(TimePoint now)
{
    m_now = now;
    int open = 0;
    while (open < static_cast<int>(m_rows.size()) && m_rows.at(open).isOpen())
        ++open;
    if (open > 0)
        emit dataChanged(index(0, int(Column::Duration)), index(open - 1, int(Column::Duration)));
}

int AlertModel::rowOf(quint64 number) const
{
    const auto found =
        std::ranges::find(m_rows, number, [](const AlertList::Entry &entry) { return entry.alert.number; });
    return found == m_rows.end() ? -1 : static_cast<int>(found - m_rows.begin());
}

int AlertModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int AlertModel::columnCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : columns;
}

QString AlertModel::text(const AlertList::Entry &entry, Column column) const
{
    switch (column) {
    case Column::Alert:
        return alertTitle(entry.alert);
    case Column::Subject:
        return alertSubject(entry.alert);
    case Column::Since:
        return alertTime(entry.raisedMs);
    case Column::Duration:
        return alertDuration(entry, m_now);
    case Column::Status:
        return alertStatus(entry);
    case Column::Evidence:
        return describe(entry.alert);
    }
    return {};
}

QVariant AlertModel::data(const QModelIndex &index, int role) const
{
    if (!index.isValid() || !checkIndex(index))
        return {};
    const AlertList::Entry &entry = m_rows.at(index.row());
    const auto column = static_cast<Column>(index.column());
    if (role == Qt::DisplayRole)
        return text(entry, column);
    if (role == Qt::ToolTipRole)
        return plainToolTip(text(entry, column));
    if (role == Qt::DecorationRole && column == Column::Alert)
        return severityIcon(entry);
    if (role == Qt::ForegroundRole && entry.isQuiet())
        return textColor(StatusColor::Muted, QGuiApplication::palette());
    return {};
}

QVariant AlertModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
        return {};
    switch (static_cast<Column>(section)) {
    case Column::Alert:
        return tr("Alert");
    case Column::Subject:
        return tr("Lock or server");
    case Column::Since:
        return tr("Raised at");
    case Column::Duration:
        return tr("Duration");
    case Column::Status:
        return tr("Status");
    case Column::Evidence:
        return tr("Evidence");
    }
    return {};
}

} // namespace lockscope
