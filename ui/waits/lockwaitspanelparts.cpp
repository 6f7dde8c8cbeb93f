// SPDX-License-Identifier: GPL-3.0-or-later
// What a LockWaitsPanel is made of, and what in it listens to what.
#include "ui/waits/lockwaitspanel.h"

#include "core/table/displayclock.h"
#include "core/words/actionpreview.h"
#include "core/words/texts.h"
#include "ui/widgets/boxes.h"
#include "ui/widgets/elidedlabel.h"
#include "ui/widgets/figurecolumns.h"
#include "ui/widgets/plaintext.h"
#include "ui/widgets/propertygrid.h"

#include <QAction>
#include <QHeaderView>
#include <QScrollBar>
#include <QSignalBlocker>
#include <QToolButton>
#include <QTreeWidget>

namespace lockscope {

namespace {

constexpr std::chrono::milliseconds interval{500};
constexpr std::chrono::seconds tickInterval{1};
constexpr int leastRows = 4;
constexpr int linesAtFirst = 15; ///< fits a cycle and a few queues

} // namespace

LockWaitsPanel::LockWaitsPanel(const WaitIndex &index, const DisplayClock &clock, const OwnerNames &names,
                               QAction *forceExpire, QWidget *parent)
    : PagePanel(Texts::tr("Lock waits"), linesAtFirst, parent),
      m_index(index),
      m_clock(clock),
      m_names(names),
      m_remedy(buildRemedy(forceExpire)),
      m_tree(new QTreeWidget(this))
{
    buildTree();
    addHead(14, {{summary(), 1}}).setContentsMargins(12, 8, 12, 4);
    auto *honest = new ElidedLabel(this);
    honest->setObjectName(QStringLiteral("honest"));
    honest->setContentsMargins(12, 4, 12, 8);
    honest->setFullText(tr(
        "Only wait queues show chains and cycles. Elsewhere, subscribed processes give a lower bound (≥)."));
    applyTextColor(honest, StatusColor::Muted);
    addParts(column(), {m_remedy, {placeOf(m_tree), 1}, honest});

    connect(&names, &OwnerNames::changed, this, &LockWaitsPanel::invalidate);
    m_timer.setInterval(interval);
    m_timer.setSingleShot(true);
    connect(&m_timer, &QTimer::timeout, this, &LockWaitsPanel::refresh);
    m_ticking.setInterval(tickInterval);
    connect(&m_ticking, &QTimer::timeout, this, &LockWaitsPanel::showTimes);
}

void LockWaitsPanel::buildTree()
{
    m_tree->setAccessibleName(tr("Wait-for graph"));
    m_tree->setColumnCount(TotalWait + 1);
    m_tree->setHeaderLabels({tr("Lock and its waiters"), tr("Owner or state"), Texts::tr("Waiters"),
                             Texts::tr("Longest wait"), tr("Total wait")});
    m_tree->headerItem()->setToolTip(Waiting,
                                     plainToolTip(tr("Waiters behind the lock, direct or indirect.")));
    for (const Column column : {LongestWait, TotalWait})
        m_tree->headerItem()->setToolTip(column, plainToolTip(tr("Since each waiter was first seen.")));
    for (const Column column : {Waiting, LongestWait, TotalWait})
        m_tree->headerItem()->setTextAlignment(column, Qt::AlignRight | Qt::AlignVCenter);
    m_tree->setFrameShape(QFrame::NoFrame);
    m_tree->setUniformRowHeights(true);
    m_tree->setTextElideMode(Qt::ElideMiddle);
    m_tree->setIconSize(QSize(glyphSize, glyphSize));
    m_tree->setContextMenuPolicy(Qt::CustomContextMenu);
    QHeaderView *header = m_tree->header();
    header->setStretchLastSection(false);
    header->setSectionResizeMode(Who, QHeaderView::Stretch);
    header->setSectionResizeMode(State, QHeaderView::Stretch);
    for (const Column column : {Waiting, LongestWait, TotalWait})
        header->setSectionResizeMode(column, QHeaderView::Fixed);
    new FigureColumns(header, {LongestWait, TotalWait}, {Waiting});
    fitToFont();

    // Not what is current: a view that gets the focus makes its first row that, and nobody has chosen it.
    connect(m_tree, &QTreeWidget::itemSelectionChanged, this, [this] {
        if (const QTreeWidgetItem *item = selected())
            emit chosen(LockKey(item->data(Who, KeyRole).toByteArray()));
    });
    connect(m_tree, &QTreeWidget::customContextMenuRequested, this, [this](const QPoint &position) {
        if (selected() && m_tree->itemAt(position) == selected())
            emit contextMenuWanted(m_tree->viewport()->mapToGlobal(position));
    });
    connect(m_tree, &QTreeWidget::itemCollapsed, this, [this](QTreeWidgetItem *item) {
        m_opened.remove(item->data(Who, PathRole).toByteArray());
        m_collapsed.insert(item->data(Who, PathRole).toByteArray());
    });
    connect(m_tree, &QTreeWidget::itemExpanded, this, [this](QTreeWidgetItem *item) {
        m_collapsed.remove(item->data(Who, PathRole).toByteArray());
        m_opened.insert(item->data(Who, PathRole).toByteArray());
        const QSignalBlocker quiet(m_tree);
        open(item);
        showTimes();
    });
    connect(m_tree->verticalScrollBar(), &QScrollBar::valueChanged, this, &LockWaitsPanel::showTimes);
}

void LockWaitsPanel::fitToFont()
{
    // The first rows are read without a larger panel.
    m_tree->setMinimumHeight((leastRows + 1) * rowHeight());
    for (QTreeWidgetItemIterator item(m_tree); *item; ++item)
        (*item)->setSizeHint(Who, QSize(0, rowHeight()));
}

QWidget *LockWaitsPanel::buildRemedy(QAction *forceExpire)
{
    auto *remedy = new QWidget(this);
    auto *text = new ElidedLabel(remedy);
    text->setObjectName(QStringLiteral("remedy"));
    text->setFullText(deadlockRemedy());
    auto *button = new QToolButton(remedy);
    button->setObjectName(QStringLiteral("endDeadlock"));
    button->setDefaultAction(forceExpire);
    button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    button->setFocusPolicy(Qt::StrongFocus);
    connect(button, &QToolButton::pressed, this, &LockWaitsPanel::endRequested);
    remedy->setLayout(lineOf({{text, 1}, button}, usualSpacing, {12, 0, 12, 4}));
    remedy->hide();
    return remedy;
}

} // namespace lockscope
