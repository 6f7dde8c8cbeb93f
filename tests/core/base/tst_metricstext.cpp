// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/metricstext.h"

#include <QtTest>

using namespace lockscope;
using Format = MetricsText::Format;
using Type = MetricsText::Type;

namespace {

QByteArray page(Format format)
{
    MetricsText text(format);
    text.begin("a_build", Type::Info, {}, "Version.");
    text.add(1, {{"version", "1\"\\\n"}});
    text.begin("a_unknown", Type::Gauge, {}, "Not known.");
    text.begin("a_wait_seconds", Type::Counter, "seconds", "Time\nwaited.");
    text.addSeconds(0.25);
    text.begin("a_feed", Type::StateSet, {}, "Mode.");
    text.addState("on", true);
    text.addState("off", false);
    text.begin("a_locks", Type::Gauge, {}, "Locks.");
    text.add(3, {{"family", "token"}, {"state", "held"}});
    return text.finish();
}

} // namespace

class TestMetricsText : public QObject
{
    Q_OBJECT

private slots:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }

    void openMetrics()
    {
        QCOMPARE(page(Format::OpenMetrics), "# TYPE a_build info\n# HELP a_build Version.\n"
                                            "a_build_info{version=\"1\\\"\\\\\\n\"} 1\n"
                                            "# TYPE a_wait_seconds counter\n# UNIT a_wait_seconds seconds\n"
                                            "# HELP a_wait_seconds Time\\nwaited.\n"
                                            "a_wait_seconds_total 0.250000\n"
                                            "# TYPE a_feed stateset\n# HELP a_feed Mode.\n"
                                            "a_feed{a_feed=\"on\"} 1\na_feed{a_feed=\"off\"} 0\n"
                                            "# TYPE a_locks gauge\n# HELP a_locks Locks.\n"
                                            "a_locks{family=\"token\",state=\"held\"} 3\n"
                                            "# EOF\n");
    }

    /// Which has neither info nor units, and names a counter as its sample is named.
    void theFormatBeforeIt()
    {
        const QByteArray text = page(Format::Plain);
        QVERIFY(text.contains("# TYPE a_build_info gauge\n"));
        QVERIFY(text.contains("# TYPE a_wait_seconds_total counter\n# HELP a_wait_seconds_total "));
        QVERIFY(text.contains("# TYPE a_feed gauge\n"));
        QVERIFY(!text.contains("# UNIT") && !text.contains("# EOF") && !text.contains("a_unknown"));
    }

    /// Buckets are cumulative; their bounds are the same series in both formats.
    void histograms()
    {
        for (const Format format : {Format::OpenMetrics, Format::Plain}) {
            MetricsText text(format);
            text.begin("a_hold_seconds", MetricsText::Type::Histogram, "seconds", "Holds.");
            text.addHistogram(std::array{5, 2500, 10'000}, std::array<qint64, 4>{1, 0, 2, 1}, 12.5,
                              {{"family", "a\"b"}});
            const QByteArray page = text.finish();
            QVERIFY(page.startsWith("# TYPE a_hold_seconds histogram\n"));
            QVERIFY2(page.contains("a_hold_seconds_bucket{family=\"a\\\"b\",le=\"0.005\"} 1\n"
                                   "a_hold_seconds_bucket{family=\"a\\\"b\",le=\"2.5\"} 1\n"
                                   "a_hold_seconds_bucket{family=\"a\\\"b\",le=\"10.0\"} 3\n"
                                   "a_hold_seconds_bucket{family=\"a\\\"b\",le=\"+Inf\"} 4\n"
                                   "a_hold_seconds_count{family=\"a\\\"b\"} 4\n"
                                   "a_hold_seconds_sum{family=\"a\\\"b\"} 12.500\n"),
                     page);
        }
    }

    void theClientChooses_data()
    {
        QTest::addColumn<QByteArray>("accept");
        QTest::addColumn<bool>("isOpen");
        QTest::newRow("nothing") << QByteArray() << false;
        QTest::newRow("anything") << QByteArray("*/*") << false;
        QTest::newRow("text") << QByteArray("text/plain;version=0.0.4") << false;
        QTest::newRow("Prometheus")
            << QByteArray("application/openmetrics-text;version=1.0.0;q=0.5,text/plain;version=0.0.4;q=0.3,"
                          "*/*;q=0.2")
            << true;
        QTest::newRow("capitals") << QByteArray("Application/OpenMetrics-Text") << true;
        QTest::newRow("behind text") << QByteArray("text/plain;q=0.3, application/openmetrics-text; q=0.9")
                                     << true;
        QTest::newRow("less than text")
            << QByteArray("application/openmetrics-text;q=0.1, text/plain;q=0.9") << false;
        QTest::newRow("refused") << QByteArray("application/openmetrics-text; q=0.0") << false;
        QTest::newRow("another") << QByteArray("application/openmetrics-textual") << false;
    }
    void theClientChooses()
    {
        QFETCH(const QByteArray, accept);
        QFETCH(const bool, isOpen);
        const Format format = MetricsText::formatFor(accept);
        QCOMPARE(format == Format::OpenMetrics, isOpen);
        QCOMPARE(MetricsText::contentType(format).startsWith("application/openmetrics-text; version=1.0.0"),
                 isOpen);
    }
};

QTEST_GUILESS_MAIN(TestMetricsText)
#include "tst_metricstext.moc"
