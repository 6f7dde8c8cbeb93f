// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/simulation/model/plan.h"

#include <QWidget>

class QComboBox;
class QFormLayout;
class QSpinBox;

namespace lockscope {

/// A way of locking: the strategy and what goes with it. Offers only what fits together.
class AlgorithmForm : public QWidget
{
    Q_OBJECT

public:
    explicit AlgorithmForm(QWidget *parent = nullptr);

    Algorithm algorithm() const;
    void setAlgorithm(const Algorithm &algorithm);
    void offerReleaseOnly(bool only); ///< the strategy and its way to wait are decided elsewhere

signals:
    void changed();

private:
    void offerFitting();
    void showMeanings();

    QComboBox *m_strategy;
    QComboBox *m_release;
    QComboBox *m_wake;
    QSpinBox *m_poll;
    QFormLayout *m_form;
    bool m_releaseOnly = false;
};

} // namespace lockscope
