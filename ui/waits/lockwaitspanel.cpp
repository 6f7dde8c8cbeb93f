// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/waits/lockwaitspanel.h"

#include "core/base/printable.h"
#include "core/table/displayclock.h"
#include "core/table/locktext.h"
#include "core/table/waitertext.h"
#include "core/table/waittext.h"
#include "core/words/texts.h"
#include "ui/widgets/fonts.h"
#include "ui/widgets/glyph.h"
#include "ui/widgets/plaintext.h"
#include "ui/widgets/propertygrid.h"

#include <QEvent>
#include <QLocale>
#include <QScrollBar>
#include <QSignalBlocker>
#include <QTreeWidget>

namespace lockscope {

namespace {

/// Number of items that open by default; others are built when the user opens them.
constexpr int maxOpened = 200;
constexpr int lookRole = Qt::UserRole + 10;

/// Sets an icon only if it changed, since each new one is painted again.
void setGlyph(QTreeWidgetItem &item, Glyph glyph, const QColor &color, double ratio)
{
    const auto look = QVariant::fromValue(quint64(color.rgba()) << 8 | quint64(glyph));
    if (item.data(0, lookRole) == look)
        return;
    item.setData(0, lookRole, look);
    item.setIcon(0, glyphPixmap(glyph, LockWaitsPanel::glyphSize, color, ratio));
}

QString waitingText(const BlockedWaiters &behind)
{
    if (behind.count == 0)
        return {};
    const QString number = QLocale().toString(behind.count);
    return behind.isExact ? number : QStringLiteral("≥ ") + number;
}

} // namespace

/// An item that shows a node; its children are built when it is opened.
class LockWaitsPanel::WaitItem : public QTreeWidgetItem
{
public:
    using QTreeWidgetItem::QTreeWidgetItem;

