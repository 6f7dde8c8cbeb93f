// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/alerts/alertspanel.h"

#include "core/base/printable.h"
#include "core/words/alertmessages.h"
#include "core/words/messages.h"
#include "ui/alerts/alertcontroller.h"
#include "ui/alerts/alerttext.h"
#include "ui/widgets/figurecolumns.h"
#include "ui/widgets/kindsmenu.h"
#include "ui/widgets/measure.h"
#include "ui/widgets/plaintext.h"
#include "ui/widgets/propertygrid.h"
#include "ui/widgets/rowkeys.h"
#include "ui/widgets/savedwidgetstate.h"

#include <QAction>
#include <QHeaderView>
#include <QLabel>
#include <QLocale>
#include <QMenu>
#include <QTableView>
#include <QToolButton>

#include <algorithm>

namespace lockscope {

namespace {

using namespace std::chrono_literals;

constexpr milliseconds durationPace = 1s;
constexpr milliseconds shortSnooze = 15min;
constexpr milliseconds longSnooze = 1h;
constexpr qsizetype keyInMenu = 40;
constexpr qsizetype maxSnoozesInMenu = 12;

} // namespace

AlertsPanel::AlertsPanel(AlertController &alerts, QAction &rules, QWidget *parent)
    : PagePanel(tr("Alerts"), 12, parent),
      m_alerts(alerts),
      m_undo(new QToolButton(this)),
      m_acknowledge(new QToolButton(this)),
      m_snooze(new QToolButton(this)),
      m_snoozeMenu(new QMenu(this)),
      m_kinds(new QToolButton(this)),
      m_kindsMenu(new KindsMenu(this)),
      m_table(new QTableView(this)),
      m_evidence(plainLabel(this))
{
    buildTable();
    buildKinds();
    buildHead(rules);
    m_evidence->setAccessibleName(tr("Evidence"));
    m_evidence->setContentsMargins(12, 4, 12, 6);
    addParts(column(), {{placeOf(m_table), 1}, m_evidence});
    connect(&m_alerts, &AlertController::changed, this, [this] {
        if (isVisible())
            follow();
    });
    m_ticking.setInterval(durationPace);
    connect(&m_ticking, &QTimer::timeout, this, [this] { m_model.setNow(Clock::now()); });
    new SavedWidgetState(
        QStringLiteral("alertKinds"), this, [this] { return m_kindsMenu->hiddenKinds().join(','); },
        [this](const QByteArray &saved) { m_kindsMenu->setHiddenKinds(saved.split(',')); });
    SavedWidgetState::keep(QStringLiteral("alertColumns"), m_table->horizontalHeader());
    follow();
}

void AlertsPanel::buildHead(QAction &rules)
{
    m_undo->setDefaultAction(m_undoAction);
    m_acknowledge->setDefaultAction(m_acknowledgeAction);
    m_snooze->setText(tr("Snooze"));
    m_snooze->setToolTip(tr("Silence the selected alerts for a time (S)"));
    m_snooze->setPopupMode(QToolButton::InstantPopup);
    m_snoozeMenu->setObjectName(QStringLiteral("snoozes"));
    m_snooze->setMenu(m_snoozeMenu);
    connect(m_snoozeMenu, &QMenu::aboutToShow, this, [this] { fillSnoozes(*m_snoozeMenu); });
    auto *editRules = new QToolButton(this);
    editRules->setDefaultAction(&rules);
    editRules->setToolButtonStyle(Qt::ToolButtonTextOnly);
    for (QToolButton *button : {m_undo, m_acknowledge, m_snooze, m_kinds, editRules})
        button->setFocusPolicy(Qt::TabFocus);
    addHead(10, {{summary(), 1}, m_undo, m_acknowledge, m_snooze, m_kinds, editRules});
}

void AlertsPanel::buildTable()
{
    m_table->setModel(&m_model);
    m_table->setAccessibleName(tr("Alerts"));
    setUpRows(*m_table);
    m_table->setSelectionMode(QAbstractItemView::ExtendedSelection);
    m_table->setContextMenuPolicy(Qt::CustomContextMenu);
    m_table->horizontalHeader()->setStretchLastSection(true);
    new FigureColumns(m_table->horizontalHeader(), {AlertModel::duration}, {AlertModel::raisedAt});
    fitColumns();
    new RowKeys(m_table, [this] { open(m_table->currentIndex()); });
    connect(m_table, &QTableView::doubleClicked, this, &AlertsPanel::open);
    connect(m_table, &QWidget::customContextMenuRequested, this, &AlertsPanel::showMenu);
    connect(m_table->selectionModel(), &QItemSelectionModel::selectionChanged, this,
            &AlertsPanel::updateActions);
    connect(m_table->selectionModel(), &QItemSelectionModel::currentChanged, this,
            &AlertsPanel::showEvidence);
    m_open = new QAction(tr("&Open lock"), this);
    connect(m_open, &QAction::triggered, this, [this] { open(m_table->currentIndex()); });
    m_acknowledgeAction =
        addTableAction(tr("Acknowledge"), Qt::Key_A, [this] { m_alerts.acknowledge(selected()); });
    m_acknowledgeAction->setToolTip(tr("Stop notifications of these alerts until they end (A)"));
    m_undoAction = addTableAction(tr("Undo"), QKeySequence::Undo, [this] { m_alerts.undo(); });
    m_undoAction->setToolTip(tr("Undo the last acknowledgement or snooze (%1)")
                                 .arg(m_undoAction->shortcut().toString(QKeySequence::NativeText)));
    addTableAction(tr("Snooze"), Qt::Key_S, [this] {
        if (m_snooze->isEnabled())
            m_snooze->showMenu();
    });
}

/// The shortcut works while the table has the focus.
QAction *AlertsPanel::addTableAction(const QString &text, const QKeySequence &key,
                                     const std::function<void()> &act)
{
    auto *action = new QAction(text, this);
    action->setShortcut(key);
    action->setShortcutContext(Qt::WidgetShortcut);
    m_table->addAction(action);
    connect(action, &QAction::triggered, this, act);
    return action;
}

void AlertsPanel::fitColumns()
{
    m_table->verticalHeader()->setDefaultSectionSize(fontMetrics().height() + 8);
    for (int column = 0; column < AlertModel::columns; ++column) {
        if (const int characters = alertColumns()[static_cast<size_t>(column)].characters; characters > 0)
            m_table->setColumnWidth(column, latinWidth(fontMetrics(), characters));
    }
}

void AlertsPanel::buildKinds()
{
    m_kinds->setText(tr("Kinds"));
    m_kinds->setToolTip(tr("Choose which kinds of alerts to show"));
    m_kinds->setPopupMode(QToolButton::InstantPopup);
    m_kinds->setMenu(m_kindsMenu);
    connect(m_kindsMenu->addAction(tr("Show all kinds")), &QAction::triggered, this,
            [this] { m_kindsMenu->setKinds(AlertModel::Kinds().set()); });
    m_kindsMenu->addSeparator();
    for (int index = 0; index < alertKinds; ++index) {
        const auto kind = static_cast<AlertKind>(index);
        m_kindsMenu->addKind(ruleOf(kind).name, describe(kind));
    }
    connect(m_kindsMenu, &KindsMenu::changed, this, [this] {
        m_model.setKinds(m_kindsMenu->kinds<AlertModel::Kinds>());
        follow();
    });
}

void AlertsPanel::follow()
{
    m_model.setEntries(m_alerts.list().entries());
    showState();
    updateActions();
    showEvidence();
}

/// Shows the evidence as of the last time the alert was raised.
void AlertsPanel::showEvidence()
{
    const QModelIndex current = m_table->currentIndex();
    m_evidence->setVisible(current.isValid());
    if (!current.isValid())
        return m_evidence->clear();
    const AlertList::Entry &entry = m_model.at(current.row());
    m_evidence->setText(
        tr("%1: %2", "a time, what was seen then").arg(alertTime(entry.raisedMs), describe(entry.alert)));
    m_evidence->setAccessibleDescription(m_evidence->text()); // its name is read instead of its text
}

void AlertsPanel::showState()
{
    const QLocale locale;
    const AlertList &list = m_alerts.list();
    const int open = list.open();
    QStringList parts{tr("open: %1").arg(locale.toString(open))};
    if (const int quiet = open - list.unattended(); quiet > 0)
        parts << tr("acknowledged or snoozed: %1").arg(locale.toString(quiet));
    if (m_alerts.notRaised() > 0)
        parts << tr("not listed, since there are too many: %1").arg(locale.toString(m_alerts.notRaised()));
    if (m_model.kinds().count() < m_model.kinds().size())
        parts << tr("some kinds are hidden");
    if (!m_alerts.isCurrent())
        parts << tr("locks are not judged");
    if (!m_alerts.isCurrent() && open > 0)
        parts << tr("as last known");
    if (m_alerts.unreadable() > 0)
        parts << tr("keys that cannot be read: %1").arg(locale.toString(m_alerts.unreadable()));
    showSummary(parts);
    showListOr(m_model.rowCount() > 0     ? QString()
               : list.entries().isEmpty() ? textOfNone()
                                          : tr("No alert of the shown kinds."));
}

QString AlertsPanel::textOfNone() const
{
    if (m_alerts.isCurrent())
        return tr("No alerts yet. Alerts need this window open.");
    if (!m_alerts.isConnected())
        return tr("Locks are not judged: not connected.");
    const auto &trouble = m_alerts.trouble();
    return trouble ? tr("Locks are not judged until all keys have been read: %1", "a message of what failed")
                         .arg(describe(*trouble, m_alerts.serverName()))
                   : tr("Locks are not judged until all keys have been read.");
}

void AlertsPanel::updateActions()
{
    const QList<quint64> numbers = selected();
    const auto isAny = [&](auto &&is) {
        return std::ranges::any_of(numbers, [&](quint64 number) {
            const AlertList::Entry *entry = m_alerts.list().find(number);
            return entry && entry->isOpen() && is(*entry);
        });
    };
    m_acknowledgeAction->setEnabled(
        isAny([](const AlertList::Entry &entry) { return entry.acknowledgedMs == 0; }));
    m_undoAction->setEnabled(m_alerts.list().canUndo());
    m_snooze->setEnabled(isAny([](const AlertList::Entry &) { return true; }) ||
                         !m_alerts.list().snoozes().isEmpty());
    m_open->setEnabled(m_table->currentIndex().isValid());
}

QList<quint64> AlertsPanel::selected() const
{
    QModelIndexList rows = m_table->selectionModel()->selectedRows();
    std::ranges::sort(rows, {}, &QModelIndex::row);
    QList<quint64> numbers;
    for (const QModelIndex &row : std::as_const(rows))
        numbers.append(m_model.at(row.row()).alert.number);
    return numbers;
}

void AlertsPanel::reveal(quint64 number)
{
    follow();
    const AlertList::Entry *entry = m_alerts.list().find(number);
    if (!entry)
        return;
    if (m_model.rowOf(number) < 0)
        m_kindsMenu->setKinds(AlertModel::Kinds(m_model.kinds()).set(static_cast<size_t>(entry->alert.kind)));
    m_table->selectRow(m_model.rowOf(number));
}

void AlertsPanel::focusContents()
{
    if (!m_table->currentIndex().isValid() && m_model.rowCount() > 0)
        m_table->setCurrentIndex(m_model.index(0, 0));
    PagePanel::focusContents();
}

void AlertsPanel::open(const QModelIndex &index)
{
    if (!index.isValid())
        return;
    const LockKey key = m_model.at(index.row()).alert.key;
    key.isEmpty() ? emit noLock() : emit chosen(key);
}

void AlertsPanel::addDurations(QMenu &menu, const std::function<void(milliseconds)> &snooze)
{
    connect(menu.addAction(tr("For 15 minutes")), &QAction::triggered, this,
            [snooze] { snooze(shortSnooze); });
    connect(menu.addAction(tr("For 1 hour")), &QAction::triggered, this, [snooze] { snooze(longSnooze); });
}

/// Offers the selected alerts, the first one's rule and lock, and the active snoozes.
void AlertsPanel::fillSnoozes(QMenu &menu)
{
    menu.clear();
    QList<quint64> numbers = selected();
    numbers.removeIf([this](quint64 number) {
        const AlertList::Entry *entry = m_alerts.list().find(number);
        return !entry || !entry->isOpen();
    });
    if (!numbers.isEmpty()) {
        addDurations(menu, [this, numbers](milliseconds time) { m_alerts.snooze(numbers, time); });
        connect(menu.addAction(tr("Until it ends and comes again")), &QAction::triggered, this,
                [this, numbers] { m_alerts.snooze(numbers, std::nullopt); });
        const Alert &first = m_alerts.list().find(numbers.first())->alert;
        menu.addSeparator();
        QMenu *rule = menu.addMenu(tr("All alerts of this rule: %1").arg(describe(first.kind)));
        addDurations(*rule,
                     [this, kind = first.kind](milliseconds time) { m_alerts.snoozeRule(kind, time); });
        if (!first.key.isEmpty()) {
            QMenu *lock = menu.addMenu(
                tr("All alerts of this lock: %1").arg(plainMenuText(printable(first.key.bytes, keyInMenu))));
            addDurations(*lock,
                         [this, key = first.key](milliseconds time) { m_alerts.snoozeLock(key, time); });
        }
    }
    const QList<AlertSnooze> snoozes = m_alerts.list().snoozes();
    if (snoozes.isEmpty())
        return;
    menu.addSeparator();
    QMenu *ends = menu.addMenu(tr("End a snooze"));
    for (const AlertSnooze &snooze : snoozes.last(std::min(snoozes.size(), maxSnoozesInMenu)))
        connect(ends->addAction(plainMenuText(snoozeText(snooze))), &QAction::triggered, this,
                [this, snooze] { m_alerts.endSnoozes({snooze}); });
    ends->addSeparator();
    connect(ends->addAction(tr("End all snoozes")), &QAction::triggered, this,
            [this, snoozes] { m_alerts.endSnoozes(snoozes); });
}

void AlertsPanel::showMenu(const QPoint &position)
{
    const QList<quint64> numbers = selected();
    const bool isAcknowledged = std::ranges::any_of(numbers, [this](quint64 number) {
        const AlertList::Entry *entry = m_alerts.list().find(number);
        return entry && entry->acknowledgedMs != 0;
    });
    auto *menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    menu->addAction(m_open);
    menu->addAction(m_acknowledgeAction);
    if (isAcknowledged)
        connect(menu->addAction(tr("Take back the acknowledgement")), &QAction::triggered, this,
                [this, numbers] { m_alerts.unacknowledge(numbers); });
    QMenu *snoozes = menu->addMenu(tr("Snooze"));
    fillSnoozes(*snoozes);
    snoozes->setEnabled(!snoozes->isEmpty());
    menu->addSeparator();
    connect(menu->addAction(tr("Copy")), &QAction::triggered, this, [this] { copyRows(*m_table); });
    menu->popup(m_table->viewport()->mapToGlobal(position));
}

void AlertsPanel::showEvent(QShowEvent *event)
{
    QWidget::showEvent(event);
    follow();
    m_ticking.start();
}

void AlertsPanel::hideEvent(QHideEvent *event)
{
    QWidget::hideEvent(event);
    m_ticking.stop();
}

void AlertsPanel::changeEvent(QEvent *event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::FontChange)
        fitColumns();
}

} // namespace lockscope
