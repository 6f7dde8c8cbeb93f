// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace lockscope {

/// Installs translations for the first available language of the user (LANGUAGE, LC_ALL, LC_MESSAGES, LANG),
/// otherwise English. Call again for each new QCoreApplication.
void installTranslations();

} // namespace lockscope
