// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/simulation/plots.h"

#include "core/words/durations.h"
#include "ui/simulation/runtext.h"
#include "ui/widgets/boxes.h"
#include "ui/widgets/fonts.h"
#include "ui/widgets/measure.h"
#include "ui/widgets/palette.h"
#include "ui/widgets/propertygrid.h"

#include <QEvent>
#include <QLabel>
#include <QLocale>

#include <cmath>

// Its header needs a word that this program leaves to others.
#define foreach(variable, container) for (variable : container)
#include <qcustomplot.h>
#undef foreach

namespace lockscope {

namespace {

constexpr double binsInDoubling = 4;
constexpr int maxPoints = 6000;

/// Ticks at powers of ten of microseconds, written as durations.
class DurationTicker : public QCPAxisTickerLog
{
public:
    int every = 1; ///< every n-th tick has a label, for lack of space

protected:
    QString getTickLabel(double tick, const QLocale &, QChar, int) override
    {
        const microseconds duration(std::llround(tick));
        if (std::lround(std::log10(tick)) % every != 0)
            return {};
        return wholeTime(duration);
    }
};

/// Ticks at whole steps: 2.5 would be written as 3.
class WholeTicker : public QCPAxisTicker
{
protected:
    double getTickStep(const QCPRange &range) override
    {
        return std::max(1.0, std::ceil(QCPAxisTicker::getTickStep(range)));
    }
};

class SecondsTicker : public QCPAxisTicker
{
protected:
    QString getTickLabel(double tick, const QLocale &locale, QChar, int) override
    {
        return secondsText(tick, tick == std::floor(tick) ? 0 : 1, locale);
    }
};

void recolorAxis(QCPAxis &axis, const QPalette &palette)
{
    const QPen line(borderColor(palette), 1);
    axis.setBasePen(line);
    axis.setTickPen(line);
    axis.setSubTickPen(Qt::NoPen);
    axis.grid()->setPen(line);
    axis.grid()->setZeroLinePen(line);
    axis.setTickLabelColor(textColor(StatusColor::Muted, palette));
    axis.setLabelColor(textColor(StatusColor::Muted, palette));
}

void recolorCurve(QCPGraph &graph, const QPalette &palette)
{
    const QColor color = textColor(StatusColor::Held, palette);
    QColor faint = color;
    faint.setAlphaF(0.18F);
    graph.setPen(QPen(color, 1.6));
    graph.setBrush(faint);
}

} // namespace

Plot::Plot(const QString &title, QWidget *parent)
    : QWidget(parent),
      m_plot(new QCustomPlot(this)),
      m_title(new QLabel(title, this)),
      m_note(new QLabel(this))
{
    m_title->setTextFormat(Qt::PlainText);
    m_note->setTextFormat(Qt::PlainText);
    m_title->setFont(strong(font()));
    // The title stays whole; a note that has no room is read in its tool tip.
    m_note->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
    m_note->setAlignment(Qt::AlignRight);
    auto *heading = lineOf({m_title, {m_note, 1}}, 8, {});
    setLayout(columnOf({heading, {m_plot, 1}}, 2, {}));
    m_plot->setAccessibleName(title);
    m_plot->setFocusPolicy(Qt::NoFocus);
    m_plot->setMinimumSize(1, 1);
    m_plot->axisRect()->setMinimumMargins(QMargins(6, 6, 10, 4));
    for (QCPAxis *axis : {m_plot->xAxis, m_plot->yAxis}) {
        axis->setTickLength(0);
        axis->setSubTicks(false);
    }
    m_plot->xAxis->grid()->setVisible(false);
    m_plot->yAxis->setTicker(QSharedPointer<WholeTicker>::create());
    m_plot->yAxis->ticker()->setTickCount(3);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
}

QSize Plot::minimumSizeHint() const
{
    return {latinWidth(fontMetrics(), 24), fontMetrics().height() * 6};
}

void Plot::setNote(const QString &note, const QString &brief)
{
    if (note == m_full)
        return;
    m_full = note;
    m_brief = brief;
    m_note->setToolTip(note);
    m_plot->setAccessibleDescription(note);
    fitNote();
}

void Plot::fitNote()
{
    const bool fits = m_note->fontMetrics().horizontalAdvance(m_full) <= m_note->width();
    m_note->setText(fits ? m_full : m_brief);
}

void Plot::resizeEvent(QResizeEvent *event)
{
    QWidget::resizeEvent(event);
    // The layout has not run yet, but the title keeps its width.
    m_note->resize(width() - m_title->sizeHint().width() - 8, m_note->height());
    fitNote();
}

void Plot::changeEvent(QEvent *event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange)
        recolor();
}

void Plot::showEvent(QShowEvent *event)
{
    QWidget::showEvent(event);
    m_plot->replot(QCustomPlot::rpQueuedReplot);
}

void Plot::redraw()
{
    if (isVisible())
        m_plot->replot(QCustomPlot::rpQueuedReplot);
}

void Plot::recolor()
{
    m_plot->setBackground(palette().color(QPalette::Base));
    for (QCPAxis *axis : {m_plot->xAxis, m_plot->yAxis})
        recolorAxis(*axis, palette());
    applyTextColor(m_note, StatusColor::Muted);
    redraw();
}

