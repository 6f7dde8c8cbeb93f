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

#include <array>
#include <utility>
#include <vector>

namespace lockscope {

namespace {

constexpr int titleMargin = 8;
constexpr int arrowSpace = 14;
constexpr int keyCharacters = 22;
constexpr int moreKeyCharacters = 8; ///< before the columns that matter least
constexpr int keyShare = 4;

using Column = LockTableModel::Column;

/// What a column takes.
struct Need
{
    Column column;
    int characters; ///< at least; of a node: as many as it has
    int share;      ///< of what is left when each has as much
    bool isLess = false;
};

/// Beside state and key, as far as there is room. What has none, the inspector tells; and the state says the first problem.
constexpr std::array byImportance{
    Need{Column::Ttl, 15, 0},           Need{Column::Waiters, 12, 0},      Need{Column::Owner, 16, 1},
    Need{Column::Held, 16, 0},          Need{Column::Node, 0, 0},          Need{Column::Problem, 19, 1},
    Need{Column::Blocks, 9, 0, true},   Need{Column::Family, 19, 0, true}, Need{Column::Holds, 9, 0, true},
    Need{Column::WaitsFor, 9, 0, true},
};

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
    const QScopedValueRollback fitting(m_fitting, true);
    const int character = latinWidth(fontMetrics(), 1);
    int left = width - LockDelegate::stateWidth(fontMetrics()) - keyCharacters * character;
    int shares = keyShare;
    std::vector<std::pair<Need, int>> shown{
        {{Column::Key, keyCharacters, keyShare}, keyCharacters * character}};
    resizeSection(static_cast<int>(Column::State), LockDelegate::stateWidth(fontMetrics()));
    for (const Need &need : byImportance) {
        const int section = static_cast<int>(need.column);
        const bool isNode = need.column == Column::Node;
        const int text =
            isNode ? m_nodeCharacters * character + 2 * titleMargin : need.characters * character;
        const int size = std::max(text, sectionSizeFromContents(section).width()); // in any language
        const bool isPossible = !isNode || (m_nodeCharacters > 0 && !m_isNodeUnwanted);
        const bool fits = isPossible && size + (need.isLess ? moreKeyCharacters * character : 0) <= left;
        setSectionHidden(section, !fits);
        if (!fits)
            continue;
        left -= size;
        shares += need.share;
        shown.push_back({need, size});
    }
    for (const auto &[need, size] : shown)
        resizeSection(static_cast<int>(need.column), size + std::max(left, 0) * need.share / shares);
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
