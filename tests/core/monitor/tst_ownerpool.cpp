// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/monitor/ownerpool.h"

#include <QtTest>

using namespace lockscope;

namespace {

QList<LockOwner> owners(const QByteArray &owner, qint64 holds = 1)
{
    return {{OwnerId(QByteArray(owner.constData(), owner.size())), QByteArray::number(holds), holds}};
}

const void *bytesOf(const QList<LockOwner> &list, qsizetype at = 0)
{
    return list.at(at).owner.bytes.constData();
}

} // namespace

class OwnerPoolTest : public QObject
{
    Q_OBJECT

private slots:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }

    void theSameHoldersShareAll()
    {
        OwnerPool pool;
        const QList<LockOwner> first = pool.shared(owners("web-1"));
        const QList<LockOwner> again = pool.shared(owners("web-1"));
        QCOMPARE(again, first);
        QVERIFY(again.isSharedWith(first));
        QVERIFY(pool.shared({}).isEmpty());
        QCOMPARE(pool.size(), 1);
    }

    void otherHoldsShareTheOwner()
    {
        OwnerPool pool;
        const QList<LockOwner> once = pool.shared(owners("web-1", 1));
        const QList<LockOwner> twice = pool.shared(owners("web-1", 2));
        QCOMPARE(twice, owners("web-1", 2));
        QCOMPARE(bytesOf(twice), bytesOf(once));
        const QList<LockOwner> several = pool.shared(owners("alone") + owners("web-1", 5));
        QCOMPARE(several, owners("alone") + owners("web-1", 5));
        QCOMPARE(bytesOf(several, 1), bytesOf(once));
    }

    void whatNobodyUsesGoes()
    {
        OwnerPool pool;
        const QList<LockOwner> kept = pool.shared(owners("kept"));
        // Its list is not used, its owner's bytes are.
        const OwnerId owner = pool.shared(owners("bytes")).first().owner;
        for (int i = 0; i < 10'000; ++i)
            pool.shared(owners("passing " + QByteArray::number(i)));
        QVERIFY2(pool.size() <= 128, QByteArray::number(pool.size()));
        pool.dropUnused();
        QCOMPARE(pool.size(), 2);
        QVERIFY(pool.shared(owners("kept")).isSharedWith(kept));
        QCOMPARE(bytesOf(pool.shared(owners("bytes"))), static_cast<const void *>(owner.bytes.constData()));
    }

    /// However long it goes on: the memory of a day is that of a minute.
    void whatPassesAddsAQuarterAtMost()
    {
        constexpr int used = 1000;
        OwnerPool pool;
        QList<QList<LockOwner>> kept;
        for (int i = 0; i < used; ++i)
            kept << pool.shared(owners("kept " + QByteArray::number(i)));
        pool.dropUnused();
        qsizetype largest = 0;
        for (int i = 0; i < 20 * used; ++i) {
            pool.shared(owners("passing " + QByteArray::number(i)));
            largest = std::max(largest, pool.size());
        }
        QVERIFY2(largest <= used + used / 4, QByteArray::number(largest));
    }
};

QTEST_APPLESS_MAIN(OwnerPoolTest)
#include "tst_ownerpool.moc"
