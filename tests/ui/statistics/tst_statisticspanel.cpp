// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/statistics/statisticspanel.h"

#include "tests/support/familyliteral.h"
#include "tests/support/toldinstead.h"
#include "tests/ui/samplelocks.h"

#include <QAbstractItemModelTester>
#include <QComboBox>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QTableView>
#include <QToolButton>
#include <QtTest>

using namespace lockscope;
using namespace lockscope::sample;

namespace {

constexpr qint64 start = 1'760'000'000'000;

} // namespace

class StatisticsPanelTest : public QObject
{
    Q_OBJECT

private slots:
    void init()
    {
        QTest::failOnWarning(QRegularExpression(QStringLiteral("^(?!This plugin does not support )")));
        m_history = std::make_unique<LockHistory>();
        m_now = start + 600'000;
        m_panel = std::make_unique<StatisticsPanel>(*m_history, [this] { return m_now; });
        m_panel->resize(1100, 300);
        m_table = m_panel->findChild<QTableView *>();
    }
    void cleanup() { m_panel.reset(); }

    void thoseThatCostTheMostComeFirst()
    {
        hold("early", 1'000, 1'500); // more than five minutes ago
        hold("order:1", 400'000, 400'250);
        hold("order:1", 410'000, 410'750);
        wait("order:2", 500'000, 503'000);
        wait("order:3", 500'000, 501'000);
        hold("plain", 550'000, 550'100, "redis-py"_family);
        m_panel->show();
        QTRY_COMPARE(m_table->model()->rowCount(), 4);
        QAbstractItemModelTester tester(m_table->model(),
                                        QAbstractItemModelTester::FailureReportingMode::QtTest);
        QCOMPARE(column(StatisticsModel::Column::Key),
                 (QStringList{QStringLiteral("order:2"), QStringLiteral("order:3"), QStringLiteral("order:1"),
                              QStringLiteral("plain")}));
        QCOMPARE(column(StatisticsModel::Column::Waited),
                 (QStringList{QStringLiteral("≥ 3.0 s"), QStringLiteral("≥ 1.0 s"), QString(),
                              QStringLiteral("–")}));
        QCOMPARE(column(StatisticsModel::Column::HoldMax).at(2), QStringLiteral("750 ms"));
        QCOMPARE(
            column(StatisticsModel::Column::Contended),
            (QStringList{QStringLiteral("≥ 50%"), QStringLiteral("≥ 50%"), QString(), QStringLiteral("–")}));
        // A quantile of the waits that were seen is no bound; the longest is.
        QCOMPARE(column(StatisticsModel::Column::WaitP50).first(), QStringLiteral("3.0 s"));
        QCOMPARE(column(StatisticsModel::Column::WaitMax).first(), QStringLiteral("≥ 3.0 s"));
        QVERIFY2(summary().contains(QStringLiteral("observed 5 min")), qPrintable(summary()));
        m_panel->findChild<QComboBox *>()->setCurrentIndex(4);
        emit m_panel->findChild<QComboBox *>()->activated(4);
        QTRY_COMPARE(m_table->model()->rowCount(), 5);
        m_panel->findChild<QLineEdit *>()->setText(QStringLiteral("ORDER"));
        QCOMPARE(m_table->model()->rowCount(), 3);
        QVERIFY(summary().contains(QStringLiteral("matching: 3")));
        m_table->sortByColumn(int(StatisticsModel::Column::HoldMax), Qt::DescendingOrder);
        QCOMPARE(column(StatisticsModel::Column::Key).first(), QStringLiteral("order:2"));
        m_table->sortByColumn(int(StatisticsModel::Column::Key), Qt::AscendingOrder);
        QCOMPARE(column(StatisticsModel::Column::Key).first(), QStringLiteral("order:1"));
    }

