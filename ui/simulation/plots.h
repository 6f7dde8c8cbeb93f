// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/simulation/model/histogram.h"

#include <QWidget>

class QCustomPlot;
class QLabel;

namespace lockscope {

class Plot : public QWidget
{
    Q_OBJECT

public:
    explicit Plot(const QString &title, QWidget *parent = nullptr);

    const QString &note() const { return m_full; }
    QSize minimumSizeHint() const override;

protected:
    void changeEvent(QEvent *event) override;
    virtual void recolor();
    void showEvent(QShowEvent *event) override;
    void redraw();
    void resizeEvent(QResizeEvent *event) override;
    /// Sets the text next to the title; `brief` replaces it if there is too little space.
    void setNote(const QString &note, const QString &brief);

    QCustomPlot *m_plot;

private:
    void fitNote();

    QLabel *m_title;
    QLabel *m_note;
    QString m_full;
    QString m_brief;
};

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

/// Distribution of waiting times of acquisitions.
class WaitPlot : public Plot
{
    Q_OBJECT

public:
    explicit WaitPlot(QWidget *parent = nullptr);

    void show(const Histogram &waits);

protected:
    void recolor() override;
    void resizeEvent(QResizeEvent *event) override;

private:
    void thinOutLabels();
};

/// A histogram bin, a quarter of a doubling wide, with its percentage of all durations.
struct WaitBin
{
    double low;  ///< µs
    double high; ///< µs, exclusive
    double percent;
};

/// Returns contiguous bins from the first to the last nonempty one.
QList<WaitBin> binned(const Histogram &histogram);

} // namespace lockscope
