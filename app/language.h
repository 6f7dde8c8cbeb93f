// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace lockscope {

/// Gives the present QCoreApplication the first language of the user's (LANGUAGE, LC_ALL, LC_MESSAGES, LANG) that we
/// have, else English. For that application only: one that follows it needs a call of its own.
void installTranslations();

} // namespace lockscope
