// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/settings.h"
#include "tests/support/ownsettings.h"
#include "ui/shell/preferencesdialog.h"
#include "ui/widgets/palette.h"
#include "ui/widgets/theme.h"

#include <QApplication>
#include <QCheckBox>
#include <QComboBox>
#include <QProgressBar>
#include <QtTest>

using namespace lockscope;

class PreferencesTest : public QObject
{
    Q_OBJECT

private slots:
    void init() { Settings().clear(); }

    void eachChoiceIsKept()
    {
        QCOMPARE(chosenLocale(), QLocale::system());
        const QFont usual = QApplication::font();
        {
            PreferencesDialog dialog(nullptr);
            choose(dialog, "language", QStringLiteral("zh_CN"));
            choose(dialog, "theme", static_cast<int>(Theme::Dark));
            choose(dialog, "textSize", 150);
        }
        QCOMPARE(chosenLocale().language(), QLocale::Chinese);
        QCOMPARE(chosenTheme(), Theme::Dark);
        QCOMPARE(presentTheme(), Theme::Dark);                           // at once
        QCOMPARE(QApplication::font().pointSizeF(), usual.pointSizeF()); // not at once
        applyTextSize();
        QCOMPARE(QApplication::font().pointSizeF(), usual.pointSizeF() * 1.5);
        QApplication::setFont(usual);

        PreferencesDialog again(nullptr);
        QCOMPARE(again.findChild<QComboBox *>(QStringLiteral("language"))->currentData(),
                 QVariant(QStringLiteral("zh_CN")));
        QCOMPARE(again.findChild<QComboBox *>(QStringLiteral("theme"))->currentData(),
                 QVariant(static_cast<int>(Theme::Dark)));
        QCOMPARE(again.findChild<QComboBox *>(QStringLiteral("textSize"))->currentData(), QVariant(150));
        choose(again, "language", QString());
        QCOMPARE(chosenLocale(), QLocale::system());
        applyTheme(Theme::Light);
    }

    void highContrastIsKept()
    {
        PreferencesDialog dialog(nullptr);
        choose(dialog, "theme", static_cast<int>(Theme::HighContrast));
        QCOMPARE(chosenTheme(), Theme::HighContrast);
        QVERIFY(isHighContrast(QApplication::palette()));
        choose(dialog, "theme", static_cast<int>(Theme::Light));
        QVERIFY(!isHighContrast(QApplication::palette()));
    }

    /// Neither runs a busy bar nor blinks a cursor, from the click on.
    void motionIsReduced()
    {
        QProgressBar busy;
        busy.setRange(0, 0);
        busy.show();
        const auto moves = [&busy] {
            const QImage before = busy.grab().toImage();
            return QTest::qWaitFor([&] { return busy.grab().toImage() != before; }, 500);
        };
        PreferencesDialog dialog(nullptr);
        auto *choice = dialog.findChild<QCheckBox *>();
        QVERIFY(!choice->isChecked() && moves());
        QVERIFY(QApplication::cursorFlashTime() > 0);
        choice->click();
        QVERIFY(reducesMotion() && !moves());
        QCOMPARE(QApplication::cursorFlashTime(), 0);
        QVERIFY(PreferencesDialog(nullptr).findChild<QCheckBox *>()->isChecked());
        choice->click();
        QVERIFY(!reducesMotion() && moves());
        QVERIFY(QApplication::cursorFlashTime() > 0);
    }

    void aDamagedSettingDoesNoHarm()
    {
        Settings().setValue(QStringLiteral("window/textSize"), QStringLiteral("nonsense"));
        Settings().setValue(QStringLiteral("window/language"), QStringLiteral("nonsense"));
        const QFont usual = QApplication::font();
        applyTextSize();
        QCOMPARE(QApplication::font().pointSizeF(), usual.pointSizeF());
        chosenLocale();
        PreferencesDialog dialog(nullptr);
        QCOMPARE(dialog.findChild<QComboBox *>(QStringLiteral("textSize"))->currentData(), QVariant(100));
    }

private:
    static void choose(const QWidget &dialog, const char *name, const QVariant &value)
    {
        auto *box = dialog.findChild<QComboBox *>(QLatin1String(name));
        box->setCurrentIndex(box->findData(value));
        emit box->activated(box->currentIndex());
    }

    OwnSettings m_settings;
};

QTEST_MAIN(PreferencesTest)
#include "tst_preferences.moc"
