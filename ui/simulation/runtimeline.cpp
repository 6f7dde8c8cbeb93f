// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/simulation/runtimeline.h"

#include "core/words/texts.h"
#include "ui/simulation/runlegend.h"
#include "ui/simulation/tracetext.h"
#include "ui/widgets/boxes.h"
#include "ui/widgets/elidedlabel.h"
#include "ui/widgets/propertygrid.h"
#include "ui/widgets/spokenrole.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QSignalBlocker>
#include <QToolButton>

#include <algorithm>
#include <array>

namespace lockscope {

using namespace std::chrono_literals;

namespace {

constexpr int frameMs = 33;
constexpr std::array<int, 4> lengthSeconds{10, 20, 40, 120};
constexpr int usualLength = 1;
constexpr microseconds liveSpan = 1s;
constexpr size_t fewStays = 150;   // so many are told apart in all of a run
constexpr size_t wantedStays = 40; // where there are more
constexpr size_t leastStays = 5;
constexpr size_t wantedWakes = 250; // fewer than a view draws
constexpr qsizetype maxTold = 4;    // events of one moment
constexpr qint64 aroundShare = 8;   // of what is shown: before a moment that was gone to

} // namespace

RunTimeline::RunTimeline(QWidget *parent)
    : QWidget(parent),
      m_runs(new QComboBox(this)),
      m_summary(new ElidedLabel(this)),
      m_legend(new RunLegend(this)),
      m_previous(new QToolButton(this)),
      m_play(new QToolButton(this)),
      m_next(new QToolButton(this)),
      m_lengths(new QComboBox(this)),
      m_all(new QToolButton(this)),
      m_told(new ElidedLabel(this)),
      m_picture(new QToolButton(this)),
      m_view(new LaneView(m_lanes, this))
{
    setAccessibleName(tr("Timeline of the run"));
    setAutoFillBackground(true);
    setBackgroundRole(QPalette::Base);
    setSpokenRole(m_view, QAccessible::Chart);
    m_view->setAccessibleName(tr("Timeline of the run"));
    m_view->setObjectName(QStringLiteral("runLanes"));
    setLayout(columnOf({head(), controls(), {m_view, 1}}, 0, {}));
    connect(m_legend, &RunLegend::changed, this, [this] { m_view->setParts(m_legend->parts()); });
    connect(m_view, &LaneView::laneChosen, this, [this](int lane) {
        m_lanes.setChosen(lane);
        m_view->takeLanes();
        tellState();
    });
    connect(m_view, &LaneView::cursorChanged, this, &RunTimeline::tellState);
    connect(m_view, &LaneView::scaleChanged, this, [this] { m_isFitted = false; });
    m_playing.setInterval(frameMs);
    connect(&m_playing, &QTimer::timeout, this, &RunTimeline::advance);
    tellSummary();
}

QLayout *RunTimeline::head()
{
    applyTextColor(m_summary, StatusColor::Muted);
    m_runs->setObjectName(QStringLiteral("shownRun"));
    m_runs->setAccessibleName(Texts::tr("Run"));
    m_runs->setToolTip(tr("Choose the phase"));
    m_runs->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_runs->setMinimumContentsLength(24);
    m_runs->hide();
    connect(m_runs, &QComboBox::activated, this, &RunTimeline::showRun);
    return lineOf({m_runs, {m_summary, 1}, m_legend}, 8, {12, 6, 12, 2});
}

QLayout *RunTimeline::controls()
{
    auto *line = new QHBoxLayout;
    line->setContentsMargins(12, 2, 12, 4);
    line->setSpacing(4);
    const auto add = [&](QToolButton *button, const QString &text, const QString &tip, auto slot) {
        button->setText(text);
        button->setToolTip(tip);
        button->setFocusPolicy(Qt::TabFocus);
        connect(button, &QToolButton::clicked, this, slot);
        line->addWidget(button);
    };
    m_play->setObjectName(QStringLiteral("playRun"));
    m_previous->setObjectName(QStringLiteral("previousEvent"));
    m_all->setObjectName(QStringLiteral("showAll"));
    m_next->setObjectName(QStringLiteral("nextEvent"));
    add(m_previous, tr("Previous event"), tr("Go to the previous event (P)"), &RunTimeline::previousEvent);
    add(m_play, tr("Play"), tr("Play the run in slow motion, or pause (Space)"), &RunTimeline::togglePlaying);
    m_play->setIcon(glyphIcon(Glyph::Play));
    m_play->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    add(m_next, tr("Next event"), tr("Go to the next event (N)"), &RunTimeline::nextEvent);
    for (const int seconds : lengthSeconds)
        m_lengths->addItem(tr("in %1 s", "a run is played in so long").arg(seconds), seconds);
    m_lengths->setCurrentIndex(usualLength);
    m_lengths->setObjectName(QStringLiteral("playingTime"));
    m_lengths->setAccessibleName(tr("Playing time"));
    m_lengths->setToolTip(tr("Time in which the whole run is played"));
    connect(m_lengths, &QComboBox::currentIndexChanged, this, [this] {
        m_player.setLength(m_lanes.end(), std::chrono::seconds(m_lengths->currentData().toInt()));
    });
    line->addWidget(m_lengths);
    add(m_all, tr("Show all"), tr("Show the whole run again (A)"), &RunTimeline::showAll);
    m_all->setEnabled(false);
    line->addSpacing(8);
    m_told->setAccessibleName(tr("Event"));
    line->addWidget(m_told, 1);
    m_picture->setObjectName(QStringLiteral("savePicture"));
    add(m_picture, tr("Save picture…"), tr("Save as SVG or PNG"), &RunTimeline::pictureWanted);
    return line;
}

void RunTimeline::begin(const QString &title, const Plan &plan)
{
    stop();
    m_title = title;
    m_plan = plan;
    m_entries.clear();
    m_leftOut = 0;
    m_elapsed = microseconds(0);
    m_isLive = true;
    m_hasKeys = false;
    m_isPending = false;
    m_completed.clear();
    {
        const QSignalBlocker quiet(m_runs);
        m_runs->clear();
    }
    m_runs->hide();
    m_told->setFullText({});
    m_lanes.begin({}, 0);
    uncoverUntil(std::nullopt);
    m_view->setCursorAt(std::nullopt);
    m_view->takeLanes();
    tellSummary();
}

void RunTimeline::take(const SimulationSnapshot &snapshot, const QList<QByteArray> &keys)
{
    // A phase that proved nothing is run again.
    if (snapshot.elapsed < m_elapsed)
        begin(m_title, m_plan);
    m_elapsed = snapshot.elapsed;
    if (!m_hasKeys) {
        m_hasKeys = true;
        m_lanes.begin(keys, m_plan.workers);
        if (m_plan.script.isEmpty()) {
            m_view->setFollowing(true);
            m_view->setSpan(RunLanes::onAxis(liveSpan));
        }
        m_isFitted = !m_plan.script.isEmpty();
    }
    m_entries += snapshot.news;
    m_lanes.take(snapshot.news);
    m_lanes.setEnd(snapshot.elapsed);
    m_lanes.setFullAt(snapshot.traceFullAt);
    m_leftOut = snapshot.traceLeftOut;
    m_lanes.setFindings(snapshot.findings.examples);
    refresh();
}

/// Called at most as often as snapshots arrive.
void RunTimeline::refresh()
{
    m_isStale = !isVisible();
    if (m_isStale)
        return;
    const bool isFitted = m_isFitted;
    m_view->takeLanes();
    m_view->takeTime();
    if (isFitted)
        m_view->fit();
    m_isFitted = isFitted;
    tellSummary();
}

void RunTimeline::show(const QList<CompletedRun> &runs)
{
    if (runs.isEmpty())
        return end();
    m_completed = runs;
    m_isLive = false;
    {
        const QSignalBlocker quiet(m_runs);
        m_runs->clear();
        for (const CompletedRun &run : runs)
            m_runs->addItem(run.title);
    }
    m_runs->setVisible(runs.size() > 1);
    m_isPending = !isVisible();
    if (!m_isPending)
        showRun(0);
}

/// Ends a run that failed or was stopped without a report; its recorded data stays.
void RunTimeline::end()
{
    if (!m_isLive)
        return;
    m_isLive = false;
    std::ranges::stable_sort(m_entries, {}, &TraceEntry::at);
    refresh();
}

void RunTimeline::showRun(int run)
{
    stop();
    if (run < 0 || run >= m_completed.size())
        return;
    m_isPending = false;
    m_isStale = false;
    m_runs->setCurrentIndex(run);
    const CompletedRun &shown = m_completed[run];
    m_title = shown.title;
    m_entries = shown.report.trace.entries();
    m_leftOut = shown.report.trace.leftOut();
    m_lanes.show(shown.report);
    m_player.setLength(m_lanes.end(), std::chrono::seconds(m_lengths->currentData().toInt()));
    m_told->setFullText({});
    m_view->setCursorAt(std::nullopt);
    m_view->takeLanes();
    uncoverUntil(std::nullopt);
    showWhatMatters();
    tellSummary();
    emit runShown(shown.report);
}

/// Shows the whole run if legible, otherwise the first violation or fault, or the middle.
void RunTimeline::showWhatMatters()
{
    m_view->fit();
    size_t stays = 0;
    for (const RunHistory::Section &section : m_lanes.history().sections())
        stays = std::max(stays, section.stays.size());
    if (stays <= fewStays)
        return;
    // Not more wake-ups than are drawn, either.
    const size_t wakes = m_lanes.history().wakes().size();
    const size_t wanted =
        std::clamp(wantedWakes * stays / std::max(wakes, size_t(1)), leastStays, wantedStays);
    const microseconds end = m_lanes.end();
    microseconds span = end * qint64(wanted) / qint64(stays);
    std::optional<microseconds> first;
    const auto take = [&first](microseconds at) { first = std::min(first.value_or(at), at); };
    const CompletedRun &run = m_completed[m_runs->currentIndex()];
    for (const Violation &violation : run.report.findings.examples)
        take(violation.at);
    for (const RunHistory::ServerSpan &fault : m_lanes.history().server())
        take(fault.time.from);
    for (const RunHistory::Worker &worker : m_lanes.history().workers()) {
        if (!first && !worker.deaths.empty())
            take(worker.deaths.front().from);
    }
    for (const RunHistory::Worker &worker : m_lanes.history().workers()) {
        if (!first && !worker.pauses.empty() && worker.pauses.front().to) {
            // All of a pause is seen, with what was before and after it.
            take(worker.pauses.front().from);
            span = std::max(span, (*worker.pauses.front().to - worker.pauses.front().from) * 2);
        }
    }
    const microseconds middle = first.value_or(end / 2);
    m_view->showTime({RunLanes::onAxis(middle - span / 4), RunLanes::onAxis(middle + span * 3 / 4)});
}

void RunTimeline::goTo(int run, microseconds at)
{
    if (!m_isLive && (m_isPending || run != m_runs->currentIndex()))
        showRun(run);
    stop();
    uncoverUntil(std::nullopt);
    const qint64 moment = RunLanes::onAxis(at);
    const TimeRange shown = m_view->scale().shown();
    if (moment < shown.fromMs || moment > shown.toMs) {
        const qint64 span = m_view->scale().spanMs();
        m_view->showTime({moment - span / aroundShare, moment + span - span / aroundShare});
    }
    m_view->keepCursorAt(moment);
    tellMoment(at - 1us, at);
    m_view->setFocus(Qt::OtherFocusReason);
}

/// Returns the cursor's moment, or that of the playback.
microseconds RunTimeline::place() const
{
    return RunLanes::fromAxis(m_view->cursor().value_or(m_lanes.shownUntilMs()));
}

void RunTimeline::togglePlaying()
{
    if (m_player.isPlaying())
        return stop();
    if (m_isLive || m_entries.isEmpty())
        return;
    const bool isAtEnd = !m_view->cursor() || place() >= m_lanes.end();
    m_player.setLength(m_lanes.end(), std::chrono::seconds(m_lengths->currentData().toInt()));
    m_player.play(isAtEnd ? 0us : place());
    m_play->setText(tr("Pause"));
    m_play->setIcon(glyphIcon(Glyph::Pause));
    m_since.start();
    m_playing.start();
    if (isAtEnd) {
        uncoverUntil(0us);
        m_view->reveal(0);
    }
}

void RunTimeline::stop()
{
    m_player.stop();
    m_playing.stop();
    m_play->setText(tr("Play"));
    m_play->setIcon(glyphIcon(Glyph::Play));
}

void RunTimeline::advance()
{
    const microseconds before = m_player.position();
    m_player.advance(
        std::chrono::duration_cast<microseconds>(std::chrono::nanoseconds(m_since.nsecsElapsed())));
    m_since.restart();
    const microseconds at = m_player.position();
    uncoverUntil(at);
    m_view->keepCursorAt(RunLanes::onAxis(at));
    m_view->reveal(RunLanes::onAxis(at));
    tellMoment(before, at);
    if (!m_player.isPlaying()) {
        stop();
        uncoverUntil(std::nullopt);
    }
}

void RunTimeline::uncoverUntil(std::optional<microseconds> moment)
{
    m_lanes.setShownUntil(moment);
    m_all->setEnabled(moment.has_value());
    m_view->takeTime();
}

void RunTimeline::nextEvent()
{
    const bool isAtEnd = !m_view->cursor();
    goToEvent(RunPlayer::next(m_lanes.history().moments(), isAtEnd ? -1us : place(),
                              isAtEnd ? 0us : RunLanes::fromAxis(m_view->scale().stepMs())));
}

void RunTimeline::previousEvent()
{
    goToEvent(RunPlayer::previous(m_lanes.history().moments(), place(),
                                  RunLanes::fromAxis(m_view->scale().stepMs())));
}

void RunTimeline::goToEvent(std::optional<microseconds> moment)
{
    if (!moment || m_isLive)
        return;
    stop();
    // What is nearer than a pixel is one step.
    const microseconds at = std::min(*moment + RunLanes::fromAxis(m_view->scale().stepMs()), m_lanes.end());
    const bool isLast = *moment >= m_lanes.history().moments().back();
    uncoverUntil(isLast ? std::nullopt : std::optional(at));
    m_view->keepCursorAt(RunLanes::onAxis(*moment));
    m_view->reveal(RunLanes::onAxis(at));
    tellMoment(*moment - 1us, at);
}

void RunTimeline::showAll()
{
    stop();
    uncoverUntil(std::nullopt);
}

/// Lists the events since `after`; without any, the previous text stays.
void RunTimeline::tellMoment(microseconds after, microseconds at)
{
    if (m_isLive)
        return;
    const bool namesLock = m_lanes.history().sections().size() > 1;
    auto entry = std::ranges::upper_bound(m_entries, after, {}, &TraceEntry::at);
    QStringList texts;
    for (; entry != m_entries.end() && entry->at <= at; ++entry) {
        if (texts.size() == maxTold) {
            texts.append(QStringLiteral("…"));
            break;
        }
        texts.append(textOf(*entry, namesLock));
    }
    if (!texts.isEmpty())
        m_told->setFullText(
            tr("%1: %2", "moment, events")
                .arg(m_lanes.timeText(RunLanes::onAxis(at), 100), texts.join(QStringLiteral("; "))));
}

void RunTimeline::tellState()
{
    const int lane = m_view->currentLane();
    const QString text = lane < 0 ? QString() : m_lanes.toolTip(lane, m_view->readMs());
    if (text != m_view->accessibleDescription())
        m_view->setAccessibleDescription(text);
}

void RunTimeline::tellSummary()
{
    for (QToolButton *button : {m_previous, m_play, m_next})
        button->setEnabled(!m_isLive && !m_entries.isEmpty());
    m_summary->setFullText(m_lanes.omittedTexts(m_leftOut).join(QStringLiteral(" · ")));
}

/// Handles keys that no control uses, such as Space on a button.
void RunTimeline::keyPressEvent(QKeyEvent *event)
{
    if ((event->modifiers() & ~Qt::KeypadModifier) != Qt::NoModifier)
        return QWidget::keyPressEvent(event);
    switch (event->key()) {
    case Qt::Key_Space:
        return togglePlaying();
    case Qt::Key_N:
        return nextEvent();
    case Qt::Key_P:
        return previousEvent();
    case Qt::Key_A:
        return showAll();
    default:
        return QWidget::keyPressEvent(event);
    }
}

void RunTimeline::showEvent(QShowEvent *event)
{
    QWidget::showEvent(event);
    if (m_isPending)
        showRun(std::max(m_runs->currentIndex(), 0));
    else if (m_isStale)
        refresh();
}

void RunTimeline::hideEvent(QHideEvent *event)
{
    QWidget::hideEvent(event);
    if (m_player.isPlaying())
        stop();
}

} // namespace lockscope
