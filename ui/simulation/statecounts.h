// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/simulation/workermodel.h"

#include <QWidget>

namespace lockscope {

/// The number of workers in each state, with glyph and word; also a legend for the workers' glyphs.
class StateCounts : public QWidget
{
    Q_OBJECT

public:
    /// `model` must outlive this.
    explicit StateCounts(const WorkerModel &model, QWidget *parent = nullptr);

    void refresh();
    QString text() const { return m_text; } ///< "1 holding, 12 waiting"

    bool hasHeightForWidth() const override { return true; }
    int heightForWidth(int width) const override;
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    struct Part
    {
        WorkerState state;
        QString text;
        QRect place;
    };
    QList<Part> placed(int width) const;

    const WorkerModel &m_model;
    QList<std::pair<WorkerState, int>> m_counts;
    QString m_text;
};

} // namespace lockscope
