// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/inspector/overview.h"

#include "tests/ui/samplelocks.h"

#include <QLabel>
#include <QSignalSpy>
#include <QtTest>

using namespace lockscope;
using namespace lockscope::sample;

class OverviewTest : public QObject
{
    Q_OBJECT

private slots:
    void init()
    {
        QTest::failOnWarning(
            QRegularExpression(QStringLiteral("^(?!This plugin does not support propagateSizeHints)")));
        m_clock = std::make_unique<DisplayClock>();
        m_clock->stopAt(now);
        m_model = std::make_unique<LockTableModel>(*m_clock);
        m_facts = {};
        m_facts.server = {QStringLiteral("Redis 7.0.15")};
        m_facts.patterns = {"lock:*"};
        m_facts.outside = UnlistedNames();
        m_facts.isWhole = m_facts.canWatch = true;
        m_overview =
            std::make_unique<Overview>(*m_model, *m_clock, OwnerNames::none(), [this] { return m_facts; });
        m_overview->resize(320, 700);
        m_overview->show();
    }
    void cleanup()
    {
        m_overview.reset();
        m_model.reset();
    }

    void nothingIsSaidAsFarAsItIsKnown()
    {
        QVERIFY(texts().contains(QStringLiteral("No lock has a problem")));
        QVERIFY(texts().contains(QStringLiteral("No other key looks like a lock")));
        m_facts.isWhole = false;
        again();
        QVERIFY(!texts().contains(QStringLiteral("No lock has a problem")));
    }

    void theWorstComesFirst()
    {
        m_model->apply(changes({reentrant("lock:fine"), stalled("lock:slow"), endless(token("lock:weekly")),
                                withProblem(reentrant("lock:bad"), Problem::BadCount)}));
        again();
        const QStringList shown = texts();
        QCOMPARE(shown.first(), QStringLiteral("Invalid hold count: lock:bad, held 5.0 s by web-1:7"));
        QCOMPARE(shown.at(1), QStringLiteral("No expiry: lock:weekly, held 5.0 s by f47ac10b-58cc"));
        QVERIFY(shown.at(2).startsWith(QStringLiteral("Stalled: lock:slow, held 5.0 s by 3b2c")));
        QSignalSpy chosen(m_overview.get(), &Overview::lockChosen);
        lines().at(1)->click();
        QCOMPARE(chosen.size(), 1);
        QCOMPARE(chosen.first().first().value<LockKey>(), LockKey("lock:weekly"));
    }

    /// Screen readers say each new name of what has the focus: not each second how long a lock is held.
    void aLineWithTheFocusIsRenamedForAnotherLock()
    {
        m_model->apply(changes({endless(token("lock:weekly"))}));
        again();
        OverviewLine *line = m_overview->findChild<OverviewLine *>();
        m_overview->activateWindow();
        line->setFocus();
        QTRY_VERIFY(line->hasFocus());
        const QString before = line->accessibleName();
        m_clock->stopAt(now + std::chrono::seconds(7));
        QTRY_VERIFY(line->toolTip().contains(QStringLiteral("12 s")));
        QCOMPARE(line->accessibleName(), before);
        m_model->apply(changes({endless(token("lock:nightly"))}, {"lock:weekly"}));
        QTRY_VERIFY(line->accessibleName().contains(QStringLiteral("lock:nightly")));
    }

    void moreThanFitsIsAFilter()
    {
        QList<WatchedLock> locks;
        for (int i = 0; i < 9; ++i)
            locks << endless(token("lock:" + QByteArray::number(i)));
        m_model->apply(changes(locks));
        again();
        QCOMPARE(texts().at(5), QStringLiteral("and 4 more"));
        QSignalSpy filter(m_overview.get(), &Overview::filterChosen);
        lines().at(5)->click();
        QCOMPARE(filter.value(0).value(0).toString(), QStringLiteral("problem:any"));
    }

