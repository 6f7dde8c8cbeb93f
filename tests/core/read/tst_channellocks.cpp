// SPDX-License-Identifier: GPL-3.0-or-later
// Which clients may hold a lock that is no key.
#include "core/read/channellocks.h"

#include <QtTest>

using namespace lockscope;
using namespace std::chrono_literals;

class TestChannelLocks : public QObject
{
    Q_OBJECT

private slots:
    void toldByNameAndSubscription()
    {
        const QByteArray clients =
            "id=3 addr=10.0.0.7:5000 name=reports-lock age=2 flags=P sub=1 psub=0 cmd=subscribe\n"
            "id=4 addr=10.0.0.7:5001 name=a-lock age=9 flags=N sub=0 psub=0 cmd=get\n"
            "id=5 addr=10.0.0.7:5002 name=b-lock age=9 flags=P sub=1 psub=1 cmd=subscribe\n"
            "id=6 addr=10.0.0.7:5003 name=-lock age=9 flags=P sub=1 psub=0 cmd=subscribe\n"
            "id=7 addr=10.0.0.7:5004 name= age=9 flags=P sub=1 psub=0 cmd=subscribe\n";
        QCOMPARE(channelLocksIn(clients), (QList<ChannelLock>{{"reports", "10.0.0.7:5000", 2s}}));
        QVERIFY(channelLocksIn("").isEmpty());
    }

    void fields()
    {
        QCOMPARE(clientField("id=3 addr=a:1 name= lib-name=x", "addr"), QByteArray("a:1"));
        QCOMPARE(clientField("id=3 addr=a:1 name= lib-name=x", "name"), QByteArray());
        QCOMPARE(clientField("id=3 addr=a:1 name= lib-name=x", "lib-name"), QByteArray("x"));
        QCOMPARE(clientField("id=3", "age"), QByteArray());
    }
};

QTEST_APPLESS_MAIN(TestChannelLocks)
#include "tst_channellocks.moc"
