// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/recording/replayreader.h"

#include <QAbstractSlider>

namespace lockscope {

/// A slider over a recording: density of events, hatched where data is incomplete, and the position. Click or
/// drag to seek; keys move by a second or a minute.
class ScrubSlider : public QAbstractSlider
{
    Q_OBJECT

public:
    explicit ScrubSlider(QWidget *parent = nullptr);

    void setOutline(const ReplayOutline &outline);
    /// Shows a position without a signal.
    void showMoment(milliseconds moment);
    milliseconds moment() const { return momentOf(value()); }

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

signals:
    void sought(lockscope::milliseconds moment);

protected:
    void paintEvent(QPaintEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;
    void mouseMoveEvent(QMouseEvent *event) override;
    void mouseReleaseEvent(QMouseEvent *event) override;
    bool event(QEvent *event) override;

private:
    milliseconds momentOf(int value) const { return milliseconds(qint64(value) * m_unitMs); }
    milliseconds momentAt(double x) const;
    double xOf(milliseconds moment) const;
    QRectF groove() const;
    void seekTo(double x);
    QString textOf(milliseconds moment) const;

    ReplayOutline m_outline;
    qint64 m_unitMs = 1; ///< ms per step: a recording may exceed an int of ms
    bool m_isTold = false;
};

} // namespace lockscope
