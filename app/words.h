// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QCoreApplication>

namespace lockscope {

/// Translation context of program texts outside the window. Names in scripts (options, verbs, outcomes, JSON)
/// are never translated.
struct Words
{
    Q_DECLARE_TR_FUNCTIONS(lockscope::app)
};

} // namespace lockscope
