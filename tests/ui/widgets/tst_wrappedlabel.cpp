// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/wrappedlabel.h"

#include <QImage>
#include <QPainter>
#include <QtTest>

using namespace lockscope;

class WrappedLabelTest : public QObject
{
    Q_OBJECT

private slots:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }

    /// As high as the characters need, and with ink in each line.
    void aLongWordGoesOn()
    {
        WrappedLabel label;
        label.setText(QString(200, u'M'));
        const int line = label.fontMetrics().lineSpacing();
        const int width = label.fontMetrics().horizontalAdvance(QString(50, u'M')) + 4;
        QVERIFY(label.heightForWidth(width) >= 4 * line);
        label.resize(width, label.heightForWidth(width));
        const QImage picture = label.grab().toImage();
        for (int at = 0; at < 4; ++at)
            QVERIFY2(hasInk(picture, QRect(0, at * line, width, line)), qPrintable(QString::number(at)));
        QCOMPARE(label.text(), QString(200, u'M'));
    }

    /// Nor does what comes after the first picture.
    void alsoAfterAChange()
    {
        WrappedLabel label;
        label.setText(QStringLiteral("short"));
        const int line = label.fontMetrics().lineSpacing();
        const int width = label.fontMetrics().horizontalAdvance(QString(50, u'M')) + 4;
        label.resize(width, 6 * line);
        label.setAlignment(Qt::AlignLeft | Qt::AlignTop);
        label.show();
        QVERIFY(QTest::qWaitForWindowExposed(&label));
        QVERIFY(!hasInk(label.grab().toImage(), QRect(0, 2 * line, width, line)));
        label.setText(QString(200, u'M'));
        QVERIFY(hasInk(label.grab().toImage(), QRect(0, 3 * line, width, line)));
        label.resize(width / 2, 12 * line);
        QVERIFY(hasInk(label.grab().toImage(), QRect(0, 7 * line, width / 2, line)));
        label.setText(QStringLiteral("short"));
        QVERIFY(!hasInk(label.grab().toImage(), QRect(0, 2 * line, width / 2, line)));
    }

    /// What breaks its words asks for no picture after the next.
    void isPaintedOnce()
    {
        WrappedLabel label;
        label.setText(QString(200, u'M'));
        label.resize(label.fontMetrics().horizontalAdvance(QString(50, u'M')), 200);
        Paintings paintings;
        label.installEventFilter(&paintings);
        label.show();
        QVERIFY(QTest::qWaitForWindowExposed(&label));
        for (int i = 0; i < 5; ++i)
            QCoreApplication::processEvents();
        const int first = paintings.count;
        QVERIFY(first > 0);
        for (int i = 0; i < 20; ++i)
            QCoreApplication::processEvents();
        QCOMPARE(paintings.count, first);
        label.setText(QString(210, u'M'));
        QTRY_VERIFY(paintings.count > first);
    }

    /// Words that have room are not broken.
    void wordsStayWhole()
    {
        WrappedLabel label;
        QLabel plain;
        plain.setWordWrap(true);
        for (const QString &text :
             {QStringLiteral("The lock is gone; only its wait queue is left."),
              QStringLiteral("3b2c1a09-8f7e-4d6c-9b5a-493827160504:1 waits for lock:a")}) {
            label.setText(text);
            plain.setText(text);
            const int width = label.fontMetrics().horizontalAdvance(u'M') * 40;
            QVERIFY(qAbs(label.heightForWidth(width) - plain.heightForWidth(width)) <= 2);
        }
    }

private:
    struct Paintings : QObject
    {
        int count = 0;
        bool eventFilter(QObject *, QEvent *event) override
        {
            count += event->type() == QEvent::Paint;
            return false;
        }
    };
    static bool hasInk(const QImage &picture, const QRect &place)
    {
        const QRgb ground = picture.pixel(picture.width() - 1, picture.height() - 1);
        const QRect inside = place & picture.rect();
        for (int y = inside.top(); y <= inside.bottom(); ++y) {
            for (int x = inside.left(); x <= inside.right(); ++x) {
                if (picture.pixel(x, y) != ground)
                    return true;
            }
        }
        return false;
    }
};

QTEST_MAIN(WrappedLabelTest)
#include "tst_wrappedlabel.moc"
