// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/inspector/inspectorpanel.h"

#include "core/base/printable.h"
#include "core/family/certainty.h"
#include "core/family/recognize.h"
#include "core/family/weaktoken.h"
#include "core/model/names.h"
#include "core/state/severity.h"
#include "core/table/lockstatustext.h"
#include "core/table/locktext.h"
#include "core/words/actionpreview.h"
#include "core/words/messages.h"
#include "core/words/texts.h"
#include "core/words/verdictmessages.h"
#include "ui/actions/mainactions.h"
#include "ui/events/eventtext.h"
#include "ui/inspector/leasesparkline.h"
#include "ui/inspector/lockdetails.h"
#include "ui/inspector/overview.h"
#include "ui/inspector/waitersview.h"
#include "ui/locks/leasebar.h"
#include "ui/locks/processnamedialog.h"
#include "ui/widgets/boxes.h"
#include "ui/widgets/fonts.h"
#include "ui/widgets/glyph.h"
#include "ui/widgets/measure.h"
#include "ui/widgets/pagepanel.h"
#include "ui/widgets/propertygrid.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QScrollArea>
#include <QStackedWidget>
#include <QStyle>
#include <QTableView>
#include <QToolButton>

#include <algorithm>
#include <array>
#include <utility>

namespace lockscope {

namespace {

constexpr int margin = 14;
/// Below this height in lines of text, the effects of actions are hidden; dialogs show them too.
constexpr int lowestForEffects = 24;
using EventColumn = EventModel::Column;
constexpr qsizetype maxEvents = 200;
constexpr int maxEventsTold = 30;

QToolButton *buttonFor(QAction *action, QWidget *parent, Qt::ToolButtonStyle style)
{
    auto *button = new QToolButton(parent);
    button->setDefaultAction(action);
    button->setToolButtonStyle(style);
    button->setFocusPolicy(Qt::StrongFocus);
    return button;
}

QBoxLayout *rowOf(const QList<QToolButton *> &first, QToolButton *last)
{
    auto *row = new QBoxLayout(QBoxLayout::LeftToRight);
    row->setSpacing(4);
    int stretch = 0; // what is left of the line is beside the last one
    for (const QList<QToolButton *> &buttons : {first, QList{last}}) {
        auto *part = new QHBoxLayout;
        part->setSpacing(4);
        for (QToolButton *button : buttons)
            part->addWidget(button);
        part->addStretch();
        row->addLayout(part, stretch++);
    }
    return row;
}

/// Wraps in any language: the panel does not scroll sideways.
void fitInto(QBoxLayout &row, int width)
{
    int wanted = row.spacing();
    for (int i = 0; i < row.count(); ++i) {
        row.itemAt(i)->invalidate();
        wanted += row.itemAt(i)->minimumSize().width();
    }
    row.setDirection(wanted > width ? QBoxLayout::TopToBottom : QBoxLayout::LeftToRight);
}

QFrame *line(QWidget *parent)
{
    auto *rule = new QFrame(parent);
    rule->setFrameShape(QFrame::HLine);
    rule->setFrameShadow(QFrame::Plain);
    rule->setForegroundRole(QPalette::Mid); // follows the theme
    return rule;
}

} // namespace

InspectorPanel::InspectorPanel(const EventLog &log, const HoldTimes &holds, const DisplayClock &clock,
                               MainActions &commands, const OwnerNames &names, QWidget *parent)
    : QWidget(parent),
      m_log(log),
      m_holdTimes(holds),
      m_clock(clock),
      m_names(names),
      m_commands(commands),
      m_events(log, names, {EventColumn::ClockTime, EventColumn::Event, EventColumn::OwnerDetail}, maxEvents),
      m_stack(new QStackedWidget(this))
{
    setAccessibleName(Texts::tr("Inspector"));
    setAutoFillBackground(true);
    setBackgroundRole(QPalette::Base);
    m_contents = buildContents();
    m_stack->addWidget(m_contents);
    setLayout(columnOf({m_stack}, 0, {}));
    setMinimumWidth(latinWidth(fontMetrics(), 52));
    connect(&names, &OwnerNames::changed, this, [this] {
        m_isDue = true;
        if (isVisible())
            refresh();
    });
}

QWidget *InspectorPanel::buildContents()
{
    auto *contents = new QWidget(this);
    auto *inner = new QWidget(contents);
    auto *column = new QVBoxLayout(inner);
    column->setContentsMargins(margin, margin, margin, margin);
    column->setSpacing(8);
    buildHeader(*column);
    buildFacts(*column);
    buildEvents(*column);

    auto *scroll = new QScrollArea(contents);
    scroll->setAccessibleName(tr("Details of the lock"));
    scroll->setWidget(inner);
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    inner->setBackgroundRole(QPalette::Base);
    scroll->viewport()->setBackgroundRole(QPalette::Base);

    contents->setLayout(columnOf({{scroll, 1}, line(contents), buildActions()}, 0, {}));
    return contents;
}

void InspectorPanel::buildHeader(QVBoxLayout &layout)
{
    m_stateGlyph = new QLabel(this);
    m_state = new QLabel(this);
    m_state->setTextFormat(Qt::PlainText);
    m_state->setFont(strong(font()));
    m_ttl = new QLabel(this);
    m_ttl->setTextFormat(Qt::PlainText);
    m_ttl->setFont(strong(font()));
    m_ttl->setAccessibleName(Texts::tr("Time left"));
    auto *badge = lineOf({m_stateGlyph, m_state, Stretch{}, m_ttl}, 6);

    m_keyText = plainLabel(this);
    m_keyText->setFont(strong(fixedLike(font()), 1.1));
    m_keyText->setAccessibleName(Texts::tr("Key"));
    m_bar = new LeaseBar(this);
    m_sparkline = new LeaseSparkline(this);
    m_liveness = plainLabel(this);
    m_problems = plainLabel(this);
    m_problems->setAccessibleName(Texts::tr("Problems"));

    m_forceNow = buttonFor(m_commands.forceExpire, this, Qt::ToolButtonTextBesideIcon);
    m_removeDead = buttonFor(m_commands.removeWaiter, this, Qt::ToolButtonTextBesideIcon);
    m_wake = buttonFor(m_commands.wake, this, Qt::ToolButtonTextBesideIcon);
    m_copies = rowOf({buttonFor(m_commands.copyKey, this, Qt::ToolButtonTextOnly),
                      buttonFor(m_commands.copyOwner, this, Qt::ToolButtonTextOnly)},
                     buttonFor(m_commands.copyCli, this, Qt::ToolButtonTextOnly));

    auto *back = new QToolButton(this);
    back->setText(Texts::tr("Overview"));
    back->setIcon(glyphIcon(Glyph::StepBack));
    back->setToolTip(tr("Select no lock (Esc)"));
    back->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    back->setAutoRaise(true);
    back->setFocusPolicy(Qt::StrongFocus);
    connect(back, &QToolButton::clicked, this, &InspectorPanel::overviewWanted);
    auto *remedies = lineOf({m_forceNow, m_removeDead, m_wake, Stretch{}}, 4);
    addParts(layout, {{back, 0, Qt::AlignLeft}, m_keyText, badge, m_bar, m_sparkline});
    addParts(layout, {m_liveness, m_problems, remedies, m_copies});
}

void InspectorPanel::buildFacts(QVBoxLayout &layout)
{
    m_waiters = new WaitersView(m_clock, m_names, this);
    m_facts = new LockDetails(m_names, m_waiters, this);
    m_naming = buttonFor(m_commands.nameProcess, this, Qt::ToolButtonTextOnly);
    m_rules = buttonFor(m_commands.rules, this, Qt::ToolButtonTextOnly);
    m_steps = rowOf({m_naming, m_rules}, buttonFor(m_commands.rawValue, this, Qt::ToolButtonTextOnly));
    addParts(layout, {Space{4}, m_facts, m_steps});
}

void InspectorPanel::buildEvents(QVBoxLayout &layout)
{
    auto *title = new QLabel(tr("Events seen"), this);
    title->setFont(strong(font()));
    m_eventTable = new QTableView(this);
    m_eventTable->setModel(&m_events);
    m_eventTable->setAccessibleName(tr("Events seen"));
    setUpRows(*m_eventTable);
    m_eventTable->setSelectionMode(QAbstractItemView::NoSelection);
    m_eventTable->setFocusPolicy(Qt::StrongFocus);
    m_eventTable->setMinimumHeight(fontMetrics().height() * 7);
    m_eventTable->verticalHeader()->setDefaultSectionSize(fontMetrics().height() + 5);
    m_eventTable->horizontalHeader()->hide();
    m_eventTable->horizontalHeader()->setStretchLastSection(true);
    m_eventTable->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_eventTable->setColumnWidth(0, fontMetrics().horizontalAdvance(QStringLiteral("00:00:00.000")) + 14);
    m_eventTable->setColumnWidth(1, fontMetrics().horizontalAdvance(eventWord(EventKind::OwnerChanged)) + 14);
    addParts(layout, {Space{6}, title, {m_eventTable, 1}});
}

QWidget *InspectorPanel::buildActions()
{
    auto *actions = new QWidget(this);
    auto *grid = new QGridLayout(actions);
    grid->setContentsMargins(margin, 10, margin, margin);
    grid->setHorizontalSpacing(12);
    grid->setVerticalSpacing(6);
    grid->setColumnStretch(1, 1);
    const auto row = [&](int at, QAction *action) {
        auto *button = buttonFor(action, actions, Qt::ToolButtonTextBesideIcon);
        button->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
        auto *effect = new QLabel(actions);
        effect->setTextFormat(Qt::PlainText);
        effect->setWordWrap(true);
        grid->addWidget(button, at, 0);
        grid->addWidget(effect, at, 1);
        return effect;
    };
    m_releaseEffect = row(0, m_commands.release);
    m_extendEffect = row(1, m_commands.extend);
    grid->addWidget(line(actions), 2, 0, 1, 2);
    m_forceEffect = row(3, m_commands.forceExpire);
    return actions;
}

void InspectorPanel::resizeEvent(QResizeEvent *event)
{
    QWidget::resizeEvent(event);
    fitRows();
    for (QLabel *effect : {m_releaseEffect, m_extendEffect, m_forceEffect})
        effect->setHidden(height() < lowestForEffects * fontMetrics().height());
}

void InspectorPanel::fitRows()
{
    const int room = width() - 2 * margin - style()->pixelMetric(QStyle::PM_ScrollBarExtent);
    for (QBoxLayout *row : {m_copies, m_steps})
        fitInto(*row, room);
}

void InspectorPanel::present(const std::optional<LockKey> &key, const WatchedLock *lock,
                             const QString &ownersWait, const QStringList &deadlock)
{
    if (key != m_key) {
        m_key = key;
        m_lock.reset();
    }
    m_gone = key && !lock;
    if (lock)
        m_lock = *lock;
    m_ownersWait = lock ? ownersWait : QString();
    m_deadlock = lock ? deadlock : QStringList();
    if (m_overview)
        m_stack->setCurrentWidget(m_lock ? m_contents : m_overview);
    m_isDue = true;
    if (isVisible())
        refresh();
}

void InspectorPanel::refresh()
{
    if (!std::exchange(m_isDue, false))
        return;
    if (m_followed != m_key) {
        m_followed = m_key;
        EventFilter filter;
        filter.setOnly(m_key);
        if (!m_key)
            filter.setKinds({});
        m_events.setLive(isVisible() && m_key.has_value());
        m_events.setFilter(filter);
        m_trace.follow(m_log, m_key);
    }
    if (m_lock)
        showLock();
}

void InspectorPanel::setOverview(Overview *overview)
{
    m_overview = overview;
    m_stack->addWidget(overview);
    m_stack->setCurrentWidget(m_lock ? m_contents : overview);
}

void InspectorPanel::showLock()
{
    const Lock &lock = m_lock->lock;
    m_keyText->setText(printable(lock.key().bytes));
    const NodeStatus *node = m_clock.cluster().isCluster() ? m_clock.cluster().nodeOf(lock.key()) : nullptr;
    QStringList servers;
    for (const NodeStatus &server : m_clock.cluster().isGroup ? m_clock.cluster().nodes : QList<NodeStatus>())
        servers.append(server.name);
    m_facts->showLock(*m_lock, m_clock.of(lock.key()).wallMs(), node ? node->name : QString(), servers);
    m_waiters->showLock(lock, m_ownersWait);
    const std::array hidden{m_naming->isHidden(), m_rules->isHidden()};
    m_naming->setHidden(clientsOf(lock).isEmpty());
    m_rules->setHidden(candidatesOf(lock).isEmpty());
    if (hidden != std::array{m_naming->isHidden(), m_rules->isHidden()})
        fitRows();
    showProblems();
    m_releaseEffect->setText(releaseEffect(lock));
    m_extendEffect->setText(extendEffect(lock));
    m_forceEffect->setText(forceExpireEffect(lock));
    m_shownState = -1;
    showTime();
}

void InspectorPanel::showProblems()
{
    QStringList problems;
    // That there is no expiry, or no holder, is what the statement above says already.
    const bool isUnreadable = lastingState(*m_lock) == LockState::Unreadable; // what was wrong may be mended
    for (const Problem problem : problemList(
             isUnreadable ? Problems() : m_lock->problems() & ~(Problem::NoExpiry | Problem::Orphaned)))
        problems << describe(problem);
    if (!isUnreadable && m_lock->problems().testFlag(Problem::Deadlock))
        problems << m_deadlock << deadlockRemedy();
    m_problems->setText(problems.join(u'\n'));
    m_problems->setHidden(problems.isEmpty());
    applyBannerStyle(m_problems, severityOf(*m_lock, m_clock.now()) <= Severity::Corrupt
                                     ? StatusColor::Danger
                                     : StatusColor::Warning);
}

QString InspectorPanel::howItEnded() const
{
    for (int row = 0; row < std::min(maxEventsTold, m_events.rowCount()); ++row) {
        const std::optional<LoggedEvent> logged = m_events.at(row);
        if (!logged || logged->kind.isMoment() || !isEnd(logged->event.kind))
            continue;
        const QString detail = detailText(*logged);
        return u'\n' + eventMeaning(logged->kind) + (detail.isEmpty() ? QString() : u' ' + detail);
    }
    return {};
}

void InspectorPanel::showTime()
{
    m_timeShownAt = Clock::now();
    const DisplayTime time = m_clock.of(m_lock->key());
    const TimePoint now = time.now();
    const bool faded = m_gone || time.isStopped();
    const LockState state = m_gone ? LockState::Ended : stateOf(*m_lock, now);
    const StateAppearance look = m_gone ? goneAppearance() : appearanceOf(*m_lock, state);
    const StatusColor statusColor = faded ? StatusColor::Muted : look.color;
    const int shown = static_cast<int>(state) * 2 + faded;
    if (shown != m_shownState) {
        m_shownState = shown;
        m_state->setText(look.word);
        m_stateGlyph->setAccessibleName(look.word);
        applyTextColor(m_state, statusColor);
        applyTextColor(m_ttl, statusColor);
        m_stateGlyph->setPixmap(
            glyphPixmap(look.glyph, 15, textColor(statusColor, palette()), devicePixelRatioF()));
    }
    const bool isUnreadable = state == LockState::Unreadable;
    m_ttl->setText(m_gone || isUnreadable ? QString() : ttlText(*m_lock, now));
    m_bar->setHidden(m_gone || isUnreadable);
    m_bar->showLock(*m_lock, now, faded);
    const StatusMessage statement =
        m_gone ? StatusMessage{StatusColor::Muted, tr("Gone. The last reading is below.") + howItEnded()}
        : time.isPast() && !isUnreadable ? lastKnown(*m_lock, time)
                                         : liveness(*m_lock, now);
    const HoldVerdict verdict = verdictOf(*m_lock, now);
    const bool isAdvised = !m_gone && !time.isPast() && !lockscope::isHidden(m_lock->lock) &&
                           (verdict.why != HoldReason::LeaseRunning || !m_lock->problems());
    m_liveness->setText(isAdvised ? statement.text + u'\n' + adviceOf(verdict) : statement.text);
    showRemedies(!m_gone && !lockscope::isHidden(m_lock->lock), verdict);
    applyTextColor(m_liveness, statement.statusColor);
    m_facts->showTime(*m_lock, time, m_holdTimes.of(m_lock->key()), m_gone || isUnreadable);
    showTrace(time);
}

/// Shows the commands that may end the problem stated above them. `isLock`: it is there and known as one.
void InspectorPanel::showRemedies(bool isLock, const HoldVerdict &verdict)
{
    constexpr Problems ended = Problem::Deadlock | Problem::BadCount | Problem::SeveralOwners;
    m_forceNow->setVisible(
        isLock && (m_lock->problems() & ended || verdict.why == HoldReason::HolderDead ||
                   (verdict.why == HoldReason::NeverEnds && !verdict.signs.contains(Sign::Heartbeat))));
    m_removeDead->setVisible(isLock && deadWaiter());
    m_wake->setVisible(isLock && m_lock->problems().testFlag(Problem::Orphaned));
}

/// Shows the last five minutes, or less for a lock first seen since.
void InspectorPanel::showTrace(const DisplayTime &time)
{
    constexpr qint64 longestMs = 5 * 60 * 1000;
    constexpr qint64 shortestMs = 10 * 1000;
    m_trace.update(m_log);
    const qint64 toMs = time.wallMs();
    const qint64 seenMs = toMs - m_trace.firstMs().value_or(toMs);
    m_sparkline->showLease(m_trace.between(toMs - std::clamp(seenMs, shortestMs, longestMs), toMs),
                           mayRepeat(m_lock->lock) || mayReturn(m_lock->lock), m_gone || time.isStopped());
}

void InspectorPanel::tick()
{
    // Each new text lays out the whole panel: less often than the table paints, and still alive to the eye.
    constexpr auto interval = std::chrono::milliseconds(240);
    if (m_lock && !m_gone && isVisible() && Clock::now() - m_timeShownAt >= interval)
        showTime();
}

std::optional<IncidentSummary> InspectorPanel::summary(const QString &server)
{
    if (!m_lock)
        return std::nullopt;
    refresh(); // it may have been hidden for a while
    m_events.update();
    showTime();
    IncidentSummary summary;
    summary.key = m_keyText->text();
    summary.server = server;
    summary.writtenAt = QDateTime::currentDateTime();
    summary.writtenAt = summary.writtenAt.toOffsetFromUtc(summary.writtenAt.offsetFromUtc());
    summary.state = m_state->text();
    summary.statements = {m_liveness->text()};
    if (!m_problems->text().isEmpty())
        summary.statements += m_problems->text().split(u'\n');
    summary.facts = m_facts->rows() + m_waiters->rows();
    if (!m_sparkline->sentence().isEmpty())
        summary.facts.append({m_sparkline->accessibleName(), m_sparkline->sentence()});
    if (!m_ttl->text().isEmpty())
        summary.facts.prepend({m_ttl->accessibleName(), m_ttl->text()});
    summary.eventsTitle = Texts::tr("Events seen, newest first:");
    for (int row = 0; row < std::min(maxEventsTold, m_events.rowCount()); ++row) {
        QStringList cells;
        for (int column = 0; column < m_events.columnCount(); ++column)
            cells.append(m_events.index(row, column).data().toString());
        summary.events.append(cells.join(QStringLiteral("  ")));
    }
    return summary;
}

void InspectorPanel::focusContents()
{
    if (m_overview && !m_lock)
        m_overview->focusContents();
    else
        m_keyText->setFocus(Qt::ShortcutFocusReason);
}

std::optional<Waiter> InspectorPanel::deadWaiter() const
{
    if (!m_lock || m_gone)
        return std::nullopt;
    if (!m_isDue)
        return m_waiters->deadOne();
    const QList<Waiter> &queue = m_lock->lock.companions->waiters.queue;
    const auto dead = std::ranges::find_if(queue, &Waiter::isDead);
    return dead == queue.end() ? std::nullopt : std::optional(*dead);
}

void InspectorPanel::changeEvent(QEvent *event)
{
    QWidget::changeEvent(event);
    if (event->type() != QEvent::PaletteChange)
        return;
    m_isDue = true;
    if (isVisible())
        refresh();
}

void InspectorPanel::showEvent(QShowEvent *event)
{
    QWidget::showEvent(event);
    refresh();
    m_events.setLive(m_key.has_value());
}

void InspectorPanel::hideEvent(QHideEvent *event)
{
    QWidget::hideEvent(event);
    m_events.setLive(false);
}

} // namespace lockscope
