// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/incidentsummary.h"

#include <QMimeData>
#include <QtTest>

using namespace lockscope;

class IncidentSummaryTest : public QObject
{
    Q_OBJECT

private slots:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }

    void itReadsAsText()
    {
        QCOMPARE(plainText(sample()), QStringLiteral("Lock lock:order\n"
                                                     "Server: orders\n"
                                                     "Written at: 2026-11-24T03:12:00Z\n"
                                                     "State: Stalled\n"
                                                     "Renewal overdue.\n"
                                                     "\n"
                                                     "Owner: web-1; f47ac10b\n"
                                                     "\n"
                                                     "Events seen, newest first:\n"
                                                     "  03:11:58 Renewed web-1\n"));
    }

    void itReadsAsMarkdown()
    {
        QCOMPARE(markdown(sample()), QStringLiteral("### Lock `lock:order`\n"
                                                    "\n"
                                                    "- Server: `orders`\n"
                                                    "- Written at: 2026-11-24T03:12:00Z\n"
                                                    "- State: `Stalled`\n"
                                                    "- `Renewal overdue.`\n"
                                                    "- Owner: `web-1; f47ac10b`\n"
                                                    "\n"
                                                    "Events seen, newest first:\n"
                                                    "\n"
                                                    "- `03:11:58 Renewed web-1`\n"));
    }

    /// A key may be anything, also what would be a link, an image or a heading.
    void whatAServerWroteMeansNothing()
    {
        IncidentSummary summary = sample();
        summary.key = QStringLiteral("a`![x](http://evil)``\n# b");
        const QString first = markdown(summary).section(u'\n', 0, 0);
        QVERIFY2(first.startsWith(QStringLiteral("### Lock ``` a`![x](http://evil)``")), qPrintable(first));
        summary.key = QStringLiteral("a");
        summary.facts = {{QStringLiteral("Owner"), QStringLiteral("x\n# heading\n<b>")}};
        QVERIFY(markdown(summary).contains(QStringLiteral("- Owner: `x; # heading; <b>`\n")));
    }

    void theClipboardHasBoth()
    {
        const std::unique_ptr<QMimeData> data(mimeDataOf(sample()));
        QCOMPARE(data->text(), plainText(sample()));
        QCOMPARE(data->data(QStringLiteral("text/markdown")), markdown(sample()).toUtf8());
    }

private:
    static IncidentSummary sample()
    {
        IncidentSummary summary;
        summary.key = QStringLiteral("lock:order");
        summary.server = QStringLiteral("orders");
        summary.writtenAt = QDateTime(QDate(2026, 11, 24), QTime(3, 12), Qt::UTC);
        summary.state = QStringLiteral("Stalled");
        summary.statements = {QStringLiteral("Renewal overdue.")};
        summary.facts = {{QStringLiteral("Owner"), QStringLiteral("web-1\nf47ac10b")}};
        summary.events = {QStringLiteral("03:11:58 Renewed web-1")};
        summary.eventsTitle = QStringLiteral("Events seen, newest first:");
        return summary;
    }
};

QTEST_MAIN(IncidentSummaryTest)
#include "tst_incidentsummary.moc"
