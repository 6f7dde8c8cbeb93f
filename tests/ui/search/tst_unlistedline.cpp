// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/search/unlistedline.h"

#include <QtTest>
#include <QtWidgets>

using namespace lockscope;

class TestOutsideLine : public QObject
{
    Q_OBJECT

private slots:
    void init()
    {
        QTest::failOnWarning(
            QRegularExpression(QStringLiteral("^(?!This plugin does not support propagateSizeHints)")));
    }

    void offersPatterns()
    {
        UnlistedLine line;
        QVERIFY(line.isHidden());
        line.setOutside({12'345, {{"*_lock", 12'000}, {"a&b:\x1b*", 300}, {"lock", 1}, {"x-lock:*", 1}}});
        QVERIFY(!line.isHidden());
        QVERIFY2(line.text().contains(QStringLiteral("12,345")), qPrintable(line.text()));
        QList<QToolButton *> offers;
        for (QToolButton *button : line.findChildren<QToolButton *>()) {
            if (button->objectName().isEmpty())
                offers.append(button);
        }
        QCOMPARE(offers.size(), 3);
        QCOMPARE(offers[1]->text(), QStringLiteral("Add a&&b:\\x1b*"));
        QSignalSpy added(&line, &UnlistedLine::addRequested);
        offers[0]->click();
        QCOMPARE(added.first().first().toByteArray(), "*_lock");
        line.setOutside({});
        QVERIFY(line.isHidden());
    }

    void dismissed()
    {
        UnlistedLine line;
        line.setOutside({1, {{"lock", 1}}});
        line.findChild<QToolButton *>(QStringLiteral("dismiss"))->click();
        QVERIFY(line.isHidden());
        line.setOutside({2, {{"lock", 2}}});
        QVERIFY(line.isHidden());
    }
};

QTEST_MAIN(TestOutsideLine)
#include "tst_unlistedline.moc"
