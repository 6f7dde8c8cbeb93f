// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/timelinepanel.h"

#include "core/base/printable.h"
#include "ui/lanes/legendentry.h"
#include "ui/widgets/savedwidgetstate.h"
#include "ui/widgets/spokenrole.h"
#include "ui/widgets/theme.h"

#include <QAccessible>
#include <QComboBox>
#include <QToolButton>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <utility>

namespace lockscope {

namespace {

using namespace std::chrono_literals;

constexpr std::chrono::milliseconds lanesInterval{500};
constexpr std::chrono::milliseconds quietLanesInterval{1500};
constexpr std::chrono::milliseconds selectionDelay{120};
constexpr int fastestTickMs = 33;
constexpr int slowestTickMs = 250;
constexpr int reducedTickMs = 1000; ///< where motion is reduced
constexpr qint64 readingMs = 1000;
constexpr qint64 quietPixels = 8;
constexpr std::chrono::seconds busyFor{2}; ///< after an event
constexpr std::array<qint64, 5> spanChoices{10'000, 60'000, 300'000, 900'000, 3'600'000};

} // namespace

TimelinePanel::TimelinePanel(const LockHistory &history, const LockTableModel &model,
                             const DisplayClock &clock, const OwnerNames &names, QWidget *parent)
    : PagePanel(tr("Timeline"), 0, parent),
      m_history(history),
      m_clock(clock),
      m_locks(history, model, clock, names),
      m_owners(OwnerLanes::By::Owner, history, model, clock, names),
      m_processes(OwnerLanes::By::Process, history, model, clock, names),
      m_shown(&m_locks),
      m_view(new LaneView(m_locks, this)),
      m_live(new QToolButton(this)),
      m_spans(new QComboBox(this)),
      m_kinds(new QComboBox(this))
{
    setSpokenRole(m_view, QAccessible::Chart);
    m_view->setAccessibleName(tr("Timeline of the locks"));
    buildHead();
    column().addWidget(m_view, 1);

    connect(m_view, &LaneView::laneChosen, this, [this](int lane) {
        const auto key = m_shown->lockAt(lane, m_view->readMs());
        if (!key)
            return;
        setChosen(key); // also where it is gone, so that nobody else can choose it
        emit chosen(*key);
    });
    connect(m_view, &LaneView::laneActivated, this, [this](int lane) {
        if (const auto key = m_shown->lockAt(lane, m_view->readMs()))
            emit activated(*key);
    });
    connect(m_view, &LaneView::cursorChanged, this, &TimelinePanel::tellCursor);
    connect(m_view, &LaneView::scaleChanged, this, &TimelinePanel::showScale);
    m_selected.setSingleShot(true);
    m_selected.setInterval(selectionDelay);
    connect(m_view, &LaneView::selectionChanged, &m_selected, qOverload<>(&QTimer::start));
    connect(&m_selected, &QTimer::timeout, this, [this] {
        emit timeSelected();
        takeLanes();
    });
    connect(&m_ticking, &QTimer::timeout, this, &TimelinePanel::tick);
    connect(&names, &OwnerNames::changed, m_view, &LaneView::takeLanes);
    new SavedWidgetState(
        QStringLiteral("timelineHidden"), this,
        [this] { return QByteArray::number(uint(allLaneParts & ~shownParts())); },
        [this](const QByteArray &saved) { restoreParts(saved); });
    showScale();
}

TimelinePanel::~TimelinePanel() = default;

void TimelinePanel::buildHead()
{
    m_kinds->addItems({tr("Locks"), tr("Owners"), tr("Processes")});
    m_kinds->setAccessibleName(tr("Lanes"));
    m_kinds->setToolTip(tr("A lane per lock, owner or process"));
    connect(m_kinds, &QComboBox::activated, this, &TimelinePanel::showLanesOf);
    QHBoxLayout &line = addHead(4, {m_kinds, {summary(), 1}});
    auto *legends = new QHBoxLayout;
    legends->setContentsMargins(8, 0, 8, 4);
    column().addLayout(legends);
    const auto entry = [&](LanePart part, const QString &word, const QString &meaning) {
        auto *legend = new LegendEntry(part, word, meaning, this);
        connect(legend, &LegendEntry::toggled, this, [this] { m_view->setParts(shownParts()); });
        m_legend.append(legend);
        legends->addWidget(legend);
    };
    entry(LanePart::Holds, tr("Held"), tr("Each inner line is one more hold."));
    entry(LanePart::Waits, tr("Waiting"),
          tr("Waiters in queue order, or their number. Cross-hatched: a dead waiter."));
    entry(LanePart::Leases, tr("Lease"), tr("Share of the longest lease seen. Dashed: no expiry."));
    entry(LanePart::Renewals, tr("Renewed"), tr("The lease was renewed."));
    entry(
        LanePart::Endings, tr("Other endings"),
        tr("Hourglass: expired. Bolt: force-expired. Question mark: gone, cause unknown. Circle: deadlock."));
    entry(LanePart::Unknown, tr("Unknown"), tr("Not watched, or changes may have been missed."));
    legends->addStretch();
    m_live->setText(tr("Live"));
    m_live->setCheckable(true);
    m_live->setFocusPolicy(Qt::TabFocus);
    m_live->setToolTip(tr("Follow the present (End)"));
    connect(m_live, &QToolButton::clicked, this, [this](bool on) { m_view->setFollowing(on); });
    line.addWidget(m_live);
    const std::array<QString, spanChoices.size()> words{tr("10 seconds"), tr("1 minute"), tr("5 minutes"),
                                                        tr("15 minutes"), tr("1 hour")};
    for (size_t i = 0; i < spanChoices.size(); ++i)
        m_spans->addItem(words[i], spanChoices[i]);
    m_spans->addItem(tr("All history"), 0);
    m_spans->setPlaceholderText(tr("Zoomed"));
    m_spans->setAccessibleName(tr("Time shown"));
    m_spans->setToolTip(tr("Ctrl and the wheel, + and - zoom; 0 shows all history."));
    connect(m_spans, &QComboBox::activated, this, [this](int index) {
        const qint64 span = m_spans->itemData(index).toLongLong();
        span > 0 ? m_view->setSpan(span) : m_view->fit();
    });
    line.addWidget(m_spans);
}

void TimelinePanel::followReplay()
{
    m_live->setText(tr("Follow"));
    m_live->setToolTip(tr("Follow the moment that is shown (End)"));
}

void TimelinePanel::showLanesOf(int kind)
{
    HistoryLanes *const kinds[]{&m_locks, &m_owners, &m_processes};
    m_shown = kinds[kind];
    m_shown->update(m_view->scale().shown());
    m_view->setSource(*m_shown);
    tellState();
    tellCursor();
}

LaneParts TimelinePanel::shownParts() const
{
    LaneParts parts;
    for (const LegendEntry *entry : m_legend)
        parts.setFlag(entry->part(), entry->isChecked());
    return parts;
}

void TimelinePanel::restoreParts(const QByteArray &saved)
{
    const LaneParts hidden = LaneParts::fromInt(saved.toUInt());
    for (LegendEntry *entry : m_legend)
        entry->setChecked(!hidden.testFlag(entry->part()));
}

QSize TimelinePanel::sizeHint() const
{
    return {QWidget::sizeHint().width(), m_view->sizeHint().height() + m_spans->sizeHint().height() + 10};
}

void TimelinePanel::focusContents()
{
    m_view->setFocus(Qt::ShortcutFocusReason);
}

void TimelinePanel::showChosen(const std::optional<LockKey> &key)
{
    if (std::exchange(m_told, key) == key) // told with each change of the locks
        return;
    setChosen(key);
    if (isVisible() && key && m_shown == &m_locks)
        m_view->scrollToLane(m_locks.laneOf(*key));
}

void TimelinePanel::setChosen(const std::optional<LockKey> &key)
{
    for (HistoryLanes *lanes : {static_cast<HistoryLanes *>(&m_locks), static_cast<HistoryLanes *>(&m_owners),
                                static_cast<HistoryLanes *>(&m_processes)})
        lanes->setChosen(key);
    if (!isVisible())
        return;
    m_view->takeLanes();
    tellCursor();
}

void TimelinePanel::clearTime()
{
    m_view->setSelection(std::nullopt);
    m_selected.stop();
    emit timeSelected();
}

QSet<LockKey> TimelinePanel::touched() const
{
    QSet<LockKey> keys;
    if (!time())
        return keys;
    m_history.store().visitKeys([&](const LockKey &key) {
        if (m_history.isTouched(key, time()->fromMs, time()->toMs))
            keys.insert(key);
    });
    return keys;
}

void TimelinePanel::tick()
{
    const TimePoint now = Clock::now();
    const TimeRange known = m_shown->known();
    const quint64 revision = m_history.store().revision();
    // A window is looked at all day: where nothing happens but time, what is drawn moves in steps.
    const auto passed = std::chrono::duration_cast<milliseconds>(now - std::exchange(m_tickedAt, now));
    const qint64 moved = std::abs(known.toMs - std::exchange(m_tickedMs, known.toMs));
    if (revision != m_drawnRevision ||
        moved > 2 * passed.count()) // a replay may go faster than time, and back
        m_busyAt = now;
    const bool isQuiet = now - m_busyAt > busyFor;
    if (now - m_lanesAt >= (isQuiet ? quietLanesInterval : lanesInterval))
        takeLanes();
    // What is read off the present stands beside the lanes also where these show the past.
    const qint64 step = m_view->scale().stepMs();
    const bool isInSight = m_view->scale().shown().toMs >= m_drawn.toMs;
    const qint64 pace = !isInSight ? readingMs : isQuiet ? std::min(quietPixels * step, readingMs) : 0;
    if (revision != m_drawnRevision || (known != m_drawn && std::abs(known.toMs - m_drawn.toMs) >= pace)) {
        m_drawn = known;
        m_drawnRevision = revision;
        m_view->takeTime();
        // A recording is shown at an earlier moment: there is nothing to read where the cursor was.
        if (m_view->cursor() > known.toMs)
            m_view->setCursorAt(std::nullopt);
        tellState();
    }
    m_ticking.setInterval(reducesMotion()
                              ? reducedTickMs
                              : int(std::clamp<qint64>(isQuiet ? pace : step, fastestTickMs, slowestTickMs)));
}

void TimelinePanel::takeLanes()
{
    m_lanesAt = Clock::now();
    if (m_shown->update(m_view->scale().shown()))
        m_view->takeLanes();
    tellState();
    tellCursor();
}

void TimelinePanel::tellState()
{
    QStringList parts{m_shown->summary()};
    if (!m_history.isEmpty())
        parts << (m_history.store().dropped() > 0 ? tr("older history dropped, begins at %1")
                                                  : tr("begins at %1"))
                     .arg(TimeScale::labelOf(m_shown->wallMs(m_history.firstMs()), 1000));
    showSummary(parts);
}

void TimelinePanel::tellCursor()
{
    const int lane = m_view->currentLane();
    const QString text = lane < 0 ? QString() : m_shown->toolTip(lane, m_view->readMs());
    if (text == m_view->accessibleDescription())
        return;
    m_view->setAccessibleDescription(text);
}

void TimelinePanel::showScale()
{
    m_live->setChecked(m_view->scale().isFollowing());
    int found = -1;
    for (size_t i = 0; i < spanChoices.size(); ++i)
        found = spanChoices[i] == m_view->scale().spanMs() ? int(i) : found;
    m_spans->setCurrentIndex(found);
}

void TimelinePanel::showEvent(QShowEvent *event)
{
    QWidget::showEvent(event);
    m_view->takeTime();
    takeLanes();
    m_ticking.start(fastestTickMs);
}

void TimelinePanel::hideEvent(QHideEvent *event)
{
    QWidget::hideEvent(event);
    m_ticking.stop();
}

} // namespace lockscope
