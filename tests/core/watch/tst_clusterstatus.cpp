// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/watch/clusterstatus.h"

#include <QtTest>

#include <algorithm>

using namespace lockscope;

namespace {

NodeStatus node(bool isReady, bool isRead = true)
{
    NodeStatus status;
    status.state = isReady ? Link::State::Ready : Link::State::Backoff;
    status.isCurrent = isReady && isRead;
    if (isRead)
        status.confirmedAt = Clock::now();
    return status;
}

/// The first slots are the first node's, and so on; the last slot is nobody's.
ClusterStatus cluster(const QList<NodeStatus> &nodes)
{
    ClusterStatus status;
    status.nodes = nodes;
    auto keepers = std::make_shared<ClusterStatus::Keepers>();
    for (size_t slot = 0; slot < slotCount; ++slot)
        (*keepers)[slot] = qint16(std::min<qsizetype>(qsizetype(slot), nodes.size() - 1));
    keepers->back() = -1;
    status.keepers = keepers;
    status.findUnknownSlots();
    return status;
}

} // namespace

class ClusterStatusTest : public QObject
{
    Q_OBJECT

private slots:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }

    void slotsOfWhichChangesMayBeMissed()
    {
        QVERIFY(!cluster({node(true), node(true), node(true)}).unknownSlots);
        SlotSet expected;
        expected.set(1);
        expected.set(slotCount - 1); // it may be the lost one's
        QVERIFY(*cluster({node(true), node(false), node(true)}).unknownSlots == expected);
        // One that is back is read first.
        NodeStatus back = node(false);
        back.state = Link::State::Ready;
        QVERIFY(*cluster({node(true), back, node(true)}).unknownSlots == expected);
        QVERIFY(cluster({node(false), node(false)}).unknownSlots->all());
    }

    void beforeAnythingWasReadNothingIsMissed()
    {
        QVERIFY(!cluster({node(true, false), node(false, false)}).unknownSlots);
        QVERIFY(cluster({node(true), node(false, false)}).unknownSlots);
    }

    /// Any lock may have had its majority with the lost one.
    void ofAGroupItIsAllOrNothing()
    {
        ClusterStatus group;
        group.isGroup = true;
        group.nodes = {node(true), node(true), node(true)};
        group.findUnknownSlots();
        QVERIFY(!group.unknownSlots);
        group.nodes[1] = node(false);
        group.findUnknownSlots();
        QVERIFY(group.unknownSlots->all());
        ClusterStatus single;
        single.nodes = {node(false)};
        single.findUnknownSlots();
        QVERIFY(!single.unknownSlots); // its connection tells
    }
};

QTEST_APPLESS_MAIN(ClusterStatusTest)
#include "tst_clusterstatus.moc"
