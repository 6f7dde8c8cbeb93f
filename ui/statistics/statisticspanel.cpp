// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/statistics/statisticspanel.h"

#include "core/base/printable.h"
#include "core/words/durations.h"
#include "ui/statistics/periodbox.h"
#include "ui/widgets/figurecolumns.h"
#include "ui/widgets/measure.h"
#include "ui/widgets/plaintext.h"
#include "ui/widgets/rowkeys.h"

#include <QDateTime>
#include <QHeaderView>
#include <QLineEdit>
#include <QPushButton>
#include <QTableView>
#include <QToolButton>

#include <algorithm>

namespace lockscope {

namespace {

constexpr milliseconds partOfReckoning{5};

} // namespace

StatisticsPanel::StatisticsPanel(const LockHistory &history, std::function<qint64()> presentMs,
                                 QWidget *parent)
    : PagePanel(tr("Statistics"), 14, parent),
      m_history(history),
      m_presentMs(std::move(presentMs)),
      m_spans(new PeriodBox(tr("Time of the statistics"), this)),
      m_filter(new QLineEdit(this)),
      m_timeline(new QPushButton(tr("Show in timeline"), this)),
      m_export(new QPushButton(tr("Export…"), this)),
      m_table(new QTableView(this)),
      m_fold(new QToolButton(this)),
      m_pace(history)
{
    m_pace.setRestart([this] { restart(); });
    buildTable();
    buildHead();
    column().addWidget(placeOf(m_table), 1);
    m_fold->setObjectName(QStringLiteral("fold"));
    m_fold->setCheckable(true);
    m_fold->setAutoRaise(true);
    m_fold->setFocusPolicy(Qt::TabFocus);
    m_fold->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    connect(m_fold, &QToolButton::toggled, this, [this](bool on) {
        m_model.setFolded(!on);
        tellSummary();
    });
    column().addLayout(lineOf({{summary(), 1}, m_fold}, 8, {12, 2, 12, 4}));
    m_working.setInterval(0);
    connect(&m_working, &QTimer::timeout, this, &StatisticsPanel::work);
}

StatisticsPanel::~StatisticsPanel()
{
    // The table outlives the members: what it says while it goes is no longer heard.
    m_table->selectionModel()->disconnect(this);
    m_table->disconnect(this);
}

void StatisticsPanel::buildHead()
{
    connect(m_spans, &QComboBox::activated, this, &StatisticsPanel::restart);
    setUpFilter(*m_filter, tr("Filter of the statistics"), tr("Part of a key"));
    connect(m_filter, &QLineEdit::textChanged, this, [this](const QString &text) {
        m_isArranging = true;
        m_model.setFilter(text);
        m_isArranging = false;
        tellSummary();
    });
    m_timeline->setEnabled(false);
    connect(m_timeline, &QPushButton::clicked, this, [this] {
        if (const auto key = selected())
            emit timelineRequested(*key);
    });
    setPlainToolTip(*m_export, tr("Export all rows and columns as CSV or JSON"));
    connect(m_export, &QPushButton::clicked, this, &StatisticsPanel::exportRequested);
    auto *blame = new QPushButton(tr("Blame"), this);
    setPlainToolTip(*blame, tr("Show who made whom wait, and how long"));
    connect(blame, &QPushButton::clicked, this, &StatisticsPanel::blameRequested);
    for (QPushButton *button : {m_timeline, blame, m_export})
        button->setAutoDefault(false);
    addHead(8, {m_spans, {m_filter, 1}, m_timeline, blame, m_export});
}

void StatisticsPanel::buildTable()
{
    m_table->setModel(&m_model);
    m_table->setAccessibleName(tr("Statistics of the locks"));
    setUpRows(*m_table);
    m_table->setTextElideMode(Qt::ElideMiddle);
    QHeaderView *header = m_table->horizontalHeader();
    header->setSectionResizeMode(QHeaderView::Interactive);
    header->setMinimumSectionSize(latinWidth(fontMetrics(), 8));
    header->setSortIndicatorShown(true);
    m_table->setColumnWidth(int(StatisticsModel::Column::Key), latinWidth(fontMetrics(), 32));
    QList<int> figures;
    for (int column = 1; column < StatisticsModel::columns; ++column)
        figures << column;
    new FigureColumns(header, {figures.takeFirst()}, figures); // most of the others are short
    m_table->sortByColumn(int(StatisticsModel::Column::Waited), Qt::DescendingOrder);
    // Numbers: the most first, at the first click.
    connect(header, &QHeaderView::sectionClicked, this,
            [this, last = int(StatisticsModel::Column::Waited)](int column) mutable {
                if (std::exchange(last, column) != column && column != int(StatisticsModel::Column::Key))
                    m_table->sortByColumn(column, Qt::DescendingOrder);
            });
    m_table->setSortingEnabled(true);
    new RowKeys(m_table, [this] {
        if (const auto key = selected())
            emit timelineRequested(*key);
    });
    connect(m_table, &QTableView::doubleClicked, m_timeline, &QPushButton::click);
    connect(m_table->selectionModel(), &QItemSelectionModel::selectionChanged, this, [this] {
        const auto key = selected();
        m_timeline->setEnabled(key.has_value());
        if (key && !m_isArranging)
            emit chosen(*key);
    });
}

void StatisticsPanel::setSelectedTime(const std::optional<TimeRange> &time)
{
    if (m_spans->setSelectedTime(time))
        restart();
}

TimeRange StatisticsPanel::time() const
{
    return m_spans->period(m_history, m_presentMs());
}

void StatisticsPanel::restart()
{
    if (!isVisible())
        return;
    m_reckonedTime = time();
    m_run.emplace(m_history, m_reckonedTime.fromMs, m_reckonedTime.toMs);
    m_pace.begin();
    m_cost = {};
    m_working.start();
}

/// Computes a part. The previous result stays until all is done.
void StatisticsPanel::work()
{
    QElapsedTimer part;
    part.start();
    const bool isDone = !m_run || m_run->work(partOfReckoning);
    m_cost += std::chrono::nanoseconds(part.nsecsElapsed());
    if (!isDone || !m_run)
        return;
    m_working.stop();
    m_observed = m_run->observed();
    m_shownTime = m_reckonedTime;
    m_isArranging = true;
    m_model.setStatistics(m_run->take());
    m_isArranging = false;
    m_run.reset();
    showColumns();
    tellSummary();
    m_pace.finish(std::chrono::duration_cast<milliseconds>(m_cost));
}

/// A column of a chosen time stays once it has had a figure, so that none comes and goes under the pointer.
void StatisticsPanel::showColumns()
{
    const bool isSameTime = std::exchange(m_shownSpan, m_spans->currentIndex()) == m_spans->currentIndex();
    for (int column = 1; column < StatisticsModel::columns; ++column) {
        const bool hasFigures = m_model.hasFigures(StatisticsModel::Column(column));
        if (hasFigures || !isSameTime)
            m_table->setColumnHidden(column, !hasFigures);
    }
}

void StatisticsPanel::tellSummary()
{
    if (!m_shownTime) // nothing has been reckoned yet
        return;
    const milliseconds whole(m_shownTime->toMs - m_shownTime->fromMs);
    QStringList parts{tr("locks: %1").arg(grouped(m_model.locks()))};
    if (m_model.matching() < m_model.locks())
        parts << tr("matching: %1").arg(grouped(m_model.matching()));
    if (m_model.matching() > StatisticsModel::maxRows)
        parts << tr("list shortened to %1").arg(grouped(StatisticsModel::maxRows));
    parts << (m_observed < whole ? tr("observed %1 of %2").arg(describe(m_observed), describe(whole))
                                 : tr("observed %1").arg(describe(m_observed)));
    if (!m_model.tellsWaiters())
        parts << StatisticsModel::tr("Waiters unknown: no trace, or no permission.");
    QStringList absent; // last, since it may be cut
    for (int column = 1; column < StatisticsModel::columns; ++column) {
        if (m_table->isColumnHidden(column))
            absent << m_model.headerData(column, Qt::Horizontal).toString();
    }
    if (!absent.isEmpty())
        parts << tr("no figures: %1").arg(absent.join(QStringLiteral(", ")));
    showSummary(parts);
    const qsizetype unmeasured = m_model.unmeasured();
    m_fold->setVisible(unmeasured > 0);
    m_fold->setArrowType(m_fold->isChecked() ? Qt::DownArrow : Qt::RightArrow);
    m_fold->setText(tr("Nothing measured yet: %1").arg(grouped(unmeasured)));
    showListOr(m_model.rowCount() > 0                           ? QString()
               : m_model.locks() > 0 && m_model.matching() == 0 ? tr("No key matches.")
                                                                : tr("Nothing measured in this time."));
}

std::optional<LockKey> StatisticsPanel::selected() const
{
    const QModelIndex row = m_table->selectionModel()->selectedRows().value(0);
    return row.isValid() ? std::optional(m_model.at(row.row()).key) : std::nullopt;
}

StatisticsExport StatisticsPanel::exported(const QString &server) const
{
    const TimeRange of = m_shownTime.value_or(time());
    return {{server, m_filter->text().trimmed(), QDateTime::currentMSecsSinceEpoch(), {}},
            m_model.listed(),
            m_history.clock().wallAt(of.fromMs),
            m_history.clock().wallAt(of.toMs)};
}

void StatisticsPanel::showEvent(QShowEvent *event)
{
    QWidget::showEvent(event);
    restart();
}

void StatisticsPanel::hideEvent(QHideEvent *event)
{
    QWidget::hideEvent(event);
    m_working.stop();
    m_pace.stop();
    m_run.reset();
}

} // namespace lockscope
