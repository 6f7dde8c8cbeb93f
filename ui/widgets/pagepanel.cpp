// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/pagepanel.h"

#include "ui/widgets/spokenrole.h"

#include <QHeaderView>
#include <QLineEdit>
#include <QTableView>
#include <QVBoxLayout>

namespace lockscope {

PagePanel::PagePanel(const QString &name, int lines, QWidget *parent)
    : QWidget(parent), m_lines(lines), m_column(new QVBoxLayout(this))
{
    setAccessibleName(name);
    setAutoFillBackground(true);
    setBackgroundRole(QPalette::Base);
    m_column->setContentsMargins(0, 0, 0, 0);
    m_column->setSpacing(0);
}

QSize PagePanel::sizeHint() const
{
    return {QWidget::sizeHint().width(), m_lines * fontMetrics().lineSpacing()};
}

QHBoxLayout &PagePanel::addHead(int spacing)
{
    auto *line = new QHBoxLayout;
    line->setContentsMargins(12, 6, 12, 4);
    line->setSpacing(spacing);
    m_column->addLayout(line);
    return *line;
}

void PagePanel::setUpFilter(QLineEdit &field, const QString &name, const QString &toolTip)
{
    field.setPlaceholderText(tr("Filter"));
    field.setAccessibleName(name);
    field.setToolTip(toolTip);
    addClearButton(&field);
}

void setUpRows(QTableView &table)
{
    table.setFrameShape(QFrame::NoFrame);
    table.setShowGrid(false);
    table.setWordWrap(false);
    table.setTabKeyNavigation(false);
    table.setSelectionBehavior(QAbstractItemView::SelectRows);
    table.setSelectionMode(QAbstractItemView::SingleSelection);
    table.verticalHeader()->hide();
    table.verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    table.verticalHeader()->setDefaultSectionSize(table.fontMetrics().height() + 8);
    table.horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    table.horizontalHeader()->setHighlightSections(false);
}

} // namespace lockscope
