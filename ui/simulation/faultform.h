// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/simulation/model/plan.h"

#include <QList>
#include <QWidget>

class QCheckBox;
class QDoubleSpinBox;
class QFormLayout;
class QSpinBox;
class QToolButton;

namespace lockscope {

/// What goes wrong in a plan, folded away until it is wanted.
class FaultForm : public QWidget
{
    Q_OBJECT

public:
    explicit FaultForm(QWidget *parent = nullptr);

    /// Writes the faults that fit the plan's algorithm into it.
    void fill(Plan &plan) const;
    void show(const Plan &plan);
    /// Hides what can't happen with this algorithm.
    void offerFor(const Algorithm &algorithm, bool watchdog);

signals:
    void changed();

private:
    QDoubleSpinBox *addRate(const char *objectName, const QString &name, const QString &meaning);
    void addServerFault(ServerFault fault, const QString &name, const QString &meaning);
    void unfold(bool open);

    struct ServerBox
    {
        ServerFault fault;
        QCheckBox *box;
    };

    QToolButton *m_title;
    QWidget *m_body;
    QFormLayout *m_form;
    QDoubleSpinBox *m_crash;
    QDoubleSpinBox *m_pause;
    QSpinBox *m_pauseTime;
    QDoubleSpinBox *m_replyLoss;
    QDoubleSpinBox *m_splitCrash;
    QDoubleSpinBox *m_releasePause;
    QDoubleSpinBox *m_watchdogStop;
    QList<ServerBox> m_server;
};

} // namespace lockscope
