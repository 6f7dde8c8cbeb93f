// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/simulation/metrics.h"

#include <QHash>
#include <QWidget>

class QLabel;

namespace lockscope {

class MetricsBar : public QWidget
{
    Q_OBJECT

public:
    explicit MetricsBar(QWidget *parent = nullptr);

    /// `perSecond`: rate of the last second, shown instead of the average.
    void show(const Report &soFar, std::optional<double> perSecond);
    void clear();
    QString text(Metric::Kind kind) const;

private:
    void recolor();
    void showValue(Metric::Kind kind, const QString &text);

    QHash<Metric::Kind, QLabel *> m_values;
    QList<QLabel *> m_names;
    bool m_isBad = false;
};

} // namespace lockscope
