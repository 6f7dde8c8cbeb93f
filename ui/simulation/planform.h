// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/simulation/model/planfields.h"

#include <QWidget>

#include <functional>
#include <vector>

class QFormLayout;

namespace lockscope {

/// A form for parts of a plan, side by side, built from its fields. Offers only valid combinations; fields that do not
/// apply are hidden and keep their defaults.
class FieldForm : public QWidget
{
    Q_OBJECT

public:
    explicit FieldForm(const QList<PlanField::Part> &parts, QWidget *parent = nullptr);

    Plan plan() const;
    void setPlan(const Plan &plan);
    void offerOnly(const char *name); ///< shows one field only; nullptr: all

signals:
    void changed();

private:
    struct Builder;
    struct Field
    {
        const PlanField *row = nullptr;
        QFormLayout *form = nullptr;
        QList<QWidget *> widgets;
        std::function<void(Plan &)> fill;
        std::function<void(const Plan &)> show;
        std::function<void(const Plan &)> offer; ///< updates its choices; empty: nothing to choose
    };

    QFormLayout *addPart(PlanField::Part part);
    void offerFitting();
    void takeChange();

    std::vector<Field> m_fields;
    QByteArray m_only;
    bool m_isSetting = true; ///< true while values are set by code
};

} // namespace lockscope
