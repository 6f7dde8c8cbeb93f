// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/simulation/model/histogram.h"

#include <QWidget>

class QCustomPlot;
class QLabel;

namespace lockscope {

/// A titled plot in the colors of the present theme.
class Plot : public QWidget
{
    Q_OBJECT

public:
    explicit Plot(const QString &title, QWidget *parent = nullptr);

    const QString &note() const { return m_full; }
    QSize minimumSizeHint() const override;

protected:
    void changeEvent(QEvent *event) override;
    /// Gives the curves their colors; called when the theme changes.
    virtual void recolor();
    void showEvent(QShowEvent *event) override;
    void redraw();
    void resizeEvent(QResizeEvent *event) override;
    /// Beside the title; `brief` is shown where there is no room for all of it.
    void setNote(const QString &note, const QString &brief);

    QCustomPlot *m_plot;

private:
    void fitNote();

    QLabel *m_title;
    QLabel *m_note;
    QString m_full;
    QString m_brief;
};

/// Acquisitions per second over the time of a run.
class ThroughputPlot : public Plot
{
    Q_OBJECT

public:
    explicit ThroughputPlot(QWidget *parent = nullptr);

    void add(microseconds elapsed, double perSecond);
    void clear();
    int points() const;

protected:
    void recolor() override;
};

/// How long workers waited for locks that they got: one run, or two laid over each other.
class WaitPlot : public Plot
{
    Q_OBJECT

public:
    struct Curve
    {
        QString name;
        Histogram waits;
    };

    explicit WaitPlot(QWidget *parent = nullptr);

    void show(const QList<Curve> &curves); ///< two at most
    int curves() const { return m_curves; }

protected:
    void recolor() override;
    void resizeEvent(QResizeEvent *event) override;

private:
    void thinOutLabels();

    int m_curves = 0;
};

/// A quarter of a doubling of time, and how many per cent of all durations fell into it.
struct WaitBin
{
    double low;  ///< µs
    double high; ///< µs, not included
    double percent;
};

/// Without gaps from the first that is not empty to the last.
QList<WaitBin> binned(const Histogram &histogram);

} // namespace lockscope
