// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/simulation/model/planfields.h"

#include <QWidget>

#include <functional>
#include <vector>

class QFormLayout;

namespace lockscope {

/// Some parts of a plan to fill in, made of the rows of its fields. Offers only what fits together; a field that does
/// not apply is hidden and has its default.
class FieldForm : public QWidget
{
    Q_OBJECT

public:
    explicit FieldForm(const QList<PlanField::Part> &parts, QWidget *parent = nullptr);

    Plan plan() const;
    void setPlan(const Plan &plan);
    void offerOnly(const char *name); ///< one of the fields: the others are decided elsewhere; null: all

signals:
    void changed();

private:
    struct Builder;
    /// A field as its widgets have it.
    struct Field
    {
        const PlanField *row = nullptr;
        QFormLayout *form = nullptr;
        QList<QWidget *> widgets;
        std::function<void(Plan &)> fill;
        std::function<void(const Plan &)> show;
        std::function<void(const Plan &)> offer; ///< what fits the others; empty: nothing to choose
    };

    void addPart(PlanField::Part part);
    void offerFitting();
    void takeChange();

    std::vector<Field> m_fields;
    QByteArray m_only;
    bool m_isSetting = true; ///< what changes is not the user's doing
};

} // namespace lockscope
