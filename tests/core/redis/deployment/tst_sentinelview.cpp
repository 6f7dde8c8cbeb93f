// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/redis/deployment/sentinelview.h"

#include <QtTest>

using namespace lockscope;

namespace {

Reply text(const QByteArray &bytes)
{
    return {Reply::Type::Text, 0, bytes, {}};
}

Reply error(const QByteArray &bytes)
{
    return {Reply::Type::Error, 0, bytes, {}};
}

Reply array(const QByteArrayList &texts)
{
    Reply reply{Reply::Type::Array, 0, {}, {}};
    for (const QByteArray &each : texts)
        reply.elements.push_back(text(each));
    return reply;
}

Reply list(std::vector<Reply> elements)
{
    return {Reply::Type::Array, 0, {}, std::move(elements)};
}

/// As Sentinel 7.0.15 has it, without what nobody reads here.
Reply master(const QByteArray &flags = "master", const QByteArray &port = "7001")
{
    return array({"name", "orders", "ip", "10.0.0.1", "port", port, "flags", flags, "config-epoch", "4",
                  "num-slaves", "1"});
}

Reply replica(const QByteArray &host, const QByteArray &flags, const QByteArray &link,
              const QByteArray &offset)
{
    return array({"name", host + ":7002", "ip", host, "port", "7002", "flags", flags, "master-link-status",
                  link, "slave-repl-offset", offset});
}

} // namespace

class TestSentinelView : public QObject
{
    Q_OBJECT

private slots:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }
    void readsWhatASentinelSays();
    void whoMayAskLittleLearnsThePrimary();
    void refusesWhatMakesNoSense_data();
    void refusesWhatMakesNoSense();
    void readsFailovers();
    void asksOnlyWhatReads();
};

void TestSentinelView::readsWhatASentinelSays()
{
    const std::vector<Reply> replies{
        array({"10.0.0.1", "7001"}), master("master,s_down,o_down,failover_in_progress"),
        list({array({"name", "x", "ip", "10.0.0.9", "port", "26379"}), array({"ip", "", "port", "1"}),
              array({"ip", "10.0.0.8"})}),
        list({replica("10.0.0.2", "slave", "ok", "100"), replica("10.0.0.3", "slave,s_down", "ok", "300"),
              replica("10.0.0.4", "slave", "err", "200"),
              replica("10.0.0.5", "slave,disconnected", "ok", "1")})};
    const auto view = SentinelView::parse(replies);
    QVERIFY(view.has_value());
    QCOMPARE(view->primary, (NodeAddress{QStringLiteral("10.0.0.1"), 7001}));
    QCOMPARE(view->epoch, 4);
    QVERIFY(view->isDown && view->isAgreedDown && view->isFailingOver);
    QCOMPARE(view->sentinels, (QList{NodeAddress{QStringLiteral("10.0.0.9"), 26379}}));
    QCOMPARE(view->replicas.size(), 4);
    QCOMPARE(view->replicas[0], (SentinelView::Replica{{QStringLiteral("10.0.0.2"), 7002}, true, 100}));
    for (int i = 1; i < 4; ++i)
        QVERIFY(!view->replicas[i].isUsable);
}

void TestSentinelView::whoMayAskLittleLearnsThePrimary()
{
    const Reply no = error("NOPERM this user has no permissions to run the 'sentinel|master' command");
    const auto view = SentinelView::parse(std::vector<Reply>{array({"10.0.0.1", "7001"}), no, no, no});
    QVERIFY(view.has_value());
    QCOMPARE(view->primary.port, 7001);
    QCOMPARE(view->epoch, -1);
    const auto refused = SentinelView::parse(std::vector<Reply>{no, no, no, no});
    QVERIFY(!refused);
    QCOMPARE(refused.error().kind, ErrorKind::NoPermission);
}

void TestSentinelView::refusesWhatMakesNoSense_data()
{
    QTest::addColumn<int>("kind");
    QTest::addColumn<int>("row");
    QTest::newRow("no such name") << int(ErrorKind::InvalidArgument) << 0;
    QTest::newRow("no port") << int(ErrorKind::UnexpectedReply) << 1;
    QTest::newRow("no array") << int(ErrorKind::UnexpectedReply) << 2;
    QTest::newRow("too few") << int(ErrorKind::UnexpectedReply) << 3;
    QTest::newRow("a port too far") << int(ErrorKind::UnexpectedReply) << 4;
}

void TestSentinelView::refusesWhatMakesNoSense()
{
    QFETCH(int, kind);
    QFETCH(int, row);
    const Reply none = list({});
    const std::vector<std::vector<Reply>> rows{
        {Reply{}, error("ERR No such master with that name"), error("ERR No such master with that name"),
         none},
        {array({"10.0.0.1", ""}), error("ERR unknown subcommand"), none, none},
        {text("10.0.0.1:7001"), text("x"), none, none},
        {array({"10.0.0.1", "7001"})},
        {array({"10.0.0.1", "7001"}), master("master", "70001"), none, none},
    };
    const auto view = SentinelView::parse(rows[size_t(row)]);
    QVERIFY(!view);
    QCOMPARE(int(view.error().kind), kind);
}

void TestSentinelView::readsFailovers()
{
    const auto primary = primaryIn("orders 10.0.0.1 7001 10.0.0.2 7002", "orders");
    QVERIFY(primary.has_value());
    QCOMPARE(*primary, (NodeAddress{QStringLiteral("10.0.0.2"), 7002}));
    QVERIFY(primaryIn("orders ::1 7001 ::2 7002", "orders").has_value());
    for (const char *other :
         {"", "orders", "payments 10.0.0.1 7001 10.0.0.2 7002", "orders 1 2 3 0", "orders 1 2 3 70000",
          "orders 1 2  7002", "orders 1 2 a/b 7002", "orders 1 2 3 4 5"})
        QVERIFY2(!primaryIn(other, "orders"), other);
}

void TestSentinelView::asksOnlyWhatReads()
{
    QVERIFY(SentinelView::question("orders").isReadOnly());
    QVERIFY(!CommandBatch({"SENTINEL", "FAILOVER", "orders"}).isReadOnly());
    QVERIFY(!CommandBatch({"SENTINEL", "REMOVE", "orders"}).isReadOnly());
    QVERIFY(!CommandBatch({"SENTINEL"}).isReadOnly());
}

QTEST_GUILESS_MAIN(TestSentinelView)
#include "tst_sentinelview.moc"
