// SPDX-License-Identifier: GPL-3.0-or-later
// The end of an orphan: its heartbeats are read again before the script, two intervals after they were seen.
#include "core/act/actionnames.h"
#include "core/act/lockoperations.h"
#include "core/read/companions.h"
#include "tests/support/futures.h"
#include "tests/support/redisserver.h"

#include <QElapsedTimer>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QtTest>

using namespace lockscope;
using namespace std::chrono_literals;

class TestOrphanEnds : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase()
    {
        m_server = std::make_unique<RedisServer>();
        m_connection = std::make_unique<Connection>(m_server->socketAddress(), Connection::Options{});
        QSignalSpy ready(m_connection.get(), &Connection::ready);
        m_connection->open();
        QVERIFY(ready.wait());
        m_audit = std::make_unique<AuditLog>(m_directory.filePath(QStringLiteral("audit.jsonl")));
        m_operations = std::make_unique<LockOperations>(*m_connection, *m_audit);
    }
    void cleanupTestCase()
    {
        m_operations.reset();
        m_connection.reset();
        m_server.reset();
    }
    void init()
    {
        QTest::failOnWarning(QRegularExpression(QStringLiteral(".*")));
        m_server->cli({"FLUSHALL"});
        m_server->cli({"HSET", "rql:lock:a", "acq_id", "rql:acq:1/2/3/4/0123456789abcdef", "hst_id",
                       "rql:hst:1/2/4/0123456789abcdef", "ts", now(-60), "ini_ttl", "600000"});
        beat(-30);
    }

    /// As from a dialog that was opened just now.
    void itWaits()
    {
        QElapsedTimer timer;
        timer.start();
        QCOMPARE(ending(seen(), Clock::now()), "expired");
        QVERIFY2(timer.elapsed() >= 4000, qPrintable(QString::number(timer.elapsed())));
        QCOMPARE(m_server->cli({"EXISTS", "rql:lock:a"}), "0");
    }

    void anotherHeartbeat()
    {
        const Lock lock = seen();
        beat(-29); // as old, but another one
        QCOMPARE(ending(lock, Clock::now() - 5s), "evidence-changed");
        beat(0);
        QCOMPARE(ending(lock, Clock::now() - 5s), "evidence-changed");
        m_server->cli({"DEL", "rql:swarm:hsts"});
        QCOMPARE(ending(lock, Clock::now() - 5s), "evidence-changed");
        QCOMPARE(m_server->cli({"EXISTS", "rql:lock:a"}), "1");
    }

    void anotherHolder()
    {
        const Lock lock = seen();
        m_server->cli({"HSET", "rql:lock:a", "acq_id", "rql:acq:9/2/3/4/0123456789abcdef"});
        QCOMPARE(ending(lock, Clock::now() - 5s), "evidence-changed");
        m_server->cli({"DEL", "rql:lock:a"});
        QCOMPARE(ending(lock, Clock::now() - 5s), "already-gone");
    }

    /// A lock whose holder was alive is none, whatever is asked for.
    void aLivingHolder()
    {
        beat(0);
        const Lock lock = seen();
        QCOMPARE(ending(lock, Clock::now() - 5s), "evidence-changed");
    }

    void refusedWrites()
    {
        const Lock lock = seen();
        m_server->cli({"CONFIG", "SET", "min-replicas-to-write", "1"});
        const Result<ActionResult> refused = waitFor(start(lock, Clock::now() - 5s));
        beat(0); // refused: what is known of the server counts anew
        m_server->cli({"CONFIG", "SET", "min-replicas-to-write", "0"});
        QVERIFY(!refused && refused.error().kind == ErrorKind::NoReplicas);
        QCOMPARE(m_server->cli({"EXISTS", "rql:lock:a"}), "1");
        const auto ended = start(lock, Clock::now() - 5s);
        QTest::qWait(1000);
        m_server->cli({"CONFIG", "SET", "maxmemory", "100kb"});
        beat(0); // refused
        m_server->cli({"CONFIG", "SET", "maxmemory", "0"});
        const Result<ActionResult> result = waitFor(ended);
        QVERIFY(result && result->outcome == Outcome::EvidenceChanged);
        QCOMPARE(m_server->cli({"EXISTS", "rql:lock:a"}), "1");
    }

    void withoutInfo()
    {
        const Lock lock = seen();
        m_server->cli({"ACL", "SETUSER", "default", "-info"});
        const QByteArray outcome = ending(lock, Clock::now() - 5s);
        m_server->cli({"ACL", "SETUSER", "default", "+info"});
        QVERIFY2(outcome.contains("info"), outcome);
        QCOMPARE(m_server->cli({"EXISTS", "rql:lock:a"}), "1");
    }

private:
    static QByteArray now(qint64 seconds)
    {
        return QByteArray::number(QDateTime::currentSecsSinceEpoch() + seconds) + ".25";
    }
    void beat(qint64 seconds)
    {
        m_server->cli({"HSET", "rql:swarm:hsts", "rql:hst:1/2/4/0123456789abcdef", now(seconds)});
    }
    Lock seen()
    {
        const auto read = waitFor(inspector::inspect(*m_connection, LockKey("rql:lock:a")));
        const auto locks = waitFor(companions::inspect(*m_connection, {*read->lock}));
        return locks->locks.first();
    }
    QFuture<Result<ActionResult>> start(const Lock &lock, TimePoint at)
    {
        ActionRequest request = ActionRequest::on(lock, Action::ForceExpire);
        request.expected = lock.owners;
        request.orphanSince = at;
        return m_operations->run(request);
    }
    QByteArray ending(const Lock &lock, TimePoint at)
    {
        const Result<ActionResult> result = waitFor(start(lock, at));
        return result ? outcomeName(result->outcome) : result.error().text();
    }

    QTemporaryDir m_directory;
    std::unique_ptr<RedisServer> m_server;
    std::unique_ptr<Connection> m_connection;
    std::unique_ptr<AuditLog> m_audit;
    std::unique_ptr<LockOperations> m_operations;
};

QTEST_GUILESS_MAIN(TestOrphanEnds)
#include "tst_orphanends.moc"
