// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/momentteller.h"

#include <QtTest>

using namespace lockscope;
using namespace std::chrono_literals;

namespace {

class Teller : public WatchSource
{
public:
    using WatchSource::WatchSource;
};

FeedStatus sufferedAt(TimePoint at)
{
    FeedStatus status;
    status.incident = FeedStatus::Incident{FeedGap::Lost, at};
    return status;
}

} // namespace

class MomentTellerTest : public QObject
{
    Q_OBJECT

private slots:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }

    /// A node that comes back brings the last gap of its feed with it.
    void aGapIsToldOnce()
    {
        Teller source;
        MomentTeller teller(source, QStringLiteral("server"), [](const Deadlock &) { return QString(); });
        int gaps = 0;
        connect(&teller, &MomentTeller::happened, this,
                [&](const Moment &moment) { gaps += moment.kind == MomentKind::FeedGap; });
        const TimePoint at = Clock::now();
        emit source.feedChanged(sufferedAt(at));
        QCOMPARE(gaps, 1);
        emit source.feedChanged({});
        emit source.feedChanged(sufferedAt(at));
        QCOMPARE(gaps, 1);
        emit source.feedChanged(sufferedAt(at + 1ms));
        QCOMPARE(gaps, 2);
        teller.forget(); // of another time
        emit source.feedChanged(sufferedAt(at));
        QCOMPARE(gaps, 3);
    }
};

QTEST_MAIN(MomentTellerTest)
#include "tst_momentteller.moc"
