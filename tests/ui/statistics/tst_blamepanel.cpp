// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/statistics/blamepanel.h"

#include "tests/support/familyliteral.h"
#include "tests/ui/samplelocks.h"

#include <QComboBox>
#include <QPushButton>
#include <QSignalSpy>
#include <QTreeWidget>
#include <QtTest>

using namespace lockscope;
using namespace lockscope::sample;

namespace {

constexpr qint64 start = 1'760'000'000'000;

} // namespace

class BlamePanelTest : public QObject
{
    Q_OBJECT

private slots:
    void init()
    {
        QTest::failOnWarning(QRegularExpression(QStringLiteral("^(?!This plugin does not support )")));
        m_history = std::make_unique<LockHistory>();
        m_panel = std::make_unique<BlamePanel>(*m_history, [] { return start + 600'000; });
        m_panel->resize(1100, 300);
        m_tree = m_panel->findChild<QTreeWidget *>();
    }
    void cleanup() { m_panel.reset(); }

    void theMostWaitedForIsFirstWithItsEpisodes()
    {
        wait("order:1", 400'000, 401'000);
        wait("order:2", 500'000, 503'000);
        wait("order:2", 510'000, 511'000);
        m_panel->show();
        QTRY_COMPARE(m_tree->topLevelItemCount(), 2);
        const QTreeWidgetItem *worst = m_tree->topLevelItem(0);
        QCOMPARE(worst->text(0), QStringLiteral("order:2"));
        QCOMPARE(worst->text(1), QStringLiteral("~4.0 s"));
        QCOMPARE(worst->text(2), QStringLiteral("2"));
        QCOMPARE(worst->childCount(), 2);
        QCOMPARE(worst->child(0)->text(1), QStringLiteral("~3.0 s"));
        QCOMPARE(worst->child(0)->text(3), QStringLiteral("3.0 s"));
        QCOMPARE(worst->child(0)->text(4), QStringLiteral("1"));
        QCOMPARE(worst->child(0)->text(5), QString::fromLatin1(client + ":1"));
    }

    void byPairTheWaiterIsNamed()
    {
        wait("order:1", 400'000, 401'000);
        wait("order:2", 500'000, 503'000);
        m_panel->show();
        choose(BlameBy::Pair);
        QTRY_COMPARE(m_tree->topLevelItemCount(), 1);
        const QTreeWidgetItem *pair = m_tree->topLevelItem(0);
        QVERIFY2(pair->text(0).contains(QString::fromLatin1(client + ":2")), qPrintable(pair->text(0)));
        QCOMPARE(pair->childCount(), 2);
        QVERIFY2(pair->child(0)->text(0).endsWith(QLatin1String(" order:2")),
                 qPrintable(pair->child(0)->text(0)));
    }

    void anEpisodeOpensTheTimeline()
    {
        wait("order:2", 500'000, 503'000);
        wait("order:2", 510'000, 511'000);
        m_panel->show();
        QTRY_COMPARE(m_tree->topLevelItemCount(), 1);
        QSignalSpy chosen(m_panel.get(), &BlamePanel::chosen);
        QSignalSpy opened(m_panel.get(), &BlamePanel::episodeRequested);
        m_tree->topLevelItem(0)->setExpanded(true);
        m_tree->setCurrentItem(m_tree->topLevelItem(0)->child(1));
        QCOMPARE(chosen.size(), 1);
        button("Show in timeline")->click();
        QCOMPARE(opened.size(), 1);
        QCOMPARE(opened[0][0].value<LockKey>(), LockKey("order:2"));
        QCOMPARE(opened[0][1].value<TimeRange>(), (TimeRange{start + 510'000, start + 511'000}));

        // A new result keeps what is chosen and open.
        wait("order:3", 520'000, 521'500);
        m_panel->restart();
        QTRY_COMPARE(m_tree->topLevelItemCount(), 2);
        QVERIFY(m_tree->topLevelItem(0)->isExpanded());
        QCOMPARE(m_tree->currentItem(), m_tree->topLevelItem(0)->child(1));
        QCOMPARE(chosen.size(), 1);
    }

    void theTimeSelectedInTheTimelineIsShown()
    {
        wait("order:1", 400'000, 401'000);
        wait("order:2", 500'000, 503'000);
        m_panel->show();
        QTRY_COMPARE(m_tree->topLevelItemCount(), 2);
        m_panel->setSelectedTime(TimeRange{start + 399'000, start + 402'000});
        QTRY_COMPARE(m_tree->topLevelItemCount(), 1);
        QCOMPARE(m_tree->topLevelItem(0)->text(0), QStringLiteral("order:1"));
        const auto summary = m_panel->summaryFor(QStringLiteral("shop"));
        QVERIFY(summary);
        const QString text = plainText(*summary);
        QVERIFY2(text.startsWith(QLatin1String("Lock waits\nServer: shop\n")), qPrintable(text));
        QVERIFY2(text.contains(QLatin1String("waited ~1.0 s in 1 episode(s)\n")), qPrintable(text));
        QVERIFY2(text.contains(QLatin1String("~1.0 s: order:1\n")), qPrintable(text));
        QVERIFY2(text.contains(QLatin1String("~1.0 s order:1 ")), qPrintable(text));
    }

    void nothingToTell()
    {
        QVERIFY(!m_panel->summaryFor({}));
        m_panel->show();
        QTRY_VERIFY(m_panel->summaryFor({}));
        QCOMPARE(m_tree->topLevelItemCount(), 0);
        QVERIFY(!button("Show in timeline")->isEnabled());
    }

private:
    void tell(EventKind kind, const QByteArray &key, qint64 at, const QByteArray &owner)
    {
        LockEvent event;
        event.kind = kind;
        event.address.key = LockKey(key);
        event.family = "redisson-fair"_family;
        event.owners = {{OwnerId(owner), "1", 1}};
        event.ttl = milliseconds(30'000);
        event.wallMs = start + at;
        LockDiff diff;
        diff.events = {event};
        m_history->apply(diff, event.wallMs);
    }
    void show(const QByteArray &key, const QByteArray &owner, const QList<QByteArray> &queue, qint64 at)
    {
        m_history->apply(changes({queued(redisson(key, owner, "redisson-fair"_family), queue)}), start + at);
    }
    /// Another waits for all of that time, and is next.
    void wait(const QByteArray &key, qint64 from, qint64 to)
    {
        tell(EventKind::Acquired, key, from - 10, client + ":1");
        show(key, client + ":1", {}, from - 10);
        show(key, client + ":1", {client + ":2"}, from);
        tell(EventKind::OwnerChanged, key, to, client + ":2");
        show(key, client + ":2", {}, to);
        tell(EventKind::Released, key, to + 10, client + ":2");
    }
    void choose(BlameBy by)
    {
        for (auto *box : m_panel->findChildren<QComboBox *>()) {
            if (box->accessibleName() == QLatin1String("Blame by")) {
                box->setCurrentIndex(int(by));
                emit box->activated(int(by));
            }
        }
    }
    QPushButton *button(const char *text) const
    {
        for (QPushButton *candidate : m_panel->findChildren<QPushButton *>()) {
            if (candidate->text() == QLatin1String(text))
                return candidate;
        }
        return nullptr;
    }

    std::unique_ptr<LockHistory> m_history;
    std::unique_ptr<BlamePanel> m_panel;
    QTreeWidget *m_tree = nullptr;
};

QTEST_MAIN(BlamePanelTest)
#include "tst_blamepanel.moc"
