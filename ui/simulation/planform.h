// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/simulation/fieldform.h"

namespace lockscope {

/// A plan of the user's own.
class PlanForm : public FieldForm
{
    Q_OBJECT

public:
    explicit PlanForm(QWidget *parent = nullptr);

    Plan plan() const;
};

} // namespace lockscope
