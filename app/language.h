// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLocale>

namespace lockscope {

/// Installs translations for the first available language of the locale, by default the user's (LANGUAGE, LC_ALL,
/// LC_MESSAGES, LANG), otherwise English. Call again for each new QCoreApplication.
void installTranslations(const QLocale &locale = QLocale::system());

} // namespace lockscope