    /// What nothing was seen of takes no room, and is not left out of an export.
    void whatHasNoFiguresIsFolded()
    {
        hold("plain:1", 400'000, 400'250, "redis-py"_family);
        for (const char *key : {"plain:2", "plain:3"}) // by whom is not known, nor whether by one
            tell(EventKind::Found, key, 500'000, "1", "redis-py"_family);
        m_panel->show();
        QTRY_COMPARE(column(StatisticsModel::Column::Key), QStringList{QStringLiteral("plain:1")});
        const auto isHidden = [this](StatisticsModel::Column column) {
            return m_table->isColumnHidden(int(column));
        };
        QVERIFY(isHidden(StatisticsModel::Column::Waited) && isHidden(StatisticsModel::Column::WaitMax));
        QVERIFY(!isHidden(StatisticsModel::Column::PerSecond) && !isHidden(StatisticsModel::Column::HoldP50));
        QVERIFY2(summary().contains(QStringLiteral("no figures: Total wait, Contended, Wait p50")) &&
                     summary().contains(QStringLiteral("Waiters unknown: no trace")),
                 qPrintable(summary()));
        QCOMPARE(m_panel->exported({}).rows.size(), 3U);
        auto *fold = m_panel->findChild<QToolButton *>(QStringLiteral("fold"));
        QCOMPARE(fold->text(), QStringLiteral("Nothing measured yet: 2"));
        fold->click();
        QCOMPARE(m_table->model()->rowCount(), 3);
        fold->click();
        QCOMPARE(m_table->model()->rowCount(), 1);
        // A column comes with its first figure.
        wait("order:2", 500'000, 503'000);
        QTRY_VERIFY(!isHidden(StatisticsModel::Column::Waited));
    }

    /// A lower bound is never rounded up.
    void lowerBoundsAreNoLess()
    {
        for (int i = 0; i < 300; ++i)
            hold("order:1", 400'000 + 100 * i, 400'050 + 100 * i);
        wait("order:1", 450'000, 451'000);
        m_panel->show();
        QTRY_COMPARE(m_table->model()->rowCount(), 1);
        QCOMPARE(column(StatisticsModel::Column::Contended), QStringList{QStringLiteral("≥ 0.3%")});
    }

    void anEmptyListSaysWhy()
    {
        auto *filter = m_panel->findChild<QLineEdit *>();
        filter->setText(QStringLiteral("zzz")); // nothing has been reckoned, and nothing is claimed
        QCOMPARE(toldInstead(*m_panel), QString());
        m_panel->show();
        QTRY_COMPARE(toldInstead(*m_panel), QStringLiteral("Nothing measured in this time."));
        hold("order:1", 500'000, 500'250);
        QTRY_COMPARE(toldInstead(*m_panel), QStringLiteral("No key matches."));
        filter->clear();
        QCOMPARE(toldInstead(*m_panel), QString());
        QCOMPARE(m_table->model()->rowCount(), 1);
    }

    /// While another time is reckoned, what is said is of the rows that are shown.
    void aTimeIsToldWithItsRows()
    {
        hold("order:1", 500'000, 500'250);
        m_panel->show();
        QTRY_COMPARE(m_table->model()->rowCount(), 1);
        auto *spans = m_panel->findChild<QComboBox *>();
        spans->setCurrentIndex(3);
        emit spans->activated(3);
        m_panel->findChild<QLineEdit *>()->setText(QStringLiteral("order"));
        QVERIFY2(summary().contains(QStringLiteral("observed 5 min")) ||
                     summary().contains(QStringLiteral("of 5 min")),
                 qPrintable(summary()));
        QCOMPARE(m_panel->exported(QStringLiteral("server")).fromMs, start + 300'000);
        QTRY_VERIFY2(summary().contains(QStringLiteral("of 1 h")), qPrintable(summary()));
    }

    void choosesAndFollows()
    {
        wait("order:2", 500'000, 503'000);
        hold("order:1", 500'000, 500'250);
        m_panel->show();
        QTRY_COMPARE(m_table->model()->rowCount(), 2);
        QSignalSpy chosen(m_panel.get(), &StatisticsPanel::chosen);
        QSignalSpy timeline(m_panel.get(), &StatisticsPanel::timelineRequested);
        QVERIFY(!button(QStringLiteral("Show in timeline"))->isEnabled());
        m_table->selectRow(1);
        QCOMPARE(chosen.size(), 1);
        QCOMPARE(chosen[0][0].value<LockKey>(), LockKey("order:1"));
        button(QStringLiteral("Show in timeline"))->click();
        QCOMPARE(timeline.size(), 1);
        // It goes to another place: nobody has chosen anew.
        wait("order:1", 510'000, 590'000);
        QTRY_COMPARE(column(StatisticsModel::Column::Key).first(), QStringLiteral("order:1"));
        QCOMPARE(m_table->selectionModel()->selectedRows().first().row(), 0);
        QCOMPARE(chosen.size(), 1);
    }

    void aSelectedTimeIsTakenOver()
    {
        hold("order:1", 400'000, 400'250);
        hold("order:2", 500'000, 500'250);
        auto *spans = m_panel->findChild<QComboBox *>();
        m_panel->show();
        QTRY_COMPARE(m_table->model()->rowCount(), 2);
        m_panel->setSelectedTime(TimeRange{start + 499'000, start + 501'000});
        QTRY_COMPARE(column(StatisticsModel::Column::Key), QStringList{QStringLiteral("order:2")});
        QCOMPARE(spans->currentText(), QStringLiteral("Selected in the timeline"));
        m_panel->setSelectedTime(TimeRange{start + 399'000, start + 401'000});
        QTRY_COMPARE(column(StatisticsModel::Column::Key), QStringList{QStringLiteral("order:1")});
        m_panel->setSelectedTime(std::nullopt);
        QTRY_COMPARE(m_table->model()->rowCount(), 2);
        QCOMPARE(spans->currentText(), QStringLiteral("Last 5 minutes"));
    }

    void whatWasNotSeenIsTold()
    {
        hold("order:1", 400'000, 400'250);
        m_history->confirm(start + 420'000);
        m_history->add({MonitorEventKind::Disconnected, {}, start + 430'000, {}});
        m_panel->show();
        QTRY_VERIFY2(summary().contains(QStringLiteral("observed 20 s of 5 min")), qPrintable(summary()));
        QVERIFY(m_table->model()
                    ->index(0, 1)
                    .data(Qt::ToolTipRole)
                    .toString()
                    .contains(QStringLiteral("Observed for 20 s")));
    }

    void exports()
    {
        wait("order:2", 500'000, 503'000);
        hold("=plain", 550'000, 550'100, "redis-py"_family);
        m_panel->show();
        QTRY_COMPARE(m_table->model()->rowCount(), 2);
        StatisticsExport data = m_panel->exported(QStringLiteral("shop"));
        QByteArray json, csv;
        writeExport(data, ExportFormat::Json, [&](const QByteArray &piece) { return json += piece, true; });
        writeExport(data, ExportFormat::Csv, [&](const QByteArray &piece) { return csv += piece, true; });
        const QJsonObject document = QJsonDocument::fromJson(json).object();
        QCOMPARE(document[QStringLiteral("to")].toInteger() - document[QStringLiteral("from")].toInteger(),
                 300'000);
        const QJsonArray locks = document[QStringLiteral("locks")].toArray();
        QCOMPARE(locks.size(), 2);
        QCOMPARE(locks[0][QStringLiteral("key")].toString(), QStringLiteral("order:2"));
        QCOMPARE(locks[0][QStringLiteral("waited_at_least_ms")].toInteger(), 3000);
        QVERIFY(locks[1][QStringLiteral("waited_at_least_ms")].isNull());
        QCOMPARE(locks[1][QStringLiteral("hold_p50_ms")].toInteger(), 100);
        const QByteArrayList lines = csv.split('\n');
        QVERIFY(lines[0].contains("key,family,observed_ms"));
        QVERIFY2(lines[2].startsWith("'=plain,redis-py,"), lines[2].constData());
        QVERIFY2(lines[2].contains(",1,true,,0,1,0,100,100,100,0,,"), lines[2].constData());
        data.shownMs = 1'760'000'000'000;
        csv.clear();
        writeExport(data, ExportFormat::Csv, [&](const QByteArray &piece) { return csv += piece, true; });
        QVERIFY2(csv.split('\n')[2].endsWith(",shop,1760000000000\r"), csv.constData());
    }

    void nothingIsDoneWhileItIsHidden()
    {
        hold("order:1", 500'000, 500'250);
        QCOMPARE(m_table->model()->rowCount(), 0);
        m_panel->show();
        QTRY_COMPARE(m_table->model()->rowCount(), 1);
    }

private:
    void tell(EventKind kind, const QByteArray &key, qint64 at, const QByteArray &owner, Family family)
    {
        LockEvent event;
        event.kind = kind;
        event.address.key = LockKey(key);
        event.family = family;
        event.owners = {{OwnerId(owner), "1", 1}};
        event.ttl = milliseconds(30'000);
        event.wallMs = start + at;
        LockDiff diff;
        diff.events = {event};
        m_history->apply(diff, event.wallMs);
    }
    void hold(const QByteArray &key, qint64 from, qint64 to, Family family = "redisson-fair"_family)
    {
        tell(EventKind::Acquired, key, from, client + ":1", family);
        if (family == "redisson-fair"_family) // nobody waits
            m_history->apply(changes({queued(redisson(key, client + ":1", family), {})}), start + from);
        tell(EventKind::Released, key, to, client + ":1", family);
    }
    /// Another waits for all of that time, and is next.
    void wait(const QByteArray &key, qint64 from, qint64 to)
    {
        tell(EventKind::Acquired, key, from - 10, client + ":1", "redisson-fair"_family);
        m_history->apply(
            changes({queued(redisson(key, client + ":1", "redisson-fair"_family), {client + ":2"})}),
            start + from);
        tell(EventKind::OwnerChanged, key, to, client + ":2", "redisson-fair"_family);
        m_history->apply(changes({queued(redisson(key, client + ":2", "redisson-fair"_family), {})}),
                         start + to);
        tell(EventKind::Released, key, to + 10, client + ":2", "redisson-fair"_family);
    }
    QStringList column(StatisticsModel::Column column) const
    {
        QStringList texts;
        for (int row = 0; row < m_table->model()->rowCount(); ++row)
            texts << m_table->model()->index(row, int(column)).data().toString();
        return texts;
    }
    QString summary() const
    {
        QString all;
        for (const QLabel *label : m_panel->findChildren<QLabel *>())
            all += label->text();
        return all;
    }
    QPushButton *button(const QString &text) const
    {
        for (QPushButton *candidate : m_panel->findChildren<QPushButton *>()) {
            if (candidate->text() == text)
                return candidate;
        }
        return nullptr;
    }

    std::unique_ptr<LockHistory> m_history;
    qint64 m_now = 0;
    std::unique_ptr<StatisticsPanel> m_panel;
    QTableView *m_table = nullptr;
};

QTEST_MAIN(StatisticsPanelTest)
#include "tst_statisticspanel.moc"
