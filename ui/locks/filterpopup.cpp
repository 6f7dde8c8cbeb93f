// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/locks/filterpopup.h"

#include "ui/widgets/boxes.h"
#include "ui/widgets/measure.h"
#include "ui/widgets/propertygrid.h"

#include <QHeaderView>
#include <QLabel>
#include <QPainter>
#include <QTreeWidget>

namespace lockscope {

namespace {

constexpr int border = 1;
constexpr int maxRows = 12;
constexpr int rowPadding = 6;
constexpr int textCharacters = 44;
constexpr int detailCharacters = 36;

} // namespace

FilterPopup::FilterPopup(QWidget *field)
    : QWidget(field->window()), m_field(field), m_heading(new QLabel(this)), m_list(new QTreeWidget(this))
{
    setAutoFillBackground(true);
    setFocusPolicy(Qt::NoFocus);
    m_heading->setTextFormat(Qt::PlainText);
    m_heading->setContentsMargins(8, 4, 8, 4);
    applyTextColor(m_heading, StatusColor::Muted);
    m_list->setAccessibleName(tr("Suggestions"));
    m_list->setColumnCount(2);
    m_list->setHeaderHidden(true);
    m_list->setRootIsDecorated(false);
    m_list->setUniformRowHeights(true);
    m_list->setFrameShape(QFrame::NoFrame);
    m_list->setFocusPolicy(Qt::NoFocus);
    m_list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_list->header()->setStretchLastSection(true);
    connect(m_list, &QTreeWidget::itemClicked, this,
            [this](QTreeWidgetItem *item) { emit chosen(m_list->indexOfTopLevelItem(item)); });
    setLayout(columnOf({m_heading, m_list}, 0, {border, border, border, border}));
    hide();
}

void FilterPopup::open(const QString &heading, const QList<FilterSuggestion> &suggestions)
{
    m_suggestions = suggestions;
    m_list->clear();
    if (suggestions.isEmpty())
        return hide();
    for (const FilterSuggestion &each : suggestions) {
        auto *item = new QTreeWidgetItem(m_list, {each.text, each.detail});
        item->setSizeHint(0, QSize(0, fontMetrics().height() + rowPadding));
    }
    m_list->setCurrentItem(nullptr);
    m_heading->setText(heading);
    m_heading->setVisible(!heading.isEmpty());
    place();
    show();
    raise();
}

void FilterPopup::step(int by)
{
    const int rows = m_list->topLevelItemCount();
    const int row = current() < 0 ? (by > 0 ? 0 : rows - 1) : std::clamp(current() + by, 0, rows - 1);
    m_list->setCurrentItem(m_list->topLevelItem(row));
}

int FilterPopup::current() const
{
    return m_list->currentItem() ? m_list->indexOfTopLevelItem(m_list->currentItem()) : -1;
}

/// Paints a border that stands out from the table, also in dark windows.
void FilterPopup::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.setPen(textColor(StatusColor::Muted, palette()));
    painter.drawRect(rect().adjusted(0, 0, -1, -1));
}

void FilterPopup::place()
{
    if (parentWidget() != m_field->window())
        setParent(m_field->window());
    const QPoint corner = m_field->mapTo(parentWidget(), QPoint(0, m_field->height() + 1));
    const int character = latinWidth(fontMetrics(), 1);
    const int width =
        std::min((textCharacters + detailCharacters) * character, parentWidget()->width() - corner.x() - 4);
    const int rows = std::min(m_list->topLevelItemCount(), maxRows);
    const int height = rows * m_list->sizeHintForRow(0) + 2 * border + 2 +
                       (m_heading->isHidden() ? 0 : m_heading->sizeHint().height());
    m_list->setColumnWidth(0, width * textCharacters / (textCharacters + detailCharacters));
    setGeometry(QRect(corner, QSize(width, std::min(height, parentWidget()->height() - corner.y() - 4))));
}

} // namespace lockscope