ThroughputPlot::ThroughputPlot(QWidget *parent) : Plot(tr("Acquisitions per second"), parent)
{
    m_plot->addGraph();
    m_plot->xAxis->setTicker(QSharedPointer<SecondsTicker>::create());
    m_plot->xAxis->ticker()->setTickCount(5);
    m_plot->yAxis->setNumberFormat(QStringLiteral("f"));
    m_plot->yAxis->setNumberPrecision(0);
    clear();
    recolor();
}

void ThroughputPlot::add(microseconds elapsed, double perSecond)
{
    const auto curve = m_plot->graph(0)->data();
    curve->add(QCPGraphData(static_cast<double>(elapsed.count()) / 1e6, perSecond));
    if (curve->size() > maxPoints)
        curve->removeBefore(curve->at(curve->size() - maxPoints)->key);
    bool found = false;
    const QCPRange rates = curve->valueRange(found);
    m_plot->xAxis->setRange(curve->constBegin()->key, std::max((curve->constEnd() - 1)->key, 5.0));
    m_plot->yAxis->setRange(0, std::max(rates.upper * 1.15, 4.0));
    redraw();
}

void ThroughputPlot::clear()
{
    m_plot->graph(0)->data()->clear();
    m_plot->xAxis->setRange(0, 5);
    m_plot->yAxis->setRange(0, 4);
    redraw();
}

int ThroughputPlot::points() const
{
    return m_plot->graph(0)->data()->size();
}

void ThroughputPlot::recolor()
{
    recolorCurve(*m_plot->graph(0), palette());
    Plot::recolor();
}

WaitPlot::WaitPlot(QWidget *parent) : Plot(tr("Waiting times"), parent)
{
    m_plot->xAxis->setScaleType(QCPAxis::stLogarithmic);
    m_plot->xAxis->setTicker(QSharedPointer<DurationTicker>::create());
    m_plot->yAxis->setNumberFormat(QStringLiteral("f"));
    m_plot->yAxis->setNumberPrecision(0);
    m_plot->yAxis->setLabel(tr("%"));
    m_plot->yAxis->setLabelPadding(0);
    m_plot->addGraph()->setLineStyle(QCPGraph::lsStepLeft);
    show({});
    recolor();
}

void WaitPlot::show(const Histogram &waits)
{
    double low = 100, high = 1e5, top = 10;
    QVector<double> times, shares;
    const QList<WaitBin> bins = binned(waits);
    for (const WaitBin &bin : bins) {
        times << bin.low;
        shares << bin.percent;
        top = std::max(top, bin.percent);
    }
    if (!bins.isEmpty()) {
        times << bins.last().high;
        shares << 0;
        low = std::min(low, bins.first().low);
        high = std::max(high, bins.last().high);
    }
    m_plot->graph(0)->setData(times, shares, true);
    // Whole powers of ten: only they have labels.
    m_plot->xAxis->setRange(std::pow(10, std::floor(std::log10(low))),
                            std::pow(10, std::ceil(std::log10(high))));
    m_plot->yAxis->setRange(0, top * 1.15);
    thinOutLabels();
    const auto at = [&](double share) { return shortTime(*waits.percentile(share), QLocale()); };
    if (waits.count() > 0)
        setNote(tr("p50 %1 · p95 %2 · p99 %3").arg(at(0.5), at(0.95), at(0.99)), tr("p99 %1").arg(at(0.99)));
    else
        setNote({}, {});
    redraw();
}

void WaitPlot::resizeEvent(QResizeEvent *event)
{
    Plot::resizeEvent(event);
    thinOutLabels();
}

void WaitPlot::thinOutLabels()
{
    const QCPRange range = m_plot->xAxis->range();
    const double decades = std::log10(range.upper / range.lower);
    const int label = fontMetrics().horizontalAdvance(wholeTime(std::chrono::milliseconds(100)));
    qSharedPointerCast<DurationTicker>(m_plot->xAxis->ticker())->every =
        decades * label > width() * 0.7 ? 2 : 1;
}

void WaitPlot::recolor()
{
    recolorCurve(*m_plot->graph(0), palette());
    Plot::recolor();
}

QList<WaitBin> binned(const Histogram &histogram)
{
    const auto binOf = [](microseconds value) {
        return static_cast<int>(
            std::floor(std::log2(std::max(1.0, static_cast<double>(value.count()))) * binsInDoubling));
    };
    const QList<Histogram::Bucket> buckets = histogram.buckets();
    QList<WaitBin> bins;
    if (buckets.isEmpty())
        return bins;
    const int first = binOf(buckets.front().low);
    for (int bin = first; bin <= binOf(buckets.back().low); ++bin)
        bins.append({std::exp2(bin / binsInDoubling), std::exp2((bin + 1) / binsInDoubling), 0});
    for (const Histogram::Bucket &bucket : buckets)
        bins[binOf(bucket.low) - first].percent +=
            100 * static_cast<double>(bucket.count) / static_cast<double>(histogram.count());
    return bins;
}

} // namespace lockscope
