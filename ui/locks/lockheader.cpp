// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/locks/lockheader.h"

#include "ui/locks/lockdelegate.h"
#include "ui/locks/locktablemodel.h"
#include "ui/widgets/keptstate.h"
#include "ui/widgets/measure.h"
#include "ui/widgets/palette.h"

#include <QContextMenuEvent>
#include <QGuiApplication>
#include <QMenu>
#include <QPainter>
#include <QPainterPath>
#include <QScopedValueRollback>

#include <tuple>

namespace lockscope {

namespace {

constexpr int margin = 8;
constexpr int arrowSpace = 14;
constexpr int familyCharacters = 19;
constexpr int tightCharacters = 136;
constexpr int smallCharacters = 190;
constexpr int keyCharacters = 22;
constexpr int ownerCharacters = 16;

using Column = LockTableModel::Column;

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
    new KeptState(
        QStringLiteral("header"), this, [this] { return m_setByUser ? saveState() : QByteArray(); },
        [this](const QByteArray &state) {
            if (restoreState(state))
                takeOver();
            setNodeCharacters(m_nodeCharacters);
        });
}

void LockHeader::takeOver()
{
    m_setByUser = true;
    emit setByUser();
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
        action->setEnabled(column != Column::State && column != Column::Key);
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
    m_fitting = true;
    const int character = latinWidth(fontMetrics(), 1);
    const auto resize = [this](Column column, int size) { resizeSection(static_cast<int>(column), size); };
    // What a smaller window has no room for, the state and its mark tell in short, and the inspector in full.
    const bool small = width < smallCharacters * character;
    const bool tight = width < tightCharacters * character;
    const int state = LockDelegate::stateWidth(fontMetrics());
    int left = width - state;
    int familySize = 0;
    resize(Column::State, state);
    for (const auto &[column, characters, isShown] :
         {std::tuple(Column::Family, familyCharacters, !tight), std::tuple(Column::Holds, 9, !tight),
          std::tuple(Column::Waiters, 12, true), std::tuple(Column::Ttl, 15, true),
          std::tuple(Column::Held, 16, true)}) {
        setSectionHidden(static_cast<int>(column), !isShown);
        const int size =
            std::max(characters * character,
                     sectionSizeFromContents(static_cast<int>(column)).width()); // in any language
        resize(column, size);
        left -= isShown ? size : 0;
        if (column == Column::Family)
            familySize = size;
    }
    const int nodes = std::max(m_nodeCharacters * character + 2 * margin,
                               sectionSizeFromContents(static_cast<int>(Column::Node)).width());
    // On which node a lock is matters more than its family, which the inspector tells.
    const int names = (keyCharacters + ownerCharacters) * character;
    if (m_nodeCharacters > 0 && !tight && left - nodes < names) {
        setSectionHidden(static_cast<int>(Column::Family), true);
        left += familySize;
    }
    const bool showsNodes = m_nodeCharacters > 0 && left - nodes >= names;
    setSectionHidden(static_cast<int>(Column::Node), !showsNodes);
    resize(Column::Node, nodes);
    left -= showsNodes ? nodes : 0;
    setSectionHidden(static_cast<int>(Column::Problem), small);
    // What is left in the ratio 5 : 4 : 3, and never less than a name needs.
    const int parts = small ? 9 : 12;
    resize(Column::Key, std::max(left * 5 / parts, keyCharacters * character));
    resize(Column::Owner, std::max(left * 4 / parts, ownerCharacters * character));
    m_fitting = false;
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
    return {fontMetrics().horizontalAdvance(word) + 2 * margin + arrowSpace, sizeHint().height()};
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
    const QRect place = rect.adjusted(section == 0 ? margin + 2 : margin, 0, -margin, 0);
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