    void waitersAndFamilies()
    {
        m_model->apply(changes({queued(redisson("lock:a"), {"x:1", "x:2"}), listenedTo(redisson("lock:b"), 7),
                                reentrant("lock:c"), token("other")}));
        again();
        const QStringList shown = texts();
        const qsizetype first = shown.indexOf(QStringLiteral("lock:b, ≥ 7 waiting"));
        QVERIFY2(first > 0, qPrintable(shown.join(u'\n')));
        QVERIFY(shown.at(first + 1).startsWith(QStringLiteral("lock:a, 2 waiting")));
        const qsizetype family = shown.indexOf(QStringLiteral("redisson, lock:*, 2 lock(s)"));
        QVERIFY2(family > 0, qPrintable(shown.join(u'\n')));
        QSignalSpy filter(m_overview.get(), &Overview::filterChosen);
        lines().at(family)->click();
        QCOMPARE(filter.value(0).value(0).toString(), QStringLiteral("family:redisson"));
    }

    void whatIsNotWatchedCanBe()
    {
        m_facts.outside = UnlistedNames{.names = 15, .patterns = {{"jobs:*", 12}}};
        again();
        const qsizetype line = texts().indexOf(QStringLiteral("Watch jobs:*, 12 key(s)"));
        QVERIFY2(line > 0, qPrintable(texts().join(u'\n')));
        QCOMPARE(texts().at(line + 1), QStringLiteral("and 3 other key(s)"));
        QSignalSpy pattern(m_overview.get(), &Overview::patternChosen);
        lines().at(line)->click();
        QCOMPARE(pattern.value(0).value(0).toByteArray(), QByteArray("jobs:*"));
    }

    /// A hostile key, and lines that go: nothing moves, and no markup is read.
    void linesKeepTheirPlaces()
    {
        const QByteArray hostile = "lock:<b>x</b>\x1b[31m" + QByteArray(2000, 'y');
        m_model->apply(changes({endless(token("lock:a")), endless(token(hostile))}));
        again();
        const QString text = texts().filter(QStringLiteral("<")).value(0);
        QVERIFY(text.contains(QStringLiteral("<b>x</b>\\x1b[31m"), Qt::CaseInsensitive) && text.size() < 200);
        const QPoint below = label(QStringLiteral("Most waited for"))->pos();
        m_model->apply(changes({}, {hostile, "lock:a"}));
        QTRY_VERIFY(texts().contains(QStringLiteral("No lock has a problem")));
        QCoreApplication::processEvents();
        QCOMPARE(label(QStringLiteral("Most waited for"))->pos(), below);
    }

    /// At 100,000 locks it costs two thousandths of the time at most: the pauses grow with it.
    void manyLocksCostLittle()
    {
        QList<WatchedLock> locks;
        for (int i = 0; i < 100'000; ++i)
            locks << renewed(redisson("lock:" + QByteArray::number(i), client + ':' + QByteArray::number(i)));
        m_model->apply(changes(locks));
        QElapsedTimer timer;
        timer.start();
        again();
        qInfo("100,000 locks: %lld us", static_cast<long long>(timer.nsecsElapsed() / 1000));
        QVERIFY(texts().contains(QStringLiteral("redisson, lock:*, 100,000 lock(s)")));
        // Until its time is up for another pass, the lines alone follow.
        m_model->apply(changes({}, {"lock:0"}));
        m_overview->refresh();
        QVERIFY(texts().contains(QStringLiteral("redisson, lock:*, 100,000 lock(s)")));
    }

private:
    void again()
    {
        m_overview->hide();
        m_overview->show();
    }
    QList<OverviewLine *> lines() const
    {
        QList<OverviewLine *> shown = m_overview->findChildren<OverviewLine *>();
        shown.removeIf([](const OverviewLine *line) { return line->isHidden(); });
        return shown;
    }
    QStringList texts() const
    {
        QStringList texts;
        for (const OverviewLine *line : lines())
            texts << line->accessibleName();
        return texts;
    }
    QLabel *label(const QString &text) const
    {
        for (QLabel *each : m_overview->findChildren<QLabel *>()) {
            if (each->text() == text)
                return each;
        }
        return nullptr;
    }

    std::unique_ptr<DisplayClock> m_clock;
    std::unique_ptr<LockTableModel> m_model;
    OverviewFacts m_facts;
    std::unique_ptr<Overview> m_overview;
};

QTEST_MAIN(OverviewTest)
#include "tst_overview.moc"
