// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/statistics/blamepanel.h"

#include "core/base/printable.h"
#include "core/words/blamemessages.h"
#include "core/words/durations.h"
#include "core/words/texts.h"
#include "ui/events/eventtext.h"
#include "ui/statistics/periodbox.h"
#include "ui/widgets/figurecolumns.h"
#include "ui/widgets/plaintext.h"
#include "ui/widgets/rowkeys.h"

#include <QDateTime>
#include <QHeaderView>
#include <QPromise>
#include <QPushButton>
#include <QThreadPool>
#include <QTreeWidget>

#include <algorithm>
#include <array>
#include <memory>
#include <ranges>

namespace lockscope {

namespace {

constexpr milliseconds partOfCopy{5};
constexpr milliseconds untilPointerIsAway{500};
constexpr size_t mostRows = 200;
constexpr size_t mostSummarized = 10;
constexpr int rowPadding = 8;
constexpr int episodeRole = Qt::UserRole;
constexpr qsizetype keyCodePoints = 60;

} // namespace

BlamePanel::BlamePanel(const LockHistory &history, std::function<qint64()> presentMs, QWidget *parent)
    : PagePanel(tr("Blame"), 14, parent),
      m_history(history),
      m_presentMs(std::move(presentMs)),
      m_periods(new PeriodBox(tr("Time of the waits"), this)),
      m_by(new QComboBox(this)),
      m_timeline(new QPushButton(tr("Show in timeline"), this)),
      m_summary(new QPushButton(tr("Copy summary"), this)),
      m_tree(new QTreeWidget(this)),
      m_pace(history)
{
    m_pace.setRestart([this] { restart(); });
    buildTree();
    buildHead();
    column().addWidget(placeOf(m_tree), 1);
    column().addLayout(lineOf({{PagePanel::summary(), 1}}, 8, {12, 2, 12, 4}));
    m_copying.setInterval(0);
    connect(&m_copying, &QTimer::timeout, this, &BlamePanel::copy);
    connect(&m_reckoning, &QFutureWatcher<ShownPtr>::finished, this, &BlamePanel::take);
    m_waiting.setInterval(untilPointerIsAway);
    connect(&m_waiting, &QTimer::timeout, this, [this] {
        if (!m_tree->viewport()->underMouse())
            fill();
    });
}

BlamePanel::~BlamePanel()
{
    // The tree outlives the members: what it says while it goes is no longer heard.
    m_tree->disconnect(this);
}

void BlamePanel::buildHead()
{
    connect(m_periods, &QComboBox::activated, this, &BlamePanel::restart);
    m_by->addItems({tr("By lock"), tr("By owner"), tr("By process"), tr("By host"), tr("By pair")});
    m_by->setAccessibleName(tr("Blame by"));
    setPlainToolTip(*m_by, tr("Rank locks, root blockers, or pairs of holder and waiter"));
    connect(m_by, &QComboBox::activated, this, [this] {
        m_opened.clear();
        restart();
    });
    m_timeline->setEnabled(false);
    connect(m_timeline, &QPushButton::clicked, this, &BlamePanel::openSelected);
    setPlainToolTip(*m_summary, tr("Copy the waits of this time for a ticket"));
    connect(m_summary, &QPushButton::clicked, this, &BlamePanel::summaryRequested);
    for (QPushButton *button : {m_timeline, m_summary})
        button->setAutoDefault(false);
    addHead(8, {m_periods, m_by, Stretch{1}, m_timeline, m_summary});
}

void BlamePanel::buildTree()
{
    m_tree->setAccessibleName(tr("Waits by blocker"));
    m_tree->setHeaderLabels({Texts::tr("Blocked by"), Texts::tr("Waited"), Texts::tr("Episodes"),
                             tr("Lasted"), tr("Most waiters"), Texts::tr("Root blocker")});
    const std::array<QString, Root + 1> meanings{
        QString(),
        tr("Time of all waiters together"),
        tr("Times without a break in which somebody waited"),
        tr("From the first waiter to the last"),
        QString(),
        tr("Who held the lock, what that one waited for, and so on, when most was waited")};
    for (int each = Who; each <= Root; ++each)
        m_tree->headerItem()->setToolTip(each, plainToolTip(meanings.at(size_t(each))));
    m_tree->setFrameShape(QFrame::NoFrame);
    m_tree->setUniformRowHeights(true);
    m_tree->setTextElideMode(Qt::ElideMiddle);
    QHeaderView *header = m_tree->header();
    header->setStretchLastSection(false);
    for (const Column each : {Waited, Episodes, Lasted, MostWaiters}) {
        m_tree->headerItem()->setTextAlignment(each, Qt::AlignRight | Qt::AlignVCenter);
        header->setSectionResizeMode(each, QHeaderView::Fixed);
    }
    header->setSectionResizeMode(Who, QHeaderView::Stretch);
    header->setSectionResizeMode(Root, QHeaderView::Stretch);
    new FigureColumns(header, {Waited, Lasted}, {Episodes, MostWaiters});
    new RowKeys(m_tree, [this] { openSelected(); });
    connect(m_tree, &QTreeWidget::itemDoubleClicked, this, [this](QTreeWidgetItem *item) {
        if (item->parent())
            openSelected();
    });
    connect(m_tree, &QTreeWidget::itemSelectionChanged, this, [this] {
        const WaitEpisode *episode = selected();
        m_timeline->setEnabled(episode);
        if (episode && !m_isFilling)
            emit chosen(episode->lock);
    });
    connect(m_tree, &QTreeWidget::itemExpanded, this,
            [this](QTreeWidgetItem *item) { m_opened.insert(item->text(Who)); });
    connect(m_tree, &QTreeWidget::itemCollapsed, this,
            [this](QTreeWidgetItem *item) { m_opened.remove(item->text(Who)); });
}

void BlamePanel::setSelectedTime(const std::optional<TimeRange> &time)
{
    if (m_periods->setSelectedTime(time))
        restart();
}

void BlamePanel::restart()
{
    if (!isVisible())
        return;
    m_next.reset();
    m_waiting.stop();
    m_pace.begin();
    m_period = m_periods->period(m_history, m_presentMs());
    m_copy.emplace(m_history, m_period.fromMs, m_period.toMs);
    m_copying.start();
}

void BlamePanel::copy()
{
    if (!m_copy || !m_copy->work(partOfCopy))
        return;
    m_copying.stop();
    const auto promise = std::make_shared<QPromise<ShownPtr>>();
    promise->start();
    m_reckoning.setFuture(promise->future()); // of an earlier one nothing is heard any more
    const auto reckon = [promise, copy = std::make_shared<WaitCopy>(std::move(*m_copy)),
                         by = BlameBy(m_by->currentIndex()), period = m_period] {
        const auto shown = std::make_shared<Shown>(Shown{blameOf(std::move(*copy)), {}, by, period});
        shown->rows = shown->blame.rankedBy(by);
        shown->blame.shares.clear();
        promise->addResult(shown);
        promise->finish();
    };
    m_copy.reset();
    m_reckoned.start();
    QThreadPool::globalInstance()->start(reckon);
}

void BlamePanel::take()
{
    if (!isVisible())
        return;
    m_next = m_reckoning.result();
    m_cost = milliseconds(m_reckoned.elapsed());
    const bool isSame = m_result && m_next->by == m_result->by;
    if (isSame && m_tree->viewport()->underMouse()) // nothing moves under the pointer
        return m_waiting.start();
    fill();
}

void BlamePanel::fill()
{
    const QTreeWidgetItem *item = m_tree->selectedItems().value(0);
    const QTreeWidgetItem *parent = item ? item->parent() : nullptr;
    const QString nameBefore = item ? (parent ? parent : item)->text(Who) : QString();
    const std::optional<qint64> fromBefore = parent ? std::optional(selected()->fromMs) : std::nullopt;
    m_waiting.stop();
    m_result = std::exchange(m_next, nullptr);
    m_isFilling = true;
    m_tree->clear();
    m_tree->headerItem()->setText(Who, m_result->by == BlameBy::Lock ? Texts::tr("Lock")
                                                                     : Texts::tr("Blocked by"));
    for (const BlameRow &row : m_result->rows | std::views::take(mostRows)) {
        const QString name = describe(row, m_result->by);
        QTreeWidgetItem *top = itemOf(row, name);
        top->setSizeHint(Who, QSize(0, fontMetrics().height() + rowPadding)); // all rows are as high
        m_tree->addTopLevelItem(top);
        QTreeWidgetItem *chosenItem = name == nameBefore ? top : nullptr;
        for (const auto &[episode, waited] : row.worst) {
            top->addChild(itemOf(episode, waited));
            if (name == nameBefore && m_result->blame.episodes[episode].fromMs == fromBefore)
                chosenItem = top->child(top->childCount() - 1);
        }
        top->setExpanded(m_opened.contains(name));
        if (chosenItem)
            m_tree->setCurrentItem(chosenItem);
    }
    m_isFilling = false;
    QStringList parts =
        summaryOf(m_result->blame, wallText(m_result->period.fromMs), wallText(m_result->period.toMs));
    if (m_result->rows.size() > mostRows)
        parts << tr("list shortened to %1").arg(grouped(mostRows));
    showSummary(parts);
    showListOr(m_result->rows.empty() ? tr("Nobody was seen waiting in this time.") : QString());
    m_pace.finish(m_cost);
}

QTreeWidgetItem *BlamePanel::itemOf(const BlameRow &row, const QString &name) const
{
    const WaitEpisode &worst = m_result->blame.episodes[row.worst.front().first];
    auto *item = new QTreeWidgetItem( // NOLINT(cppcoreguidelines-owning-memory): the tree's
        {name, waitedText(row.waited, row.isAtLeast), grouped(row.episodes), QString(), QString(),
         m_result->by == BlameBy::Lock ? rootText(worst) : QString()});
    item->setData(Who, episodeRole, quint64(row.worst.front().first));
    for (const Column column : {Waited, Episodes})
        item->setTextAlignment(column, Qt::AlignRight | Qt::AlignVCenter);
    return item;
}

QTreeWidgetItem *BlamePanel::itemOf(size_t episode, milliseconds waited) const
{
    const WaitEpisode &each = m_result->blame.episodes[episode];
    const QString at = wallText(each.fromMs);
    auto *item = new QTreeWidgetItem( // NOLINT(cppcoreguidelines-owning-memory): the row's
        {m_result->by == BlameBy::Lock ? at : at + u' ' + printable(each.lock.bytes, keyCodePoints),
         waitedText(waited, each.isAtLeast || each.isCut), QString(),
         describe(milliseconds(each.toMs - each.fromMs)), grouped(each.mostWaiters), rootText(each)});
    item->setData(Who, episodeRole, quint64(episode));
    for (const Column column : {Waited, Lasted, MostWaiters})
        item->setTextAlignment(column, Qt::AlignRight | Qt::AlignVCenter);
    return item;
}

QString BlamePanel::wallText(qint64 axisMs) const
{
    return timeText(m_history.clock().wallAt(axisMs));
}

/// Of a lock or blocker its worst one.
const WaitEpisode *BlamePanel::selected() const
{
    const QTreeWidgetItem *item = m_tree->selectedItems().value(0);
    return item ? &m_result->blame.episodes[item->data(Who, episodeRole).toULongLong()] : nullptr;
}

void BlamePanel::openSelected()
{
    if (const WaitEpisode *episode = selected())
        emit episodeRequested(episode->lock, {episode->fromMs, episode->toMs});
}

std::optional<IncidentSummary> BlamePanel::summaryFor(const QString &server) const
{
    if (!m_result)
        return std::nullopt;
    IncidentSummary summary;
    summary.server = server;
    summary.writtenAt = QDateTime::currentDateTime();
    summary.writtenAt = summary.writtenAt.toOffsetFromUtc(summary.writtenAt.offsetFromUtc());
    const auto exact = [this](qint64 axisMs) { return exactTimeText(m_history.clock().wallAt(axisMs)); };
    summary.statements =
        summaryOf(m_result->blame, exact(m_result->period.fromMs), exact(m_result->period.toMs));
    for (const BlameRow &row : m_result->rows | std::views::take(mostSummarized))
        summary.facts.append({waitedText(row.waited, row.isAtLeast), describe(row, m_result->by)});
    summary.eventsTitle = tr("Episodes, the most waited for first:");
    for (const WaitEpisode &each : m_result->blame.episodes | std::views::take(mostSummarized))
        summary.events.append(QStringList{exact(each.fromMs),
                                          waitedText(each.waited, each.isAtLeast || each.isCut),
                                          printable(each.lock.bytes, keyCodePoints), rootText(each)}
                                  .join(QStringLiteral("  ")));
    return summary;
}

void BlamePanel::showEvent(QShowEvent *event)
{
    QWidget::showEvent(event);
    restart();
}

void BlamePanel::hideEvent(QHideEvent *event)
{
    QWidget::hideEvent(event);
    m_copying.stop();
    m_pace.stop();
    m_waiting.stop();
    m_next.reset();
    m_copy.reset();
}

} // namespace lockscope
