// SPDX-License-Identifier: GPL-3.0-or-later
// The pages of a TopView: inspector, lock waits, help.
#include "app/top/topview.h"

#include "app/words.h"
#include "core/base/printable.h"
#include "core/table/celltext.h"
#include "core/table/lockstatustext.h"
#include "core/table/locktext.h"
#include "core/table/waitertext.h"
#include "core/table/waittext.h"
#include "core/words/actionpreview.h"
#include "core/words/texts.h"

namespace lockscope {

namespace {

constexpr qsizetype waitKeyLetters = 60;
constexpr qsizetype waitOwnerLetters = 40;
constexpr int inspectedBar = 20;

} // namespace

/// A lock that is gone is shown as it was last.
QList<PageLine> TopView::inspectorLines()
{
    const WatchedLock *lock = m_model.find(m_inspected);
    if (!lock)
        return QList<PageLine>{
                   {Texts::tr("The lock is gone"), {.color = StatusColor::Danger, .isBold = true}},
                   {printable(m_inspected.bytes), {.isBold = true}}} +
               m_lastSeen.mid(1);
    const DisplayTime time = m_clock.of(lock->key());
    const TimePoint now = time.now();
    const StateAppearance look = appearanceOf(*lock, now);
    QList<PageLine> lines{{printable(lock->key().bytes), {.isBold = true}},
                          {stateInWords(*lock, now), {.color = look.color, .isBold = true}}};
    const StatusMessage state = time.isStopped() ? lastKnown(*lock, time) : liveness(*lock, now);
    lines.append({state.text, {.color = state.statusColor}});
    QStringList times;
    const auto add = [&](const QString &name, const QString &value) {
        if (!value.isEmpty())
            times << Texts::tr("%1: %2").arg(name, value);
    };
    add(Texts::tr("Time left"), ttlText(*lock, now));
    add(Texts::tr("Held for"), heldText(*lock, now));
    add(Texts::tr("Waiters"), waitersText(*lock));
    const QString bar = lock->lock.deadline
                            ? shareBar(leaseLeft(*lock, now), inspectedBar) + QStringLiteral("  ")
                            : QString();
    lines.append({bar + times.join(QStringLiteral("   "))});
    lines.append(PageLine());
    for (const QString &line : m_source.explain(*lock, time))
        lines.append({line});
    for (const QString &line : {waitsOfOwner(lock->lock, m_model.waits(), m_model.names()),
                                blocksSentence(lock->lock, m_model.waits())})
        if (!line.isEmpty())
            lines.append({line});
    const QStringList events = m_source.events(lock->key());
    if (!events.isEmpty())
        lines.append({Words::tr("Latest events:")});
    for (const QString &event : events)
        lines.append({QStringLiteral("  ") + event});
    m_lastSeen = lines;
    return lines;
}

QList<PageLine> TopView::waitLines() const
{
    QList<PageLine> lines;
    for (const Deadlock &deadlock : m_source.deadlocks()) {
        lines.append({Words::tr("Deadlock: these owners wait for each other"),
                      {.color = StatusColor::Danger, .isBold = true}});
        for (const QString &line : cycleText(deadlock, m_model.waits(), m_model.names()))
            lines.append({QStringLiteral("  ") + line, {.color = StatusColor::Danger}});
        lines.append({QStringLiteral("  ") + deadlockRemedy()});
    }
    const WaitTree tree = waitForest(m_model.waits());
    if (tree.roots.isEmpty())
        lines.append({Words::tr("No waiters are known. Polling clients leave no trace.")});
    addNodes(lines, tree.roots, 0);
    if (!tree.isWhole)
        lines.append({Words::tr("Further waits are left out."), {.color = StatusColor::Muted}});
    return lines;
}

/// Locks with their waiters below, and below a waiter the locks that it holds.
void TopView::addNodes(QList<PageLine> &lines, const QList<WaitNode> &nodes, int depth) const
{
    for (const WaitNode &node : nodes) {
        const WatchedLock *lock = m_model.find(node.lock);
        if (!lock)
            continue;
        const DisplayTime time = m_clock.of(node.lock);
        const QString indent(qsizetype(2) * depth, u' ');
        const auto longest = [&](const BlockedWaiters &blocked) {
            const auto waited = blocked.waitedUntil(time.now(), time.wallMs());
            return waited ? QStringLiteral("  ") + waitedText(waited->longest) : QString();
        };
        if (node.place) {
            const Waiter &waiter = lock->lock.companions->waiters.queue.value(*node.place - 1);
            const QString id =
                shortened(m_model.names().text(lock->lock.family, node.lock, waiter.id), waitOwnerLetters);
            const StatusMessage state = waiterState(waiter, time.wallMs());
            lines.append({QStringLiteral("%1%2. %3").arg(indent).arg(*node.place).arg(id),
                          {.color = state.statusColor},
                          {},
                          true,
                          QStringLiteral("  ") + state.text +
                              longest(m_model.waits().waitOf(node.lock, *node.place))});
        } else {
            const QString key = printable(node.lock.bytes, waitKeyLetters);
            const QString owner = shortened(ownerText(lock->lock, m_model.names()), waitOwnerLetters);
            const QString held = owner.isEmpty() ? key : Words::tr("%1, owner %2", "a lock").arg(key, owner);
            const QString count = blocksText(lock->lock, m_model.waits());
            lines.append({indent + held,
                          {.color = appearanceOf(*lock, time.now()).color, .isBold = true},
                          node.lock,
                          true,
                          QStringLiteral("  ") +
                              Words::tr("waiting: %1").arg(count.isEmpty() ? Texts::tr("unknown") : count) +
                              longest(node.behind)});
        }
        addNodes(lines, node.below, depth + 1);
    }
}

std::span<const TopView::KeyRow> TopView::keyRows()
{
    constexpr unsigned table = bitOf(Mode::Table);
    constexpr unsigned pages = bitOf(Mode::Inspector, Mode::Waits, Mode::Help);
    static constexpr KeyRow rows[] = {
        {"Esc", QT_TRANSLATE_NOOP("lockscope::app", "back"), nullptr, pages},
        {"← →", QT_TRANSLATE_NOOP("lockscope::app", "change"),
         QT_TRANSLATE_NOOP("lockscope::app", "previous or next change"), table, false},
        {"Enter", QT_TRANSLATE_NOOP("lockscope::app", "inspect"),
         QT_TRANSLATE_NOOP("lockscope::app", "inspect a lock: state, evidence, effects of force-expire"),
         table | bitOf(Mode::Waits)},
        {"/", QT_TRANSLATE_NOOP("lockscope::app", "filter"),
         QT_TRANSLATE_NOOP("lockscope::app", "filter, as in state:stalled owner:web-* -key:test held>5m")},
        {"x", QT_TRANSLATE_NOOP("lockscope::app", "force-expire"),
         QT_TRANSLATE_NOOP("lockscope::app", "force-expire the tagged locks, or the one at the cursor"),
         table | bitOf(Mode::Inspector), true, false},
        {"w", QT_TRANSLATE_NOOP("lockscope::app", "waits"),
         QT_TRANSLATE_NOOP("lockscope::app", "lock waits: who waits for whom")},
        {"?", QT_TRANSLATE_NOOP("lockscope::app", "help"), nullptr},
        {"q", QT_TRANSLATE_NOOP("lockscope::app", "quit"), nullptr},
        {"t", QT_TRANSLATE_NOOP("lockscope::app", "tag"), QT_TRANSLATE_NOOP("lockscope::app", "tag a lock"),
         table, true, false},
        {"s", QT_TRANSLATE_NOOP("lockscope::app", "sort"),
         QT_TRANSLATE_NOOP("lockscope::app", "sort by the next column; S: by the previous one")},
        {"r", nullptr, QT_TRANSLATE_NOOP("lockscope::app", "reverse the order")},
        {"Space", QT_TRANSLATE_NOOP("lockscope::app", "pause"),
         QT_TRANSLATE_NOOP("lockscope::app", "pause the display; watching goes on"), table, true, false},
        {"↑ ↓ j k", nullptr, QT_TRANSLATE_NOOP("lockscope::app", "move; the cursor stays with its lock")},
        {"PgUp PgDn", nullptr, QT_TRANSLATE_NOOP("lockscope::app", "move by a page"), table, true, false},
        {"PgUp PgDn", nullptr,
         QT_TRANSLATE_NOOP("lockscope::app", "a fiftieth of the recording back or forward"), table, false},
        {"Home", nullptr, QT_TRANSLATE_NOOP("lockscope::app", "follow the worst lock again")},
        {"End", nullptr, QT_TRANSLATE_NOOP("lockscope::app", "last lock")},
        {"Esc", nullptr, QT_TRANSLATE_NOOP("lockscope::app", "remove all tags; dismiss a notice"), table,
         true, false},
        {"F5", nullptr, QT_TRANSLATE_NOOP("lockscope::app", "scan again, or reconnect now"), table, true,
         false},
        {"Ctrl-L", nullptr, QT_TRANSLATE_NOOP("lockscope::app", "redraw the screen")},
        {"↑ ↓", QT_TRANSLATE_NOOP("lockscope::app", "scroll"), nullptr, pages},
    };
    return rows;
}

QList<PageLine> TopView::helpLines() const
{
    QList<PageLine> lines;
    for (const KeyRow &row : keyRows()) {
        if (row.meaning && (m_source.isRecording ? row.isReplay : row.isLive))
            lines.append({filled(QString::fromUtf8(row.keys), 11) + Words::tr(row.meaning)});
    }
    lines.append(PageLine());
    lines.append(
        {Words::tr("The worst damage stands first: deadlocks, blocked waiters, invalid values, locks without "
                   "expiry, unusually long holds, other problems.")});
    lines.append({Words::tr("≥ at least, ≤ at most: not all was seen.")});
    return lines;
}

} // namespace lockscope
