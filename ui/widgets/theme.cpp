// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/theme.h"

#include "core/base/settings.h"
#include "ui/widgets/palette.h"

#include <QApplication>
#include <QPainter>
#include <QProxyStyle>
#include <QStyleFactory>
#include <QStyleOption>

#include <algorithm>
#include <array>
#include <optional>

namespace lockscope {

namespace {

const QString themeSetting = QStringLiteral("window/theme");
const QString motionSetting = QStringLiteral("window/reduceMotion");
constexpr std::array<const char *, 4> themeNames{"system", "light", "dark", "contrast"};

std::optional<Theme> appliedTheme;
std::optional<bool> isMotionReduced;

void applyMotion()
{
    QApplication::setCursorFlashTime(reducesMotion() ? 0 : -1); // -1: as the system
}

constexpr QColor highContrastFocus(255, 215, 0);

/// Fusion with visible outlines, which are too faint in a dark window and absent in a black one.
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
        const bool isButton = element == PE_PanelButtonCommand ||
                              (element == PE_PanelButtonTool && !option->state.testFlag(State_AutoRaise));
        const bool isOutlined =
            isField || element == PE_IndicatorCheckBox ||
            (isHighContrast(option->palette) && (isButton || element == PE_FrameTabWidget));
        if (element == PE_IndicatorDockWidgetResizeHandle && isHighContrast(option->palette))
            drawLine(*painter, *option);
        const bool hasFocus = option->state.testFlag(State_HasFocus);
        if (isOutlined && !hasFocus)
            outline(*painter, option->rect, outlineColor(option->palette), 1);
        if (hasFocus && isHighContrast(option->palette) && (isOutlined || element == PE_PanelButtonTool))
            outline(*painter, option->rect, highContrastFocus, 2);
        else if (hasFocus && isButton && isDark(option->palette)) // Fusion's own is faint there
            outline(*painter, option->rect, textColor(StatusColor::Held, option->palette), 1.6);
    }

    void drawComplexControl(ComplexControl control, const QStyleOptionComplex *option, QPainter *painter,
                            const QWidget *widget) const override
    {
        QProxyStyle::drawComplexControl(control, option, painter, widget);
        if (control == CC_ScrollBar && isHighContrast(option->palette))
            outline(*painter, subControlRect(control, option, SC_ScrollBarSlider, widget),
                    outlineColor(option->palette), 1);
    }

    void drawControl(ControlElement element, const QStyleOption *option, QPainter *painter,
                     const QWidget *widget) const override
    {
        if (element == CE_HeaderSection) { // as the header of the lock table
            const QRect place = option->rect;
            painter->fillRect(place, option->palette.window());
            painter->setPen(borderColor(option->palette));
            painter->drawLine(place.bottomLeft(), place.bottomRight());
            if (place.left() > 0)
                painter->drawLine(place.left(), place.top() + 4, place.left(), place.bottom() - 4);
            return;
        }
        const auto *bar = qstyleoption_cast<const QStyleOptionProgressBar *>(option);
        if (!bar || bar->minimum != bar->maximum || !reducesMotion())
            return QProxyStyle::drawControl(element, option, painter, widget);
        QStyleOptionProgressBar still = *bar; // empty, instead of stripes that run
        still.maximum = still.minimum + 1;
        still.progress = still.minimum;
        QProxyStyle::drawControl(element, &still, painter, widget);
    }

private:
    /// Between panels.
    static void drawLine(QPainter &painter, const QStyleOption &option)
    {
        const QPoint center = option.rect.center();
        painter.fillRect(option.rect.width() < option.rect.height()
                             ? QRect(center.x(), option.rect.top(), 1, option.rect.height())
                             : QRect(option.rect.left(), center.y(), option.rect.width(), 1),
                         outlineColor(option.palette));
    }
    static void outline(QPainter &painter, const QRect &place, const QColor &color, double width)
    {
        painter.save();
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(QPen(color, width));
        painter.setBrush(Qt::NoBrush);
        painter.drawRoundedRect(QRectF(place).adjusted(width / 2, width / 2, -width / 2, -width / 2), 2, 2);
        painter.restore();
    }
};

Theme themeFromName(const QString &name, Theme otherwise)
{
    const auto found =
        std::ranges::find(themeNames, name, [](const char *each) { return QLatin1String(each); });
    return found == themeNames.end() ? otherwise : static_cast<Theme>(found - themeNames.begin());
}

} // namespace

Theme chosenTheme()
{
    const Theme saved = themeFromName(Settings().value(themeSetting).toString(), Theme::System);
    return themeFromName(qEnvironmentVariable("LOCKSCOPE_THEME"), saved);
}

void saveTheme(Theme theme)
{
    Settings().setValue(themeSetting, QLatin1String(themeNames.at(size_t(theme))));
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
    QApplication::setPalette(theme == Theme::HighContrast ? highContrastPalette()
                             : dark                       ? darkPalette()
                                                          : lightPalette());
    applyMotion();
}

bool reducesMotion()
{
    if (!isMotionReduced) {
        const bool isAnimated = QApplication::style()->styleHint(QStyle::SH_Widget_Animate) != 0;
        isMotionReduced = Settings().value(motionSetting, !isAnimated).toBool();
    }
    return *isMotionReduced;
}

void reduceMotion(bool isReduced)
{
    Settings().setValue(motionSetting, isReduced);
    isMotionReduced = isReduced;
    applyMotion();
}

} // namespace lockscope