    const WaitNode *node = nullptr; ///< valid until the next refresh
};

LockWaitsPanel::~LockWaitsPanel()
{
    // The tree outlives the members: what it says while it goes is no longer heard.
    m_tree->disconnect(this);
    m_tree->verticalScrollBar()->disconnect(this);
}

void LockWaitsPanel::invalidate()
{
    m_due = true;
    if (isVisible() && !m_timer.isActive())
        m_timer.start();
}

void LockWaitsPanel::setDeadlocks(const QList<Deadlock> &deadlocks)
{
    if (m_deadlocks == deadlocks)
        return;
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
    m_isBuilding = true; // the tree scrolls by itself where rows come and go
    m_forest = waitForest(m_index);
    rebuild();
    m_isBuilding = false;
    showTimes();
    tellSummary();
    m_remedy->setHidden(m_deadlocks.isEmpty());
    showListOr(m_tree->topLevelItemCount() > 0 ? QString() : tr("No waiters found."));
}

/// Reuses equal items. What the user opened, chose and scrolled to stays.
void LockWaitsPanel::rebuild()
{
    const QSignalBlocker quiet(m_tree);
    const int scrolled = m_tree->verticalScrollBar()->value();
    const QByteArray chosenPath = selected() ? selected()->data(Who, PathRole).toByteArray() : QByteArray();
    m_built = 0;
    showNodes(*m_tree->invisibleRootItem(), showCycles(), m_forest.roots);
    if (!selected() && !chosenPath.isEmpty()) {
        for (QTreeWidgetItemIterator item(m_tree); *item; ++item) {
            if ((*item)->data(Who, PathRole).toByteArray() == chosenPath)
                m_tree->setCurrentItem(*item);
        }
    }
    m_tree->verticalScrollBar()->setValue(scrolled);
}

QTreeWidgetItem *LockWaitsPanel::selected() const
{
    return m_tree->selectedItems().value(0);
}

int LockWaitsPanel::showCycles()
{
    const auto pathOf = [](const Deadlock &deadlock) {
        return QByteArray("cycle:" + deadlock.cycle.first().lock.bytes);
    };
    const int count = static_cast<int>(m_deadlocks.size());
    int same = 0;
    while (same < count && m_tree->topLevelItem(same) &&
           m_tree->topLevelItem(same)->data(Who, PathRole).toByteArray() == pathOf(m_deadlocks[same]) &&
           m_tree->topLevelItem(same)->childCount() == m_deadlocks[same].cycle.size())
        ++same;
    if (same < count || (m_tree->topLevelItem(same) && m_tree->topLevelItem(same)->isFirstColumnSpanned())) {
        m_tree->clear();
        for (const Deadlock &deadlock : m_deadlocks) {
            auto *cycle = new QTreeWidgetItem(m_tree);
            cycle->setData(Who, PathRole, pathOf(deadlock));
            cycle->setSizeHint(Who, QSize(0, rowHeight()));
            for (qsizetype i = 0; i < deadlock.cycle.size(); ++i)
                (new QTreeWidgetItem(cycle))
                    ->setData(Who, PathRole, pathBelow(*cycle, QByteArray::number(i)));
            cycle->setExpanded(!m_collapsed.contains(pathOf(deadlock)));
        }
    }
    for (int i = 0; i < count; ++i)
        showCycle(*m_tree->topLevelItem(i), m_deadlocks[i]);
    return count;
}

void LockWaitsPanel::showCycle(QTreeWidgetItem &cycle, const Deadlock &deadlock)
{
    const int size = static_cast<int>(deadlock.cycle.size());
    m_built += 1 + size;
    cycle.setText(Who, tr("Deadlock: %n owner(s) wait for each other", nullptr, size));
    setGlyph(cycle, Glyph::Circle, colorOf(StatusColor::Danger), devicePixelRatioF());
    cycle.setFont(Who, strong(font()));
    cycle.setForeground(Who, colorOf(StatusColor::Danger));
    cycle.setData(Who, KeyRole, deadlock.cycle.first().lock.bytes);
    cycle.setFirstColumnSpanned(true);
    const QStringList words = cycleText(deadlock, m_index, m_names);
    for (int i = 0; i < size; ++i) {
        QTreeWidgetItem *line = cycle.child(i);
        line->setText(Who, words.at(i));
        line->setToolTip(Who, plainToolTip(words.at(i)));
        line->setForeground(Who, m_stale ? colorOf(StatusColor::Muted) : palette().color(QPalette::Text));
        line->setData(Who, KeyRole, deadlock.cycle.at(i).lock.bytes);
        line->setFirstColumnSpanned(true);
    }
}

QByteArray LockWaitsPanel::pathBelow(const QTreeWidgetItem &parent, const QByteArray &name)
{
    return parent.data(Who, PathRole).toByteArray() + '/' + name;
}

int LockWaitsPanel::rowHeight() const
{
    return fontMetrics().height() + 8;
}

/// Shows nodes as children from `first` on; rebuilds from the first difference.
void LockWaitsPanel::showNodes(QTreeWidgetItem &parent, int first, const QList<WaitNode> &nodes)
{
    const auto removeFrom = [&parent](int at) {
        while (parent.childCount() > at)
            delete parent.takeChild(parent.childCount() - 1); // NOLINT(cppcoreguidelines-owning-memory)
    };
    int at = first;
    for (const WaitNode &node : nodes) {
        const WatchedLock *lock = m_index.find(node.lock);
        if (!lock || node.place.value_or(0) > lock->lock.companions->waiters.queue.size())
            continue; // gone since the tree was made
        const QByteArray name = node.place
                                    ? '!' + lock->lock.companions->waiters.queue.at(*node.place - 1).id.bytes
                                    : node.lock.bytes;
        const QByteArray path = pathBelow(parent, name);
        auto *item = static_cast<WaitItem *>(parent.child(at));
        if (!item || item->data(Who, PathRole).toByteArray() != path) {
            removeFrom(at);
            item = new WaitItem(&parent); // NOLINT(cppcoreguidelines-owning-memory): the tree's
            item->setData(Who, PathRole, path);
        }
        showNode(*item, node);
        ++at;
    }
    removeFrom(at);
}

void LockWaitsPanel::showNode(WaitItem &item, const WaitNode &node)
{
    const WatchedLock &lock = *m_index.find(node.lock);
    const bool isNew = item.node == nullptr;
    ++m_built;
    item.node = &node;
    if (node.place)
        showWaiter(item, lock);
    else
        showLock(item, lock);
    item.setText(Waiting, waitingText(node.behind));
    showTime(item);
    if (isNew) {
        item.setData(Who, KeyRole, node.lock.bytes);
        item.setSizeHint(Who, QSize(0, rowHeight()));
        for (const Column column : {Waiting, LongestWait, TotalWait})
            item.setTextAlignment(column, Qt::AlignRight | Qt::AlignVCenter);
    }
    for (const Column column : {Who, Waiting, LongestWait, TotalWait})
        item.setForeground(column, m_stale ? colorOf(StatusColor::Muted) : palette().color(QPalette::Text));
    item.setChildIndicatorPolicy(node.below.isEmpty() ? QTreeWidgetItem::DontShowIndicator
                                                      : QTreeWidgetItem::ShowIndicator);
    const QByteArray path = item.data(Who, PathRole).toByteArray();
    if (isNew && !m_collapsed.contains(path) && (m_built < maxOpened || m_opened.contains(path)))
        item.setExpanded(true);
    if (item.isExpanded() || item.childCount() > 0)
        open(&item);
}

void LockWaitsPanel::open(QTreeWidgetItem *item)
{
    if (item->isFirstColumnSpanned() || (item->parent() && item->parent()->isFirstColumnSpanned()))
        return;
    showNodes(*item, 0, static_cast<WaitItem *>(item)->node->below);
}

void LockWaitsPanel::showWaiter(WaitItem &item, const WatchedLock &lock)
{
    const qint64 place = *item.node->place;
    const Waiter &waiter = lock.lock.companions->waiters.queue.at(place - 1);
    item.setText(Who,
                 tr("%1. %2", "place in a queue, who stands there")
                     .arg(QLocale().toString(place), m_names.text(lock.lock.family, lock.key(), waiter.id)));
    item.setToolTip(Who, plainToolTip(printable(waiter.id.bytes)));
}

void LockWaitsPanel::showLock(WaitItem &item, const WatchedLock &lock)
{
    const bool isStuck = lock.problems().testFlag(Problem::Deadlock);
    item.setText(Who, printable(lock.key().bytes, 160));
    item.setToolTip(Who, plainToolTip(printable(lock.key().bytes)));
    setGlyph(item, isStuck ? Glyph::Circle : Glyph::Padlock,
             colorOf(isStuck ? StatusColor::Danger : StatusColor::Held), devicePixelRatioF());
    const QString owner = ownerText(lock.lock, m_names);
    item.setText(State, owner.isEmpty() ? Texts::tr("none") : owner);
    item.setForeground(State, m_stale ? colorOf(StatusColor::Muted) : palette().color(QPalette::Text));
    item.setToolTip(State, plainToolTip(ownerToolTip(lock.lock, m_names)));
    item.setToolTip(Waiting, plainToolTip(blocksSentence(lock.lock, m_index)));
}

/// Shows a waiter's own wait and state; for a lock, the waits of all behind it.
void LockWaitsPanel::showTime(WaitItem &item)
{
    const WaitNode &node = *item.node;
    const DisplayTime time = m_clock.of(node.lock);
    const BlockedWaiters waiting = node.place ? m_index.waitOf(node.lock, *node.place) : node.behind;
    const auto waited = waiting.waitedUntil(time.now(), time.wallMs());
    item.setText(LongestWait, waited ? waitedText(waited->longest) : QString());
    item.setText(TotalWait, waited && !node.place ? waitedText(waited->all) : QString());
    if (!node.place || waiting.waits.isEmpty()) // gone since the tree was made
        return;
    const Waiter &waiter = m_index.find(node.lock)->lock.companions->waiters.queue.at(*node.place - 1);
    const StatusMessage state = waiterState(waiter, time.wallMs());
    setGlyph(item, waiterGlyph(waiter), colorOf(state.statusColor), devicePixelRatioF());
    item.setText(State, state.text);
    item.setForeground(State, colorOf(state.statusColor));
}

void LockWaitsPanel::showTimes()
{
    if (m_isBuilding)
        return;
    const QSignalBlocker quiet(m_tree);
    const int bottom = m_tree->viewport()->height();
    for (QTreeWidgetItem *each = m_tree->itemAt(0, 0); each && m_tree->visualItemRect(each).top() < bottom;
         each = m_tree->itemBelow(each)) {
        if (each->isFirstColumnSpanned())
            continue;
        showTime(static_cast<WaitItem &>(*each));
    }
}

void LockWaitsPanel::tellSummary()
{
    qint64 waiting = 0;
    bool isExact = m_forest.isWhole;
    for (const WaitNode &root : m_forest.roots) {
        waiting += root.behind.count;
        isExact &= root.behind.isExact;
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
    showSummary({text});
}

QColor LockWaitsPanel::colorOf(StatusColor statusColor) const
{
    return textColor(m_stale ? StatusColor::Muted : statusColor, palette());
}

void LockWaitsPanel::showEvent(QShowEvent *event)
{
    QWidget::showEvent(event);
    m_ticking.start();
    refresh();
}

void LockWaitsPanel::hideEvent(QHideEvent *event)
{
    QWidget::hideEvent(event);
    m_ticking.stop();
}

void LockWaitsPanel::changeEvent(QEvent *event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange)
        invalidate();
    if (event->type() == QEvent::FontChange)
        fitToFont();
}

} // namespace lockscope
