// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/locks/lockheader.h"

#include "ui/locks/lockcolumns.h"
#include "ui/locks/lockdelegate.h"
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
constexpr int moreKeyCharacters = 8; ///< before the columns that matter least

using Column = LockColumn;

} // namespace

LockHeader::LockHeader(QWidget *parent) : QHeaderView(Qt::Horizontal, parent)
{
    setSectionsClickable(true);
    setSectionsMovable(true);
    setHighlightSections(false);
    setStretchLastSection(true);
    setMinimumSectionSize(44);
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
            if (size > 0)
                resizeSection(section, size);
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
        resizeSection(section, std::max(sectionSize(section), sectionSizeFromContents(section).width()));
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
    if (m_setByUser || count() == 0)
        return;
    const QScopedValueRollback fitting(m_fitting, true);
    const int character = latinWidth(fontMetrics(), 1);
    std::vector<const LockColumnSpec *> byTurn;
    for (const LockColumnSpec &column : lockColumns())
        byTurn.push_back(&column);
    std::ranges::stable_sort(byTurn, {}, [](const LockColumnSpec *column) { return column->room.turn; });
    int left = width;
    int shares = 0;
    std::vector<std::pair<const LockColumnSpec *, int>> shown;
    for (const LockColumnSpec *column : byTurn) {
        const auto &[turn, characters, share, isLess] = column->room;
        const int section = static_cast<int>(column->id);
        const bool isNode = column->id == Column::Node;
        const int text = column->id == Column::State ? LockDelegate::stateWidth(fontMetrics())
                         : isNode                    ? m_nodeCharacters * character + 2 * titleMargin
                                                     : characters * character;
        const int size = std::max(text, sectionSizeFromContents(section).width()); // in any language
        const bool isPossible =
            turn != ColumnRoom::whenChosen && (!isNode || (m_nodeCharacters > 0 && !m_isNodeUnwanted));
        const bool fits = isPossible && size + (isLess ? moreKeyCharacters * character : 0) <= left;
        const bool isShown = fits || turn == ColumnRoom::always;
        setSectionHidden(section, !isShown);
        if (!isShown)
            continue;
        left -= size;
        shares += share;
        shown.emplace_back(column, size);
    }
    for (const auto &[column, size] : shown)
        resizeSection(static_cast<int>(column->id), size + std::max(left, 0) * column->room.share / shares);
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
