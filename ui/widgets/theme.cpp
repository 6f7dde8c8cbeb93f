// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/theme.h"

#include "core/base/settings.h"
#include "ui/widgets/palette.h"

#include <QApplication>
#include <QPainter>
#include <QProxyStyle>
#include <QStyleFactory>
#include <QStyleOption>

#include <optional>

namespace lockscope {

namespace {

const QString themeSetting = QStringLiteral("window/theme");

std::optional<Theme> appliedTheme;

/// Fusion with visible outlines, which are too faint in a dark window.
class OutlinedStyle : public QProxyStyle
{
public:
    OutlinedStyle() : QProxyStyle(QStyleFactory::create(QStringLiteral("Fusion"))) {}

    void drawPrimitive(PrimitiveElement element, const QStyleOption *option, QPainter *painter,
                       const QWidget *widget) const override
    {
        QProxyStyle::drawPrimitive(element, option, painter, widget);
        const auto *panel = qstyleoption_cast<const QStyleOptionFrame *>(option);
        const bool isField = element == PE_PanelLineEdit && panel && panel->lineWidth > 0;
        if (!(isField || element == PE_IndicatorCheckBox) || option->state.testFlag(State_HasFocus))
            return;
        painter->save();
        painter->setRenderHint(QPainter::Antialiasing);
        painter->setPen(outlineColor(option->palette));
        painter->setBrush(Qt::NoBrush);
        painter->drawRoundedRect(QRectF(option->rect).adjusted(0.5, 0.5, -0.5, -0.5), 2, 2);
        painter->restore();
    }
};

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
    if (!dynamic_cast<OutlinedStyle *>(QApplication::style()))
        QApplication::setStyle(new OutlinedStyle); // NOLINT(cppcoreguidelines-owning-memory): its own
    const bool dark = theme == Theme::Dark || (theme == Theme::System && systemIsDark);
    QApplication::setPalette(dark ? darkPalette() : lightPalette());
}

} // namespace lockscope
