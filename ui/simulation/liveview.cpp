// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/simulation/liveview.h"

#include "core/words/durations.h"
#include "ui/simulation/metricsbar.h"
#include "ui/simulation/plots.h"
#include "ui/simulation/runtext.h"
#include "ui/simulation/workersview.h"
#include "ui/widgets/boxes.h"
#include "ui/widgets/elidedlabel.h"
#include "ui/widgets/emptystate.h"
#include "ui/widgets/fonts.h"

#include <QLabel>
#include <QLocale>
#include <QSplitter>
#include <QStackedWidget>

namespace lockscope {

LiveView::LiveView(QWidget *parent) : QWidget(parent), m_stack(new QStackedWidget(this))
{
    setAutoFillBackground(true);
    setBackgroundRole(QPalette::Base);
    auto *nothing = new EmptyState(this);
    nothing->setMessage(Glyph::Flask, tr("Nothing has run yet"),
                        tr("Choose a scenario on the left and press Start. The results appear here."), {});
    m_stack->addWidget(nothing);
    m_stack->addWidget(buildContents());
    setLayout(columnOf({m_stack}, 0, {}));
}

QWidget *LiveView::buildContents()
{
    auto *contents = new QWidget(this);
    m_title = new ElidedLabel(contents);
    m_progress = new QLabel(contents);
    m_figures = new MetricsBar(contents);
    m_workers = new WorkersView(contents);
    m_title->setFont(strong(font()));
    m_progress->setTextFormat(Qt::PlainText);
    auto *heading = lineOf({{m_title, 1}, m_progress});

    auto *plots = new QWidget(contents);
    m_throughput = new ThroughputPlot(plots);
    m_waits = new WaitPlot(plots);
    plots->setLayout(lineOf({{m_throughput, 1}, {m_waits, 1}}, 14, {0, 4, 0, 0}));

    auto *splitter = new QSplitter(Qt::Vertical, contents);
    splitter->setChildrenCollapsible(false);
    splitter->setHandleWidth(5);
    splitter->addWidget(m_workers);
    splitter->addWidget(plots);
    splitter->setStretchFactor(0, 1);
    splitter->setStretchFactor(1, 1);
    splitter->setSizes({500, 400});
    contents->setLayout(columnOf({heading, m_figures, {splitter, 1}}, 6, {12, 8, 12, 8}));
    return contents;
}

void LiveView::begin(const QString &title, const Plan &plan)
{
    m_plan = plan;
    m_title->setFullText(title);
    m_progress->setText(tr("starting…"));
    m_figures->clear();
    m_workers->clear();
    m_workers->setActive(true);
    m_throughput->clear();
    m_waits->show({});
    m_waitsShown = -1;
    m_rate.clear();
    m_elapsed = microseconds(0);
    m_stack->setCurrentIndex(1);
}

void LiveView::show(const SimulationSnapshot &snapshot, const QList<QByteArray> &keys)
{
    // An act that proved nothing is run again: its time begins anew.
    if (snapshot.elapsed < m_elapsed)
        begin(m_title->text(), m_plan);
    m_elapsed = snapshot.elapsed;
    const Report soFar = reportSoFar(snapshot);
    const std::optional<double> rate = m_rate.take(snapshot.elapsed, snapshot.total.acquired);
    const QString elapsed = shortTime(snapshot.elapsed, QLocale());
    if (m_plan.rounds)
        m_progress->setText(tr("round %1 of %2, %3").arg(snapshot.round).arg(*m_plan.rounds).arg(elapsed));
    else if (m_plan.script.isEmpty())
        m_progress->setText(
            tr("%1 of %2", "elapsed, in all").arg(elapsed, shortTime(m_plan.duration, QLocale())));
    else
        m_progress->setText(elapsed);
    m_figures->show(soFar, rate);
    m_workers->show(snapshot, keys);
    if (rate)
        m_throughput->add(snapshot.elapsed, *rate);
    if (m_waitsShown != soFar.total.wait.count()) {
        m_waitsShown = soFar.total.wait.count();
        m_waits->show(soFar.total.wait);
    }
}

void LiveView::end(const QString &how)
{
    m_progress->setText(how);
    m_workers->setActive(false);
}

QString LiveView::progress() const
{
    return m_progress->text();
}

} // namespace lockscope
