// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/csv.h"

#include <QtTest>

using namespace lockscope;

class CsvTest : public QObject
{
    Q_OBJECT

private slots:
    void cells_data()
    {
        QTest::addColumn<QString>("cell");
        QTest::addColumn<QByteArray>("text");
        const auto row = [](const char *cell, const char *text) {
            QTest::newRow(cell) << QString::fromUtf8(cell) << QByteArray(text);
        };
        row("", "");
        row("lock:order:1", "lock:order:1");
        row("a,b", "\"a,b\"");
        row("say \"x\"", "\"say \"\"x\"\"\"");
        row("two\nlines", "\"two\nlines\"");
        row(" a", "\" a\"");
        row("café 锁", "café 锁");
        // Formulas.
        row("=1+1", "'=1+1");
        row("=HYPERLINK(\"http://x\",\"y\")", "\"'=HYPERLINK(\"\"http://x\"\",\"\"y\"\")\"");
        row("+cmd|' /C calc'!A0", "'+cmd|' /C calc'!A0");
        row("-2+3", "'-2+3");
        row("@SUM(A1)", "'@SUM(A1)");
        row("\t=1", "\"'\t=1\"");
        row("\r=1", "\"'\r=1\"");
        row("＝1+1", "'＝1+1");
        row("a=1", "a=1");
        // Numbers are none.
        row("-1", "-1");
        row("-1.5", "-1.5");
        row("-1e5", "'-1e5");
        row("-inf", "'-inf");
        row("12", "12");
    }
    void cells()
    {
        QFETCH(QString, cell);
        QFETCH(QByteArray, text);
        QCOMPARE(csv::record({cell, QStringLiteral("x")}), text + ",x\r\n");
    }
};

QTEST_GUILESS_MAIN(CsvTest)
#include "tst_csv.moc"
