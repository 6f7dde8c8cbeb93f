// SPDX-License-Identifier: GPL-3.0-or-later
// What the audit log says of ends by force, and what is claimed of it.
#include "core/monitor/auditforcedends.h"

#include "core/journal/auditlog.h"

#include <QDateTime>
#include <QJsonArray>
#include <QTemporaryDir>
#include <QtTest>

using namespace lockscope;

namespace {

const QByteArray runId = "run-1";

LockEvent eventOf(EventKind kind, const QByteArray &owner = "anna", qint64 afterMs = 0)
{
    LockEvent event;
    event.kind = kind;
    event.address = {LockKey("lock:a"), 0};
    event.owners = {{OwnerId(owner), "1", 1}};
    event.at = Clock::now();
    event.wallMs = QDateTime::currentMSecsSinceEpoch() + afterMs;
    return event;
}

QList<EventKind> kindsOf(const QList<LockEvent> &events)
{
    QList<EventKind> kinds;
    for (const LockEvent &event : events)
        kinds.append(event.kind);
    return kinds;
}

} // namespace

class ForcedEndsTest : public QObject
{
    Q_OBJECT

private slots:
    void init()
    {
        m_directory = std::make_unique<QTemporaryDir>();
        m_path = m_directory->filePath(QStringLiteral("audit.jsonl"));
        m_ends = std::make_unique<AuditForcedEnds>(m_path, [this](const LockKey &) { return m_runId; });
        m_runId = runId;
    }

    void anotherProgramsForceIsTold()
    {
        force();
        const QList<LockEvent> told = m_ends->settle({eventOf(EventKind::Released)});
        QCOMPARE(kindsOf(told), QList{EventKind::Forced});
        QVERIFY(told.first().byOtherProgram);
        // Once.
        QCOMPARE(kindsOf(m_ends->settle({eventOf(EventKind::Released)})), QList{EventKind::Released});
    }

    void whatIsNotKnownIsNotClaimed_data()
    {
        QTest::addColumn<QByteArray>("owner");
        QTest::addColumn<QByteArray>("server");
        QTest::addColumn<QString>("outcome");
        QTest::newRow("another owner") << QByteArray("berta") << runId << QStringLiteral("expired");
        QTest::newRow("another server")
            << QByteArray("anna") << QByteArray("run-2") << QStringLiteral("expired");
        QTest::newRow("rejected") << QByteArray("anna") << runId << QStringLiteral("owner-changed");
        QTest::newRow("unknown outcome") << QByteArray("anna") << runId << QStringLiteral("unknown");
    }
    void whatIsNotKnownIsNotClaimed()
    {
        QFETCH(QByteArray, owner);
        QFETCH(QByteArray, server);
        QFETCH(QString, outcome);
        m_runId = server;
        force(outcome);
        QCOMPARE(kindsOf(m_ends->settle({eventOf(EventKind::Released, owner)})), QList{EventKind::Released});
    }

    /// The outcome is recorded after the end is seen: what comes later waits with it, so that the order stays.
    void anOutcomeIsWaitedFor()
    {
        QSignalSpy settled(m_ends.get(), &AuditForcedEnds::settled);
        AuditLog log(m_path);
        const auto request = log.begin(asked());
        QVERIFY(request);
        LockEvent other = eventOf(EventKind::Acquired, "berta");
        other.address.key = LockKey("lock:b");
        LockEvent end = eventOf(EventKind::Released);
        end.at += std::chrono::hours(1); // however slow the machine is
        QVERIFY(m_ends->settle({end, other}).isEmpty());
        QVERIFY(log.complete(*request, {{QStringLiteral("outcome"), QStringLiteral("expired")}}));
        QList<EventKind> kinds;
        QTRY_VERIFY(!settled.isEmpty());
        for (const auto &arguments : settled)
            kinds += kindsOf(arguments.first().value<QList<LockEvent>>());
        QCOMPARE(kinds, (QList{EventKind::Forced, EventKind::Acquired}));
    }

    void itIsNotWaitedForEver()
    {
        QSignalSpy settled(m_ends.get(), &AuditForcedEnds::settled);
        QVERIFY(AuditLog(m_path).begin(asked()));
        QVERIFY(m_ends->settle({eventOf(EventKind::Released)}).isEmpty());
        QTRY_COMPARE(settled.size(), 1);
        QCOMPARE(kindsOf(settled.first().first().value<QList<LockEvent>>()), QList{EventKind::Released});
    }

    /// This program's own end is an event already: the next one of the same owner is a release.
    void ownForceIsToldOnce()
    {
        force();
        QCOMPARE(kindsOf(m_ends->settle({eventOf(EventKind::Forced)})), QList{EventKind::Forced});
        QCOMPARE(kindsOf(m_ends->settle({eventOf(EventKind::Released)})), QList{EventKind::Released});
    }

    /// Between two readings it was ended by force and acquired again: its release is one.
    void whoHoldsAgainReleases()
    {
        force();
        m_ends->settle({eventOf(EventKind::Expired, "somebody")}); // reads the log
        const QList<LockEvent> told =
            m_ends->settle({eventOf(EventKind::Renewed, "anna", 1000), eventOf(EventKind::Released)});
        QCOMPARE(kindsOf(told), (QList{EventKind::Renewed, EventKind::Released}));
    }

private:
    static QJsonObject asked()
    {
        return {{QStringLiteral("action"), QStringLiteral("force-expire")},
                {QStringLiteral("run_id"), QString::fromLatin1(runId)},
                {QStringLiteral("db"), 0},
                {QStringLiteral("key"), QStringLiteral("lock:a")},
                {QStringLiteral("expected"),
                 QJsonArray{QJsonObject{{QStringLiteral("owner"), QStringLiteral("anna")}}}}};
    }
    void force(const QString &outcome = QStringLiteral("expired"))
    {
        AuditLog log(m_path);
        const auto request = log.begin(asked());
        QVERIFY(request);
        QVERIFY(log.complete(*request, {{QStringLiteral("outcome"), outcome}}));
    }

    std::unique_ptr<QTemporaryDir> m_directory;
    QString m_path;
    QByteArray m_runId;
    std::unique_ptr<AuditForcedEnds> m_ends;
};

QTEST_GUILESS_MAIN(ForcedEndsTest)
#include "tst_auditforcedends.moc"
