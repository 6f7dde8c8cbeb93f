// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QCoreApplication>

namespace lockscope {

/// What the programs tell people apart from the window: Words::tr() is in their language. Names that scripts read or
/// write (options, verbs, outcomes, JSON) never pass here.
struct Words
{
    Q_DECLARE_TR_FUNCTIONS(lockscope::app)
};

} // namespace lockscope
