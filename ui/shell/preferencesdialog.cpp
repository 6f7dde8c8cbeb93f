// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/preferencesdialog.h"

#include "core/base/settings.h"
#include "ui/widgets/boxes.h"
#include "ui/widgets/dialogs.h"
#include "ui/widgets/propertygrid.h"
#include "ui/widgets/theme.h"

#include <QApplication>
#include <QCheckBox>
#include <QComboBox>
#include <QFormLayout>
#include <QLabel>

#include <algorithm>

namespace lockscope {

namespace {

const QString languageSetting = QStringLiteral("window/language");
const QString textSizeSetting = QStringLiteral("window/textSize");
constexpr int usualPercent = 100;

/// Returns the chosen percentage of the system's text size.
int chosenTextSize()
{
    const int percent = Settings().value(textSizeSetting).toInt();
    return percent >= 50 && percent <= 300 ? percent : usualPercent;
}

template <typename Take>
void addChoice(QFormLayout &form, const QString &name, const char *objectName,
               const QList<std::pair<QString, QVariant>> &choices, const QVariant &chosen, Take take)
{
    auto *box = new QComboBox(form.parentWidget());
    box->setObjectName(QLatin1String(objectName));
    for (const auto &[text, value] : choices)
        box->addItem(text, value);
    box->setCurrentIndex(std::max(box->findData(chosen), 0));
    form.addRow(name, box);
    QObject::connect(box, &QComboBox::activated, box, [box, take] { take(box->currentData()); });
}

} // namespace

QLocale chosenLocale()
{
    const QString language = Settings().value(languageSetting).toString();
    return language.isEmpty() ? QLocale::system() : QLocale(language);
}

void applyTextSize()
{
    QFont font = QApplication::font();
    font.setPointSizeF(font.pointSizeF() * chosenTextSize() / usualPercent);
    QApplication::setFont(font);
}

PreferencesDialog::PreferencesDialog(QWidget *parent) : QDialog(parent)
{
    setWindowTitle(tr("Preferences"));
    auto *choices = new QWidget(this);
    auto *form = new QFormLayout(choices);
    form->setContentsMargins({});
    // Languages have their own names: whoever can't read the others finds it.
    addChoice(*form, tr("&Language"), "language",
              {{tr("As the system"), QString()},
               {QStringLiteral("English"), QStringLiteral("en")},
               {QStringLiteral("中文（简体）"), QStringLiteral("zh_CN")}},
              Settings().value(languageSetting, QString()),
              [](const QVariant &value) { Settings().setValue(languageSetting, value); });
    const auto themeValue = [](Theme theme) { return QVariant(static_cast<int>(theme)); };
    addChoice(*form, tr("&Theme"), "theme",
              {{tr("As the system"), themeValue(Theme::System)},
               {tr("Light"), themeValue(Theme::Light)},
               {tr("Dark"), themeValue(Theme::Dark)},
               {tr("High contrast"), themeValue(Theme::HighContrast)}},
              themeValue(presentTheme()), [](const QVariant &value) {
                  saveTheme(static_cast<Theme>(value.toInt()));
                  applyTheme(static_cast<Theme>(value.toInt()));
              });
    QList<std::pair<QString, QVariant>> sizes;
    for (const int percent : {85, usualPercent, 115, 130, 150, 175})
        sizes.append({tr("%1%", "percent").arg(percent), percent});
    addChoice(*form, tr("Text &size"), "textSize", sizes, chosenTextSize(),
              [](const QVariant &value) { Settings().setValue(textSizeSetting, value); });
    auto *motion = new QCheckBox(tr("Reduce &motion"), choices);
    motion->setToolTip(tr("Stop blinking and gliding; the timeline moves once a second"));
    motion->setChecked(reducesMotion());
    connect(motion, &QCheckBox::toggled, this, &reduceMotion);
    form->addRow(QString(), motion);
    QLabel *note = plainLabel(this, tr("Language and text size apply at the next start."));
    applyTextColor(note, StatusColor::Muted);
    setLayout(
        columnOf({choices, note, Stretch{}, buttonsOf(this, QDialogButtonBox::Close)}, 12, dialogMargins));
}

} // namespace lockscope
