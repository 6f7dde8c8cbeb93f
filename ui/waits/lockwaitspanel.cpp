// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/waits/lockwaitspanel.h"
#include "ui/widgets/plaintext.h"

#include "core/base/printable.h"
#include "ui/locks/locktext.h"
#include "ui/locks/waitertext.h"
#include "ui/waits/waittext.h"
#include "ui/widgets/elidedlabel.h"
#include "ui/widgets/measure.h"
#include "ui/widgets/propertygrid.h"

#include <QDateTime>
#include <QEvent>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLocale>
#include <QPainter>
#include <QScrollBar>
#include <QSignalBlocker>
#include <QStackedWidget>
#include <QTreeWidget>

namespace lockscope {

namespace {

constexpr std::chrono::milliseconds interval{500};
constexpr int glyphSize = 14;
enum Column { Who, State, Waiting };
enum Role { KeyRole = Qt::UserRole, PathRole };

QIcon drawn(Glyph glyph, const QColor &color, double ratio)
{
    QPixmap picture((QSizeF(glyphSize, glyphSize) * ratio).toSize());
    picture.setDevicePixelRatio(ratio);
    picture.fill(Qt::transparent);
    QPainter painter(&picture);
    drawGlyph(painter, glyph, QRectF(0, 0, glyphSize, glyphSize), color);
    painter.end();
    return QIcon(picture);
}

QString waitingText(const WaitNode &node)
{
    if (node.waiting == 0)
        return {};
    const QString number = QLocale().toString(node.waiting);
    return node.isExact ? number : QStringLiteral("≥ ") + number;
}

} // namespace

LockWaitsPanel::LockWaitsPanel(const WaitIndex &index, const OwnerNames &names, QWidget *parent)
    : QWidget(parent),
      m_index(index),
      m_names(names),
      m_summary(new QLabel(this)),
      m_stack(new QStackedWidget(this)),
      m_tree(new QTreeWidget(this)),
      m_nobody(new QLabel(tr("No waiters found."), this))
{
    setAccessibleName(tr("Lock waits"));
    setAutoFillBackground(true);
    setBackgroundRole(QPalette::Base);
    m_tree->setAccessibleName(tr("Wait-for graph"));
    m_tree->setColumnCount(3);
    m_tree->setHeaderLabels({tr("Lock and its waiters"), tr("Owner or state"), tr("Waiters")});
    m_tree->headerItem()->setTextAlignment(Waiting, Qt::AlignRight | Qt::AlignVCenter);
    m_tree->setFrameShape(QFrame::NoFrame);
    m_tree->setUniformRowHeights(true);
    m_tree->setTextElideMode(Qt::ElideMiddle);
    m_tree->setIconSize(QSize(glyphSize, glyphSize));
    m_tree->header()->setStretchLastSection(false);
    m_tree->header()->setSectionResizeMode(Who, QHeaderView::Stretch);
    m_tree->header()->setSectionResizeMode(State, QHeaderView::Stretch);
    m_tree->header()->setSectionResizeMode(Waiting, QHeaderView::Fixed);
    m_tree->setColumnWidth(Waiting, latinWidth(fontMetrics(), 14));
    m_nobody->setAlignment(Qt::AlignCenter);
    m_stack->addWidget(m_nobody);
    m_stack->addWidget(m_tree);

    auto *title = new QLabel(tr("Lock waits"), this);
    QFont strong = font();
    strong.setWeight(QFont::DemiBold);
    title->setFont(strong);
    m_summary->setTextFormat(Qt::PlainText);
    auto *head = new QHBoxLayout;
    head->setContentsMargins(12, 8, 12, 4);
    head->setSpacing(14);
    head->addWidget(title);
    head->addWidget(m_summary, 1);
    auto *honest = new ElidedLabel(this);
    honest->setObjectName(QStringLiteral("honest"));
    honest->setContentsMargins(12, 4, 12, 8);
    honest->setFullText(
        tr("Only queues name their waiters, so only queues show chains and cycles. For other locks "
           "the number of subscribed processes is a lower bound (≥); polling clients cannot be "
           "counted. A deadlock is confirmed by two readings."));
    applyTextColor(honest, StatusColor::Muted);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addLayout(head);
    m_stack->setContentsMargins(8, 0, 0, 0);
    layout->addWidget(m_stack, 1);
    layout->addWidget(honest);

    // Not what is current: a view that gets the focus makes its first row that, and nobody has chosen it.
    connect(m_tree, &QTreeWidget::itemSelectionChanged, this, [this] {
        if (const QTreeWidgetItem *item = selected())
            emit chosen(LockKey(item->data(Who, KeyRole).toByteArray()));
    });
    connect(m_tree, &QTreeWidget::itemCollapsed, this,
            [this](QTreeWidgetItem *item) { m_collapsed.insert(item->data(Who, PathRole).toByteArray()); });
    connect(m_tree, &QTreeWidget::itemExpanded, this,
            [this](QTreeWidgetItem *item) { m_collapsed.remove(item->data(Who, PathRole).toByteArray()); });
    connect(&names, &OwnerNames::changed, this, &LockWaitsPanel::invalidate);
    m_timer.setInterval(interval);
    m_timer.setSingleShot(true);
    connect(&m_timer, &QTimer::timeout, this, &LockWaitsPanel::refresh);
}

LockWaitsPanel::~LockWaitsPanel()
{
    // The tree outlives the members: what it says while it goes is no longer heard.
    m_tree->disconnect(this);
}

void LockWaitsPanel::invalidate()
{
    m_due = true;
    if (isVisible() && !m_timer.isActive())
        m_timer.start();
}

void LockWaitsPanel::setDeadlocks(const QList<Deadlock> &deadlocks)
{
    m_deadlocks = deadlocks;
    invalidate();
}

void LockWaitsPanel::setStale(bool stale)
{
    if (m_stale == stale)
        return;
    m_stale = stale;
    invalidate();
}

QSize LockWaitsPanel::sizeHint() const
{
    constexpr int lines = 15;
    return {QWidget::sizeHint().width(), lines * fontMetrics().lineSpacing()};
}

void LockWaitsPanel::focusContents()
{
    m_stack->currentWidget()->setFocus(Qt::ShortcutFocusReason);
}

void LockWaitsPanel::showChosen(const std::optional<LockKey> &key)
{
    const QTreeWidgetItem *item = selected();
    if (item && (!key || item->data(Who, KeyRole).toByteArray() != key->bytes))
        m_tree->clearSelection();
}

void LockWaitsPanel::refresh()
{
    if (!m_due || !isVisible())
        return;
    m_due = false;
    m_forest = waitForest(m_index);
    rebuild();
    tellSummary();
    m_stack->setCurrentWidget(m_tree->topLevelItemCount() > 0 ? static_cast<QWidget *>(m_tree) : m_nobody);
}

/// Whole, since a tree of a thousand nodes is built in a few milliseconds; what the user opened, chose and scrolled to stays.
void LockWaitsPanel::rebuild()
{
    const QSignalBlocker quiet(m_tree);
    const int scrolled = m_tree->verticalScrollBar()->value();
    const QByteArray chosenPath = selected() ? selected()->data(Who, PathRole).toByteArray() : QByteArray();
    m_tree->clear();
    for (const Deadlock &deadlock : m_deadlocks)
        addCycle(deadlock);
    for (const WaitNode &root : m_forest.roots)
        addNode(nullptr, root, {});
    for (QTreeWidgetItemIterator item(m_tree); *item; ++item) {
        const QByteArray path = (*item)->data(Who, PathRole).toByteArray();
        (*item)->setExpanded(!m_collapsed.contains(path));
        (*item)->setSizeHint(Who, QSize(0, fontMetrics().height() + 8));
        if (!chosenPath.isEmpty() && path == chosenPath)
            m_tree->setCurrentItem(*item);
    }
    m_tree->verticalScrollBar()->setValue(scrolled);
}

QTreeWidgetItem *LockWaitsPanel::selected() const
{
    return m_tree->selectedItems().value(0);
}

void LockWaitsPanel::addCycle(const Deadlock &deadlock)
{
    auto *cycle = new QTreeWidgetItem(m_tree);
    const int size = static_cast<int>(deadlock.cycle.size());
    cycle->setText(Who, tr("Deadlock: %n owner(s) wait for each other", nullptr, size));
    cycle->setIcon(Who, drawn(Glyph::Circle, colorOf(StatusColor::Danger), devicePixelRatioF()));
    QFont strong = font();
    strong.setWeight(QFont::DemiBold);
    cycle->setFont(Who, strong);
    cycle->setForeground(Who, colorOf(StatusColor::Danger));
    cycle->setData(Who, KeyRole, deadlock.cycle.first().lock.bytes);
    cycle->setData(Who, PathRole, QByteArray("cycle:" + deadlock.cycle.first().lock.bytes));
    cycle->setFirstColumnSpanned(true);
    const QStringList words = cycleText(deadlock, m_index, m_names);
    for (int i = 0; i < size; ++i) {
        auto *line = new QTreeWidgetItem(cycle);
        line->setText(Who, words.at(i));
        line->setToolTip(Who, plainToolTip(words.at(i)));
        line->setData(Who, KeyRole, deadlock.cycle.at(i).lock.bytes);
        line->setData(Who, PathRole, cycle->data(Who, PathRole).toByteArray() + '/' + QByteArray::number(i));
        line->setFirstColumnSpanned(true);
    }
}

void LockWaitsPanel::addNode(QTreeWidgetItem *parent, const WaitNode &node, const QByteArray &path)
{
    const WatchedLock *lock = m_index.find(node.lock);
    if (!lock)
        return;
    auto *item = parent ? new QTreeWidgetItem(parent) : new QTreeWidgetItem(m_tree);
    const double ratio = devicePixelRatioF();
    QByteArray own = path + '/' + node.lock.bytes;
    if (node.place) {
        const Waiter &waiter = lock->lock.beside->waiters.queue.at(*node.place - 1);
        const StatusMessage state = waiterState(waiter, QDateTime::currentMSecsSinceEpoch());
        own += '/' + waiter.id.bytes;
        item->setText(Who, tr("%1. %2", "place in a queue, who stands there")
                               .arg(QLocale().toString(*node.place),
                                    m_names.text(lock->lock.family, lock->key(), waiter.id)));
        item->setToolTip(Who, plainToolTip(printable(waiter.id.bytes)));
        item->setIcon(Who, drawn(waiterGlyph(waiter), colorOf(state.statusColor), ratio));
        item->setText(State, state.text);
        item->setForeground(State, colorOf(state.statusColor));
    } else {
        const bool isStuck = lock->problems().testFlag(Problem::Deadlock);
        item->setText(Who, printable(node.lock.bytes, 160));
        item->setToolTip(Who, plainToolTip(printable(node.lock.bytes)));
        item->setIcon(Who, drawn(isStuck ? Glyph::Circle : Glyph::Padlock,
                                 colorOf(isStuck ? StatusColor::Danger : StatusColor::Held), ratio));
        const QString owner = ownerText(lock->lock, m_names);
        item->setText(State, owner.isEmpty() ? tr("none") : owner);
        if (!lock->lock.owners.isEmpty())
            item->setToolTip(State, plainToolTip(ownerToolTip(lock->lock, m_names)));
    }
    item->setText(Waiting, waitingText(node));
    item->setTextAlignment(Waiting, Qt::AlignRight | Qt::AlignVCenter);
    if (m_stale) {
        for (const int column : {Who, State, Waiting})
            item->setForeground(column, colorOf(StatusColor::Muted));
    }
    item->setData(Who, KeyRole, node.lock.bytes);
    item->setData(Who, PathRole, own);
    for (const WaitNode &below : node.below)
        addNode(item, below, own);
}

void LockWaitsPanel::tellSummary()
{
    qint64 waiting = 0;
    bool isExact = m_forest.isWhole;
    for (const WaitNode &root : m_forest.roots) {
        waiting += root.waiting;
        isExact &= root.isExact;
    }
    const int locks = static_cast<int>(m_index.waitedOn().size());
    QString text;
    if (locks > 0) {
        const QString number = QLocale().toString(waiting);
        text = tr("%n lock(s) with waiters", nullptr, locks) + QStringLiteral(" · ") +
               (isExact ? tr("waiters: %1").arg(number) : tr("waiters: at least %1").arg(number));
    }
    if (!m_forest.isWhole)
        text += QStringLiteral(" · ") + tr("list shortened");
    m_summary->setText(text);
    applyTextColor(m_summary, StatusColor::Muted);
}

QColor LockWaitsPanel::colorOf(StatusColor statusColor) const
{
    return textColor(m_stale ? StatusColor::Muted : statusColor, palette());
}

void LockWaitsPanel::showEvent(QShowEvent *event)
{
    QWidget::showEvent(event);
    refresh();
}

void LockWaitsPanel::changeEvent(QEvent *event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange)
        invalidate();
}

} // namespace lockscope
