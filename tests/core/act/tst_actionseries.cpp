// SPDX-License-Identifier: GPL-3.0-or-later
// One request after the other, and none after an answer that leaves open what happened.
#include "core/act/actionseries.h"

#include <QPromise>
#include <QSignalSpy>
#include <QtTest>

using namespace lockscope;

namespace {

ActionRequest requestFor(const QByteArray &key)
{
    ActionRequest request;
    request.action = Action::ForceExpire;
    request.key = LockKey(key);
    return request;
}

Result<ActionResult> ending(Outcome outcome)
{
    ActionResult result;
    result.action = Action::ForceExpire;
    result.outcome = outcome;
    return result;
}

Result<ActionResult> failing(ErrorKind kind)
{
    return tl::unexpected(Error(kind));
}

} // namespace

class ActionSeriesTest : public QObject
{
    Q_OBJECT

private slots:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }

    void oneAfterTheOther()
    {
        QList<QPromise<Result<ActionResult>> *> promises;
        const auto run = [&](const ActionRequest &request) {
            m_sent.append(request.key.bytes);
            promises.append(new QPromise<Result<ActionResult>>);
            promises.last()->start();
            return promises.last()->future();
        };
        m_sent.clear();
        ActionSeries series({requestFor("a"), requestFor("b")}, run);
        QSignalSpy finished(&series, &ActionSeries::finished);
        series.start();
        QTest::qWait(20);
        QCOMPARE(m_sent, QByteArrayList{"a"});
        promises[0]->addResult(ending(Outcome::OwnerChanged));
        promises[0]->finish();
        QTRY_COMPARE(m_sent, (QByteArrayList{"a", "b"}));
        QCOMPARE(finished.size(), 0);
        promises[1]->addResult(ending(Outcome::Expired));
        promises[1]->finish();
        QTRY_COMPARE(finished.size(), 1);
        QVERIFY(!series.isRunning());
        qDeleteAll(promises);
    }

    void whatEndsIt_data()
    {
        QTest::addColumn<Outcome>("outcome");
        QTest::addColumn<std::optional<ErrorKind>>("error");
        QTest::addColumn<qsizetype>("sent");
        const std::optional<ErrorKind> none;
        QTest::newRow("done") << Outcome::Expired << none << qsizetype(4);
        QTest::newRow("another owner") << Outcome::OwnerChanged << none << qsizetype(4);
        QTest::newRow("no permission for this key")
            << Outcome::Unknown << std::optional(ErrorKind::NoPermission) << qsizetype(4);
        QTest::newRow("not possible here")
            << Outcome::Unknown << std::optional(ErrorKind::InvalidArgument) << qsizetype(4);
        QTest::newRow("unknown") << Outcome::Unknown << none << qsizetype(2);
        QTest::newRow("no connection")
            << Outcome::Unknown << std::optional(ErrorKind::NotConnected) << qsizetype(2);
        QTest::newRow("no record can be written")
            << Outcome::Unknown << std::optional(ErrorKind::AuditFailed) << qsizetype(2);
        QTest::newRow("read-only") << Outcome::Unknown << std::optional(ErrorKind::ReadOnlyMode)
                                   << qsizetype(2);
        QTest::newRow("out of memory")
            << Outcome::Unknown << std::optional(ErrorKind::OutOfMemory) << qsizetype(2);
    }
    void whatEndsIt()
    {
        QFETCH(const Outcome, outcome);
        QFETCH(const std::optional<ErrorKind>, error);
        const Result<ActionResult> second = error ? failing(*error) : ending(outcome);
        QFETCH(const qsizetype, sent);
        m_sent.clear();
        const auto run = [&](const ActionRequest &request) {
            m_sent.append(request.key.bytes);
            QPromise<Result<ActionResult>> promise;
            promise.start();
            promise.addResult(m_sent.size() == 2 ? second : ending(Outcome::Expired));
            promise.finish();
            return promise.future();
        };
        ActionSeries series({requestFor("a"), requestFor("b"), requestFor("c"), requestFor("d")}, run);
        QSignalSpy finished(&series, &ActionSeries::finished);
        QList<qsizetype> ended;
        connect(&series, &ActionSeries::ended, this, [&](qsizetype index) { ended.append(index); });
        series.start();
        QTRY_COMPARE(finished.size(), 1);
        QCOMPARE(m_sent.size(), sent);
        QCOMPARE(series.results().size(), sent);
        QCOMPARE(ended.size(), sent);
    }

    void aStrictOneEndsAtAnyFailure()
    {
        for (const Result<ActionResult> &second :
             {ending(Outcome::OwnerChanged), ending(Outcome::EvidenceChanged), ending(Outcome::AlreadyGone),
              failing(ErrorKind::NoPermission)}) {
            m_sent.clear();
            const auto run = [&](const ActionRequest &request) {
                m_sent.append(request.key.bytes);
                QPromise<Result<ActionResult>> promise;
                promise.start();
                promise.addResult(m_sent.size() == 2 ? second : ending(Outcome::Expired));
                promise.finish();
                return promise.future();
            };
            ActionSeries series({requestFor("a"), requestFor("b"), requestFor("c")}, run);
            series.stopAtAnyFailure();
            QSignalSpy finished(&series, &ActionSeries::finished);
            series.start();
            QTRY_COMPARE(finished.size(), 1);
            QCOMPARE(m_sent, (QByteArrayList{"a", "b"}));
        }
    }

    void itIsStopped()
    {
        m_sent.clear();
        QPromise<Result<ActionResult>> promise;
        promise.start();
        ActionSeries series({requestFor("a"), requestFor("b")}, [&](const ActionRequest &request) {
            m_sent.append(request.key.bytes);
            return promise.future();
        });
        QSignalSpy finished(&series, &ActionSeries::finished);
        series.start();
        series.stop();
        QVERIFY(series.isRunning()); // an answer is still to come
        promise.addResult(ending(Outcome::Expired));
        promise.finish();
        QTRY_COMPARE(finished.size(), 1);
        QCOMPARE(m_sent, QByteArrayList{"a"});
    }

private:
    QByteArrayList m_sent;
};

QTEST_GUILESS_MAIN(ActionSeriesTest)
#include "tst_actionseries.moc"
