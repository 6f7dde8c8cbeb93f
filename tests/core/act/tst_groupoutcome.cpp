// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/act/groupoutcome.h"

#include "core/act/actionnames.h"

#include <QtTest>

using namespace lockscope;
using namespace std::chrono_literals;

namespace {

/// A server's answer: an outcome's name, with the seconds left behind ':', "unknown", or "error": nothing was sent.
Result<ActionResult> answer(const QByteArray &text, Action action)
{
    if (text == "error")
        return tl::unexpected(Error(ErrorKind::NotConnected));
    const QByteArrayList parts = text.split(':');
    ActionResult result;
    result.action = action;
    const auto outcome = outcomeName.valueOf(parts[0]);
    result.outcome = outcome.value_or(Outcome::Unknown);
    if (parts.size() > 1)
        result.ttl = parts[1].toInt() * 1s;
    return result;
}

} // namespace

class TestGroupOutcome : public QObject
{
    Q_OBJECT

private slots:
    void combined_data();
    void combined();
    void namesEachServer();
};

void TestGroupOutcome::combined_data()
{
    QTest::addColumn<Action>("action");
    QTest::addColumn<QByteArray>("answers");
    QTest::addColumn<QByteArray>("expected");
    const auto row = [](Action action, const char *answers, const char *expected) {
        QTest::addRow("%s: %s", actionName(action).constData(), answers)
            << action << QByteArray(answers) << QByteArray(expected);
    };
    using enum Action;
    row(ForceExpire, "expired expired expired", "expired");
    row(ForceExpire, "expired expired already-gone", "expired");
    row(ForceExpire, "expired already-gone already-gone", "expired");
    row(ForceExpire, "expired expired owner-changed", "expired");
    // Where another has it, the owner that was expected has gone.
    row(ForceExpire, "expired owner-changed owner-changed", "expired");
    row(ForceExpire, "expired expired owner-changed owner-changed owner-changed", "expired");
    row(ForceExpire, "already-gone already-gone already-gone", "already-gone");
    row(ForceExpire, "already-gone already-gone owner-changed", "already-gone");
    row(ForceExpire, "owner-changed owner-changed already-gone", "owner-changed");
    row(ForceExpire, "holds-changed holds-changed expired", "holds-changed");
    // One that was not asked can't make a majority by itself.
    row(ForceExpire, "expired expired error", "expired");
    row(ForceExpire, "expired expired unknown", "expired");
    row(ForceExpire, "already-gone already-gone error", "already-gone");
    row(ForceExpire, "expired error error", "unknown");
    row(ForceExpire, "expired unknown error", "unknown");
    row(ForceExpire, "expired expired expired error error", "expired");
    row(ForceExpire, "expired expired error error error", "unknown");
    row(ForceExpire, "unknown unknown unknown", "unknown");
    row(ForceExpire, "already-gone error error", "unknown");
    row(ForceExpire, "error error error", "error");
    row(Release, "released released not-held", "released");
    row(Release, "not-held not-held not-held", "not-held");
    row(Release, "held-by-other held-by-other released", "held-by-other");
    row(Release, "released error error", "unknown");
    row(Acquire, "acquired:9 acquired:8 acquired:7", "acquired:8");
    row(Acquire, "acquired:9 acquired:7 held-by-other", "acquired:7");
    row(Acquire, "acquired:9 acquired:8 error", "acquired:8");
    row(Acquire, "acquired held-by-other held-by-other", "held-by-other");
    row(Acquire, "acquired held-by-other error", "held-by-other");
    row(Acquire, "acquired unknown held-by-other", "unknown");
    row(Acquire, "acquired unknown acquired", "acquired");
    row(Acquire, "acquired error error", "unknown"); // until it is taken back
    row(Acquire, "reentered reentered acquired", "reentered");
    row(Extend, "extended:9 extended:8 not-held", "extended:8");
    row(Extend, "extended not-held not-held", "not-held");
    row(Extend, "extended error error", "unknown");
    row(Extend, "error error error", "error");
    row(RemoveWaiter, "removed removed not-waiting", "removed");
}

void TestGroupOutcome::combined()
{
    QFETCH(const Action, action);
    QFETCH(const QByteArray, answers);
    QFETCH(const QByteArray, expected);
    ActionRequest request;
    request.action = action;
    request.key = LockKey("lock:x");
    QList<Result<ActionResult>> results;
    QStringList servers;
    for (const QByteArray &text : answers.split(' ')) {
        results.append(answer(text, action));
        servers.append(QStringLiteral("host%1:6379").arg(results.size()));
    }
    const Result<ActionResult> combined = combinedResult(request, results, servers);
    QByteArray text = "error";
    if (combined) {
        text = outcomeName(combined->outcome);
        if (combined->ttl)
            text += ':' + QByteArray::number(*combined->ttl / 1s);
        QCOMPARE(combined->servers.size(), results.size());
    }
    QCOMPARE(text, expected);
}

void TestGroupOutcome::namesEachServer()
{
    ActionRequest request;
    request.action = Action::ForceExpire;
    const auto combined = combinedResult(request,
                                         {answer("expired", request.action),
                                          answer("unknown", request.action), answer("error", request.action)},
                                         {QStringLiteral("a"), QStringLiteral("b"), QStringLiteral("c")});
    QVERIFY(combined);
    QCOMPARE(combined->servers[0].server, QStringLiteral("a"));
    QVERIFY(combined->servers[0].hasDone() && !combined->servers[0].error);
    QCOMPARE(combined->servers[1].outcome, std::optional(Outcome::Unknown));
    QVERIFY(combined->servers[1].error);
    QVERIFY(!combined->servers[2].outcome && combined->servers[2].error);
}

QTEST_GUILESS_MAIN(TestGroupOutcome)
#include "tst_groupoutcome.moc"
