// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/keptlayouts.h"

#include "tests/support/ownsettings.h"

#include <QSettings>
#include <QtTest>

using namespace lockscope;

class KeptLayoutsTest : public QObject
{
    Q_OBJECT

private slots:
    void init()
    {
        QTest::failOnWarning(QRegularExpression(QStringLiteral(".*")));
        QSettings().clear();
    }

    void savedReplacedAndRemoved()
    {
        QVERIFY(keptlayouts::all().isEmpty());
        QVERIFY(keptlayouts::save({QStringLiteral("wide"), QByteArray("\0one", 4)}));
        QVERIFY(keptlayouts::save({QStringLiteral("  night\nshift "), "two"}));
        QCOMPARE(keptlayouts::all().size(), 2);
        QCOMPARE(keptlayouts::all().at(0).name, QStringLiteral("night shift"));
        QCOMPARE(keptlayouts::all().at(1).layout, QByteArray("\0one", 4));
        QVERIFY(keptlayouts::save({QStringLiteral("wide"), "three"}));
        QCOMPARE(keptlayouts::all().size(), 2);
        QCOMPARE(keptlayouts::all().at(1).layout, "three");
        keptlayouts::remove(QStringLiteral("night shift"));
        QCOMPARE(keptlayouts::all().size(), 1);
        keptlayouts::remove(QStringLiteral("wide"));
        QVERIFY(keptlayouts::all().isEmpty());
    }

    void onlySoMany()
    {
        QVERIFY(!keptlayouts::save({QStringLiteral("  "), "x"}));
        for (int i = 0; i < keptlayouts::most; ++i)
            QVERIFY(keptlayouts::save({QString::number(i), "x"}));
        QVERIFY(!keptlayouts::save({QStringLiteral("one more"), "x"}));
        QVERIFY(keptlayouts::save({QStringLiteral("7"), "y"}));
        QCOMPARE(keptlayouts::all().size(), keptlayouts::most);
    }

private:
    OwnSettings m_files;
};

QTEST_MAIN(KeptLayoutsTest)
#include "tst_keptlayouts.moc"
