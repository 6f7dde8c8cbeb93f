// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/theme.h"

#include "core/base/settings.h"
#include "ui/widgets/palette.h"

#include <QApplication>
#include <QStyle>
#include <QStyleFactory>

#include <optional>

namespace lockscope {

namespace {

const QString themeSetting = QStringLiteral("window/theme");

std::optional<Theme> appliedTheme;

Theme themeFromName(const QString &name, Theme otherwise)
{
    if (name == QLatin1String("light"))
        return Theme::Light;
    if (name == QLatin1String("dark"))
        return Theme::Dark;
    return otherwise;
}

} // namespace

Theme chosenTheme()
{
    const Theme saved = themeFromName(Settings().value(themeSetting).toString(), Theme::System);
    return themeFromName(qEnvironmentVariable("LOCKSCOPE_THEME"), saved);
}

void saveTheme(Theme theme)
{
    const QString name = theme == Theme::Light  ? QStringLiteral("light")
                         : theme == Theme::Dark ? QStringLiteral("dark")
                                                : QStringLiteral("system");
    Settings().setValue(themeSetting, name);
}

Theme presentTheme()
{
    return appliedTheme.value_or(chosenTheme());
}

void applyTheme(Theme theme)
{
    appliedTheme = theme;
    static const bool systemIsDark = isDark(QApplication::palette());
    if (QApplication::style()->name() != QLatin1String("fusion"))
        QApplication::setStyle(QStyleFactory::create(QStringLiteral("Fusion")));
    const bool dark = theme == Theme::Dark || (theme == Theme::System && systemIsDark);
    QApplication::setPalette(dark ? darkPalette() : lightPalette());
}

} // namespace lockscope
