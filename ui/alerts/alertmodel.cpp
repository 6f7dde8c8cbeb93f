// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/alerts/alertmodel.h"

#include "ui/alerts/alerttext.h"
#include "ui/widgets/glyph.h"
#include "ui/widgets/plaintext.h"

#include <QGuiApplication>
#include <QHash>
#include <QIcon>
#include <QPalette>

#include <algorithm>

namespace lockscope {

namespace {

QPixmap glyphPicture(Glyph glyph, const QColor &color)
{
    return glyphPixmap(glyph, 16, color, qGuiApp->devicePixelRatio(), 1);
}

QIcon severityIcon(const AlertList::Entry &entry)
{
    const SeverityLook &look = lookOf(ruleOf(entry.alert.kind).severity);
    const Glyph glyph = entry.isOpen() ? look.glyph : Glyph::Check;
    const QPalette palette = QGuiApplication::palette();
    QIcon icon(glyphPicture(glyph, textColor(entry.isQuiet() ? StatusColor::Muted : look.color, palette)));
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

void AlertModel::show()
{
    emit layoutAboutToBeChanged();
    const QModelIndexList kept = persistentIndexList();
    QList<quint64> numbers;
    for (const QModelIndex &index : kept)
        numbers.append(m_rows.at(index.row()).alert.number);
    m_rows.clear();
    QHash<quint64, int> places;
    for (const AlertList::Entry &entry : std::as_const(m_all)) {
        if (!m_kinds.test(static_cast<size_t>(entry.alert.kind)))
            continue;
        places.insert(entry.alert.number, static_cast<int>(m_rows.size()));
        m_rows.append(entry);
    }
    QModelIndexList moved;
    for (qsizetype i = 0; i < kept.size(); ++i) {
        const int row = places.value(numbers[i], -1);
        moved << (row < 0 ? QModelIndex() : createIndex(row, kept[i].column()));
    }
    changePersistentIndexList(kept, moved);
    emit layoutChanged();
}

void AlertModel::setNow(TimePoint now)
{
    m_now = now;
    int open = 0;
    while (open < static_cast<int>(m_rows.size()) && m_rows.at(open).isOpen())
        ++open;
    if (open > 0)
        emit dataChanged(index(0, 0), index(open - 1, columns - 1));
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

QVariant AlertModel::data(const QModelIndex &index, int role) const
{
    if (!index.isValid() || !checkIndex(index))
        return {};
    const AlertList::Entry &entry = m_rows.at(index.row());
    const auto text = [&] { return alertColumns()[static_cast<size_t>(index.column())].text(entry, m_now); };
    if (role == Qt::DisplayRole)
        return text();
    if (role == Qt::ToolTipRole)
        return plainToolTip(text());
    if (role == Qt::DecorationRole && index.column() == 0)
        return severityIcon(entry);
    if (role == Qt::ForegroundRole && entry.isQuiet())
        return textColor(StatusColor::Muted, QGuiApplication::palette());
    return {};
}

QVariant AlertModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    return orientation == Qt::Horizontal && role == Qt::DisplayRole
               ? tr(alertColumns()[static_cast<size_t>(section)].title)
               : QVariant();
}

} // namespace lockscope
