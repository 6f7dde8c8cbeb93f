// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QCoreApplication>

namespace lockscope {

/// Translation context of texts outside classes, and of names that several rooms show. Phrases have it, too, so
/// that each text is translated once.
struct Texts
{
    Q_DECLARE_TR_FUNCTIONS(phrases)
};

} // namespace lockscope
