// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/simulation/planform.h"

namespace lockscope {

PlanForm::PlanForm(QWidget *parent)
    : FieldForm({PlanField::Part::Algorithm, PlanField::Part::Setup, PlanField::Part::Faults}, parent)
{
    Plan first;
    first.duration = std::chrono::seconds(10);
    setPlan(first);
}

Plan PlanForm::plan() const
{
    Plan plan = FieldForm::plan();
    plan.name = nameOf(plan.algorithm.strategy);
    return plan;
}

} // namespace lockscope
