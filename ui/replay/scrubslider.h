// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/recording/replayreader.h"

#include <QAbstractSlider>

namespace lockscope {

/// A recording from its begin to its end: how much happened when, times of which not all is known hatched, and the moment that
/// is shown. A click or a drag goes there; keys as of any slider, a second or a minute at once.
class ScrubSlider : public QAbstractSlider
{
    Q_OBJECT

public:
    explicit ScrubSlider(QWidget *parent = nullptr);

    void setOutline(const ReplayOutline &outline);
    /// Where it stands: not a wish of the user's.
    void showMoment(milliseconds moment);
    milliseconds moment() const { return momentOf(value()); }

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

signals:
    void sought(lockscope::milliseconds moment); ///< by the user

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
    qint64 m_unitMs = 1; ///< of a step of value(): a recording may be longer than an int of ms
    bool m_isTold = false;
};

} // namespace lockscope
