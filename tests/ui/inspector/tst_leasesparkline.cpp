// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/inspector/leasesparkline.h"

#include "ui/widgets/palette.h"

#include <QtTest>
#include <QtWidgets>

using namespace lockscope;
using namespace std::chrono_literals;
using Is = LeaseStretch::Is;

namespace {

const QList<LeaseStretch> renewedTwice{{Is::Unknown, 0, 100'000},
                                       {Is::Held, 100'000, 110'000, 30s},
                                       {Is::Held, 110'000, 125'000, 30s, true},
                                       {Is::Held, 125'000, 130'000, 30s, true}};

class PaintCount : public QObject
{
public:
    explicit PaintCount(QWidget &widget) { widget.installEventFilter(this); }

    bool eventFilter(QObject *, QEvent *event) override
    {
        count += event->type() == QEvent::Paint ? 1 : 0;
        return false;
    }

    int count = 0;
};

} // namespace

class LeaseSparklineTest : public QObject
{
    Q_OBJECT

private slots:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }

    void saysWhatItDraws()
    {
        QCOMPARE(leaseSentence({}, false), QString());
        QCOMPARE(leaseSentence(renewedTwice, false),
                 QStringLiteral("In 2 min 10 s: renewals seen: 2. At least 15 s was left. Unknown for 1 min "
                                "40 s."));
        // What follows on something unknown tells nothing of what was left.
        QCOMPARE(leaseSentence({{Is::Unknown, 0, 1000}, {Is::Held, 1000, 2000, 30s, true}}, false),
                 QStringLiteral("In 2.0 s: renewals seen: 1. Unknown for 1.0 s."));
        QVERIFY(leaseSentence(renewedTwice, true).contains(QStringLiteral("or new acquisitions")));

        LeaseSparkline sparkline;
        sparkline.showLease(renewedTwice, false, false);
        QVERIFY(!sparkline.isHidden());
        QVERIFY(!sparkline.accessibleName().isEmpty());
        QCOMPARE(sparkline.accessibleDescription(), leaseSentence(renewedTwice, false));
        sparkline.showLease({}, false, false);
        QVERIFY(sparkline.isHidden());
    }

    /// Unknown, held, without expiry and free do not look alike, in light and dark, and stale ones have no color.
    void eachLooksLikeItself()
    {
        for (const QPalette &theme : {lightPalette(), darkPalette()}) {
            const auto drawn = [&](const LeaseStretch &stretch, bool isStale = false) {
                LeaseSparkline sparkline;
                sparkline.setPalette(theme);
                sparkline.resize(200, 40);
                sparkline.showLease({stretch}, false, isStale);
                return sparkline.grab().toImage();
            };
            const QImage held = drawn({Is::Held, 0, 1000, 1s});
            const QList<QImage> pictures{held,
                                         drawn({Is::Unknown, 0, 1000}),
                                         drawn({Is::Free, 0, 1000}),
                                         drawn({Is::Endless, 0, 1000}),
                                         drawn({Is::Held, 0, 1000, 1s, true}),
                                         drawn({Is::Held, 0, 1000, 1s}, true)};
            for (qsizetype i = 0; i < pictures.size(); ++i) {
                for (qsizetype j = i + 1; j < pictures.size(); ++j)
                    QVERIFY(pictures[i] != pictures[j]);
            }
            const auto has = [](const QImage &image, const QColor &color) {
                for (int y = 0; y < image.height(); ++y) {
                    for (int x = 0; x < image.width(); ++x) {
                        if (image.pixelColor(x, y) == color)
                            return true;
                    }
                }
                return false;
            };
            // A line that falls is blurred at its edges; a mark is not.
            QVERIFY(has(drawn({Is::Held, 0, 1000, 1s, true}), textColor(StatusColor::Held, theme)));
            QVERIFY(!has(drawn({Is::Held, 0, 1000, 1s, true}, true), textColor(StatusColor::Held, theme)));
        }
    }

    /// Minutes pass by a pixel in a second: in between nothing is painted, and nothing that is seen stays old.
    void paintsWhereItLooksDifferent()
    {
        LeaseSparkline sparkline;
        sparkline.resize(300, 40);
        const auto since = [](qint64 ms) {
            return QList<LeaseStretch>{{Is::Unknown, ms, 100'000}, {Is::Held, 100'000, ms + 300'000, 3600s}};
        };
        PaintCount paints(sparkline);
        sparkline.showLease(since(0), false, false);
        sparkline.show();
        QTRY_VERIFY(paints.count > 0);
        QCoreApplication::processEvents();
        const int before = paints.count;
        sparkline.showLease(since(40), false, false);
        sparkline.showLease(since(80), false, false);
        QCoreApplication::processEvents();
        QCOMPARE(paints.count, before);
        sparkline.showLease(since(1'000), false, false);
        QTRY_COMPARE(paints.count, before + 1);
        sparkline.showLease(since(1'000), false, true);
        QTRY_COMPARE(paints.count, before + 2);
    }

    /// A lease that was over long before its end was seen.
    void aLeaseThatIsOverStaysAtNothing()
    {
        LeaseSparkline sparkline;
        sparkline.resize(200, 40);
        sparkline.showLease({{Is::Held, 0, 1'000'000, 1ms}, {Is::Held, 1'000'000, 1'000'001, 0ms}}, false,
                            false);
        QVERIFY(!sparkline.grab().isNull());
    }
};

QTEST_MAIN(LeaseSparklineTest)
#include "tst_leasesparkline.moc"
