// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/locks/lockheader.h"

#include "core/table/lockcolumns.h"
#include "ui/widgets/figurecolumns.h"
#include "ui/widgets/measure.h"
#include "ui/widgets/palette.h"
#include "ui/widgets/savedwidgetstate.h"

#include <QContextMenuEvent>
#include <QGuiApplication>
#include <QMenu>
#include <QPainter>
#include <QPainterPath>
#include <QScopedValueRollback>

#include <algorithm>
#include <utility>
#include <vector>

namespace lockscope {

namespace {

constexpr int titleMargin = 8;
constexpr int arrowSpace = 14;
constexpr int maxCharacters = 80; ///< of a text that widens its column

using Column = LockColumn;

} // namespace

LockHeader::LockHeader(QWidget *parent) : QHeaderView(Qt::Horizontal, parent)
{
    setSectionsClickable(true);
    setSectionsMovable(true);
    setHighlightSections(false);
    setStretchLastSection(true);
    setMinimumSectionSize(44);
    setResizeContentsPrecision(0); // the visible rows
    // The last column also follows the window: only a pressed button is the user's.
    connect(this, &QHeaderView::sectionResized, this, [this] {
        if (!m_fitting && QGuiApplication::mouseButtons() != Qt::NoButton && underMouse())
            takeOver();
    });
    connect(this, &QHeaderView::sectionMoved, this, [this] {
        if (!m_fitting)
            takeOver();
    });
    new SavedWidgetState(
        QStringLiteral("header"), this, [this] { return m_setByUser ? layout() : QByteArray(); },
        [this](const QByteArray &saved) { restoreLayout(saved); });
}

void LockHeader::takeOver()
{
    m_setByUser = true;
    emit setByUser();
}

QByteArray LockHeader::layout() const
{
    QByteArrayList words;
    const auto add = [&words](int section, const QByteArray &what) {
        words << QByteArray(lockColumns()[static_cast<size_t>(section)].name) + '=' + what;
    };
    for (int at = 0; at < count(); ++at)
        add(logicalIndex(at), QByteArray::number(sectionSize(logicalIndex(at))));
    add(sortIndicatorSection(), sortIndicatorOrder() == Qt::AscendingOrder ? "ascending" : "descending");
    return words.join(' ');
}

/// Columns missing in `saved` stay unchanged; a layout without column names (older versions) changes nothing.
void LockHeader::restoreLayout(const QByteArray &saved)
{
    int place = 0;
    for (const QByteArray &word : saved.split(' ')) {
        const QByteArray name = word.left(word.indexOf('=')), what = word.mid(name.size() + 1);
        const auto column =
            std::ranges::find_if(lockColumns(), [&name](const auto &each) { return name == each.name; });
        if (column == lockColumns().end())
            continue;
        const int section = static_cast<int>(column->id);
        bool isSize = false;
        const int size = what.toInt(&isSize);
        if (isSize) {
            moveSection(visualIndex(section), place++);
            setSectionHidden(section, size == 0 && column->room.turn != ColumnRoom::always);
            if (size > 0) // older versions cut figures
                resizeSection(section, column->isNumber ? std::max(size, leastWidth(*column)) : size);
        } else {
            setSortIndicator(section, what == "descending" ? Qt::DescendingOrder : Qt::AscendingOrder);
        }
    }
    if (place > 0)
        takeOver();
    setNodeCharacters(m_nodeCharacters);
}

void LockHeader::fillMenu(QMenu &menu)
{
    for (int at = 0; at < count(); ++at) {
        const int section = logicalIndex(at);
        const auto column = static_cast<Column>(section);
        if (column == Column::Node && m_nodeCharacters == 0)
            continue;
        QAction *action = menu.addAction(model()->headerData(section, Qt::Horizontal).toString());
        action->setCheckable(true);
        action->setChecked(!isSectionHidden(section));
        action->setEnabled(specOf(column).room.turn != ColumnRoom::always);
        connect(action, &QAction::toggled, this, [this, section](bool on) { show(section, on); });
    }
    menu.addSeparator();
    connect(menu.addAction(tr("&Reset columns")), &QAction::triggered, this, &LockHeader::reset);
}

void LockHeader::contextMenuEvent(QContextMenuEvent *event)
{
    auto *menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    fillMenu(*menu);
    menu->popup(event->globalPos());
}

void LockHeader::show(int section, bool on)
{
    takeOver();
    if (section == static_cast<int>(Column::Node))
        m_isNodeUnwanted = !on;
    setSectionHidden(section, !on);
    if (on)
        resizeSection(section,
                      std::max(sectionSize(section), leastWidth(specOf(static_cast<Column>(section)))));
}

void LockHeader::reset()
{
    const QScopedValueRollback fitting(m_fitting, true);
    m_setByUser = m_isNodeUnwanted = false;
    for (int section = 0; section < count(); ++section) {
        setSectionHidden(section, false);
        moveSection(visualIndex(section), section);
    }
    emit resetByUser();
}

void LockHeader::setNodeCharacters(int characters)
{
    m_nodeCharacters = characters;
    setSectionHidden(static_cast<int>(Column::Node), characters == 0 || m_isNodeUnwanted);
}

void LockHeader::fit(int width)
{
    m_width = width;
    m_needs.clear();
    measure();
    if (!m_setByUser && count() > 0)
        arrange();
}

void LockHeader::follow()
{
    const bool isPointedAt = !m_needs.isEmpty() && parentWidget()->underMouse();
    if (!m_setByUser && !isPointedAt && measure())
        arrange();
}

/// Returns whether a text is cut that is wider than all before.
bool LockHeader::measure()
{
    const auto &view = *qobject_cast<const QAbstractItemView *>(parentWidget());
    const int widest = latinWidth(fontMetrics(), maxCharacters);
    bool isCut = false;
    for (int section = 0; section < count(); ++section) {
        const int need = isSectionHidden(section) ? 0 : std::min(visibleTextWidth(view, section), widest);
        if (need <= m_needs.value(section))
            continue;
        m_needs[section] = need;
        isCut |= need > sectionSize(section);
    }
    return isCut;
}

/// Returns the width in which a column's texts, but for keys, families and owners, are not cut.
int LockHeader::leastWidth(const LockColumnSpec &column) const
{
    const int section = static_cast<int>(column.id);
    const int text = column.room.isDuration ? durationWidth(fontMetrics()) + 2 * titleMargin
                     : column.id == Column::Node
                         ? latinWidth(fontMetrics(), m_nodeCharacters) + 2 * titleMargin
                         : latinWidth(fontMetrics(), column.room.characters);
    const int need = column.id == Column::State || column.isNumber ? m_needs.value(section) : 0;
    return std::max({text, need, sectionSizeFromContents(section).width()}); // in any language
}

void LockHeader::arrange()
{
    const QScopedValueRollback fitting(m_fitting, true);
    std::vector<const LockColumnSpec *> byTurn;
    for (const LockColumnSpec &column : lockColumns())
        byTurn.push_back(&column);
    std::ranges::stable_sort(byTurn, {}, [](const LockColumnSpec *column) { return column->room.turn; });
    int left = m_width;
    bool isFull = false;
    std::vector<std::pair<int, int>> shared; // what is lacking, section
    for (const LockColumnSpec *column : byTurn) {
        const int section = static_cast<int>(column->id), size = leastWidth(*column);
        const ColumnRoom &room = column->room;
        const bool isNode = column->id == Column::Node;
        const bool isPossible = !isNode || (m_nodeCharacters > 0 && !m_isNodeUnwanted);
        // Without room for a column there is none for the less important ones.
        isFull |= isPossible && size + latinWidth(fontMetrics(), room.spare) > left;
        const bool fits = isPossible && !isFull && room.turn != ColumnRoom::whenChosen;
        const bool isShown = fits || room.turn == ColumnRoom::always;
        setSectionHidden(section, !isShown);
        if (!isShown)
            continue;
        left -= size;
        resizeSection(section, size);
        if (room.isShared)
            shared.emplace_back(std::max(m_needs.value(section) - size, 0), section);
    }
    // Those that lack little come first: then one long text cuts no short ones.
    std::ranges::sort(shared);
    for (const bool isRest : {false, true}) {
        auto waiting = static_cast<int>(shared.size());
        for (const auto &[lack, section] : shared) {
            const int part = std::max(left, 0) / waiting--, more = isRest ? part : std::min(lack, part);
            resizeSection(section, sectionSize(section) + more);
            left -= more;
        }
    }
}

QSize LockHeader::sizeHint() const
{
    return {QHeaderView::sizeHint().width(), fontMetrics().height() + 12};
}

QSize LockHeader::sectionSizeFromContents(int section) const
{
    if (!model())
        return {};
    const QString word = model()->headerData(section, Qt::Horizontal).toString();
    return {fontMetrics().horizontalAdvance(word) + 2 * titleMargin + arrowSpace, sizeHint().height()};
}

void LockHeader::paintSection(QPainter *painter, const QRect &rect, int section) const
{
    painter->fillRect(rect, palette().color(QPalette::Window));
    painter->setPen(borderColor(palette()));
    painter->drawLine(rect.bottomLeft(), rect.bottomRight());
    if (visualIndex(section) > 0)
        painter->drawLine(rect.left(), rect.top() + 7, rect.left(), rect.bottom() - 6);

    const bool sorted = isSortIndicatorShown() && sortIndicatorSection() == section;
    const QString word = model()->headerData(section, Qt::Horizontal).toString();
    const auto alignment =
        model()->headerData(section, Qt::Horizontal, Qt::TextAlignmentRole).value<Qt::Alignment>();
    const bool right = alignment.testFlag(Qt::AlignRight);
    const int wordWidth = fontMetrics().horizontalAdvance(word);
    const QRect place = rect.adjusted(section == 0 ? titleMargin + 2 : titleMargin, 0, -titleMargin, 0);
    painter->setPen(sorted ? palette().color(QPalette::Text) : textColor(StatusColor::Muted, palette()));
    painter->drawText(place, static_cast<int>((alignment | Qt::AlignVCenter).toInt()),
                      fontMetrics().elidedText(word, Qt::ElideRight, place.width()));
    if (!sorted)
        return;
    const bool down = sortIndicatorOrder() == Qt::DescendingOrder;
    const double x = right ? place.right() - wordWidth - 9 : place.left() + wordWidth + 9;
    const double y = rect.center().y() + 0.5;
    painter->setRenderHint(QPainter::Antialiasing);
    QPainterPath arrow;
    arrow.addPolygon(down ? QPolygonF({{x - 4, y - 2}, {x + 4, y - 2}, {x, y + 3}})
                          : QPolygonF({{x - 4, y + 3}, {x + 4, y + 3}, {x, y - 2}}));
    painter->fillPath(arrow, palette().color(QPalette::Text));
    painter->setRenderHint(QPainter::Antialiasing, false);
}

} // namespace lockscope
