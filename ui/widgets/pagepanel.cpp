// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/pagepanel.h"

#include "ui/widgets/elidedlabel.h"
#include "ui/widgets/plaintext.h"
#include "ui/widgets/propertygrid.h"
#include "ui/widgets/spokenrole.h"

#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QStackedWidget>
#include <QTableView>

namespace lockscope {

PagePanel::PagePanel(const QString &name, int lines, QWidget *parent)
    : QWidget(parent), m_lines(lines), m_column(new QVBoxLayout(this)), m_summary(new ElidedLabel(this))
{
    setAccessibleName(name);
    setAutoFillBackground(true);
    setBackgroundRole(QPalette::Base);
    m_column->setContentsMargins(0, 0, 0, 0);
    m_column->setSpacing(0);
    applyTextColor(m_summary, StatusColor::Muted);
}

QSize PagePanel::sizeHint() const
{
    return {QWidget::sizeHint().width(), m_lines * fontMetrics().lineSpacing()};
}

QHBoxLayout &PagePanel::addHead(int spacing, std::initializer_list<BoxPart> controls)
{
    auto *line = lineOf(controls, spacing, {12, 6, 12, 4});
    m_column->addLayout(line);
    return *line;
}

QWidget *PagePanel::summary() const
{
    return m_summary;
}

void PagePanel::showSummary(const QStringList &parts)
{
    m_summary->setFullText(parts.join(QStringLiteral(" · ")));
}

QWidget *PagePanel::placeOf(QWidget *list)
{
    m_place = new QStackedWidget(this);
    m_why = new QLabel(m_place);
    m_why->setAlignment(Qt::AlignCenter);
    m_why->setTextFormat(Qt::PlainText);
    m_why->setWordWrap(true);
    m_place->addWidget(m_why);
    m_place->addWidget(list);
    m_place->setContentsMargins(8, 0, 0, 0);
    return m_place;
}

void PagePanel::showListOr(const QString &why)
{
    m_why->setText(why);
    m_place->setCurrentIndex(why.isEmpty() ? 1 : 0);
}

void PagePanel::focusContents()
{
    m_place->currentWidget()->setFocus(Qt::ShortcutFocusReason);
}

void PagePanel::setUpFilter(QLineEdit &field, const QString &name, const QString &toolTip)
{
    field.setPlaceholderText(tr("Filter"));
    field.setAccessibleName(name);
    setPlainToolTip(field, toolTip);
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
