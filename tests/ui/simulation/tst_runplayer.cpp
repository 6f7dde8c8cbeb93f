// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/simulation/runplayer.h"

#include <QtTest>

using namespace lockscope;
using namespace std::chrono_literals;

class RunPlayerTest : public QObject
{
    Q_OBJECT

private slots:
    void aShortRunIsPlayedSlowly()
    {
        RunPlayer player;
        player.setLength(1300ms, 20s);
        QVERIFY(!player.isPlaying());
        player.advance(5s); // nothing is played yet
        QVERIFY(player.position() == 0us);
        player.play(0us);
        player.advance(10s);
        QVERIFY(player.position() == 650ms);
        QVERIFY(player.isPlaying());
        player.advance(11s);
        QVERIFY(player.position() == 1300ms); // not beyond its end
        QVERIFY(!player.isPlaying());
    }

    void itGoesOnFromAnyMoment()
    {
        RunPlayer player;
        player.setLength(1s, 10s);
        player.play(400ms);
        player.advance(1s);
        QVERIFY(player.position() == 500ms);
        player.stop();
        player.advance(1s);
        QVERIFY(player.position() == 500ms);
        player.play(1s); // there is nothing left
        QVERIFY(!player.isPlaying());
    }

    void stepsGoFromEventToEvent()
    {
        const std::vector<microseconds> moments{10us, 12us, 50us, 90us};
        QVERIFY(RunPlayer::next(moments, 0us, 0us) == 10us);
        QVERIFY(RunPlayer::next(moments, 10us, 0us) == 12us);
        QVERIFY(RunPlayer::next(moments, 10us, 5us) == 50us); // nearer is the same step
        QVERIFY(!RunPlayer::next(moments, 90us, 0us));
        QVERIFY(RunPlayer::previous(moments, 50us, 0us) == 12us);
        QVERIFY(RunPlayer::previous(moments, 50us, 38us) == 10us);
        QVERIFY(!RunPlayer::previous(moments, 10us, 0us));
        QVERIFY(!RunPlayer::next({}, 0us, 0us));
    }
};

QTEST_APPLESS_MAIN(RunPlayerTest)
#include "tst_runplayer.moc"
