// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/simulation/runtimeline.h"

#include "tests/ui/simulation/sampletrace.h"
#include "ui/lanes/lanepicture.h"
#include "ui/lanes/legendentry.h"

#include <QComboBox>
#include <QFile>
#include <QImage>
#include <QLabel>
#include <QTemporaryDir>
#include <QToolButton>
#include <QXmlStreamReader>
#include <QtTest>

using namespace lockscope;
using namespace std::chrono_literals;

class RunTimelineTest : public QObject
{
    Q_OBJECT

private slots:
    void init()
    {
        QTest::failOnWarning(QRegularExpression(QStringLiteral("^(?!This plugin does not support )")));
        m_timeline = std::make_unique<RunTimeline>();
        m_timeline->resize(1100, 400);
        m_timeline->setVisible(true);
    }
    void cleanup() { m_timeline.reset(); }

    void aRunGrowsWhileItRuns()
    {
        const QList<QByteArray> keys{"sim:a:1"};
        Plan plan = sampleTraced().plan;
        m_timeline->begin(QStringLiteral("Sample"), plan);
        const QList<TraceEntry> entries = sampleEntries();
        SimulationSnapshot snapshot = samplePicture(3, 300ms, 1);
        snapshot.news = entries.mid(0, 8);
        m_timeline->take(snapshot, keys);
        QCOMPARE(m_timeline->lanes().laneCount(), 4);
        QCOMPARE(m_timeline->lanes().known().toMs, 300'000);
        snapshot.elapsed = 1300ms;
        snapshot.news = entries.mid(8);
        m_timeline->take(snapshot, keys);
        QCOMPARE(m_timeline->lanes().history().sections()[0].stays.size(), size_t(3));
        const TimeRange shown = m_timeline->view().scale().shown();
        QVERIFY(shown.fromMs <= 0 && shown.toMs >= 1'300'000); // all of it
        press(Qt::Key_Space);                                  // cannot be played while it runs
        QVERIFY(!m_timeline->isPlaying());
        press(Qt::Key_N); // nor gone through
        QVERIFY(!m_timeline->view().cursor());
        snapshot.traceFullAt = 1s; // of what was not kept, nothing is said
        snapshot.traceLeftOut = 7;
        snapshot.news = {};
        m_timeline->take(snapshot, keys);
        QCOMPARE(m_timeline->lanes().stateText(0, 900'000), QStringLiteral("W1, W2"));
        for (const int lane : {0, 1}) {
            QCOMPARE(m_timeline->lanes().stateText(lane, 1'200'000), QStringLiteral("not recorded"));
            QVERIFY(m_timeline->lanes().toolTip(lane, 1'200'000).contains(QStringLiteral("not recorded")));
        }
        snapshot.traceFullAt.reset();
        snapshot.elapsed = 10ms; // it proved nothing: it is run again
        snapshot.news = {};
        m_timeline->take(snapshot, keys);
        QVERIFY(m_timeline->lanes().history().sections()[0].stays.empty());
    }

    void aFailedRunStaysAsItWas()
    {
        m_timeline->begin(QStringLiteral("Sample"), sampleTraced().plan);
        SimulationSnapshot snapshot = samplePicture(3, 1300ms, 1);
        snapshot.news = sampleEntries();
        m_timeline->take(snapshot, {"sim:a:1"});
        m_timeline->show({});
        press(Qt::Key_N);
        QCOMPARE(m_timeline->view().cursor().value_or(-1), 1'000);
    }

    void aRunIsBuiltWhenItIsSeen()
    {
        m_timeline->setVisible(false);
        showSample();
        QVERIFY(m_timeline->lanes().history().sections().empty());
        m_timeline->setVisible(true);
        QCOMPARE(m_timeline->lanes().history().sections().size(), size_t(1));
    }

    void whatCannotBeDoneIsDisabled()
    {
        const auto areEnabled = [this] {
            QList<bool> enabled;
            for (const char *name : {"previousEvent", "playRun", "nextEvent", "showAll"})
                enabled << m_timeline->findChild<QToolButton *>(QString::fromLatin1(name))->isEnabled();
            return enabled;
        };
        QCOMPARE(areEnabled(), (QList<bool>{false, false, false, false}));
        m_timeline->begin(QStringLiteral("Sample"), sampleTraced().plan);
        QCOMPARE(areEnabled(), (QList<bool>{false, false, false, false}));
        showSample();
        QCOMPARE(areEnabled(), (QList<bool>{true, true, true, false}));
        press(Qt::Key_N);
        QCOMPARE(areEnabled(), (QList<bool>{true, true, true, true}));
        showSample();
        QCOMPARE(areEnabled(), (QList<bool>{true, true, true, false}));
    }

    void keysWithModifiersAreNotItsOwn()
    {
        showSample();
        QTest::keyClick(&m_timeline->view(), Qt::Key_N, Qt::ControlModifier);
        QVERIFY(!m_timeline->view().cursor());
    }

    void keysAloneReachAndDoAll()
    {
        m_timeline->show({{QStringLiteral("one"), sampleTraced()}, {QStringLiteral("two"), sampleTraced()}});
        m_timeline->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(m_timeline.get()));
        const auto type = [this](Qt::Key key) {
            QWidget *focused = QApplication::focusWidget();
            QTest::keyClick(focused ? focused : m_timeline.get(), key);
        };
        const auto place = [] {
            QWidget *focused = QApplication::focusWidget();
            const auto *entry = qobject_cast<LegendEntry *>(focused);
            return entry ? entry->text() : focused ? focused->objectName() : QString();
        };
        const auto goTo = [&](const char *wanted, Qt::Key way) {
            for (int steps = 0; steps < 30 && place() != QString::fromLatin1(wanted); ++steps)
                type(way);
            return place() == QString::fromLatin1(wanted);
        };
        LaneView &lanes = m_timeline->view();
        const QImage without = lanes.grab().toImage();
        QVERIFY(goTo("shownRun", Qt::Key_Tab));
        QStringList reached{place()};
        while (reached.size() < 30 && place() != QStringLiteral("runLanes")) {
            type(Qt::Key_Tab);
            reached << place();
        }
        QCOMPARE(reached.join(u' '),
                 QStringLiteral("shownRun Holding Waiting Overlap Lease Renewed Wake-up Events previousEvent "
                                "playRun nextEvent playingTime savePicture runLanes"));
        QVERIFY(lanes.grab().toImage() != without); // the focus is seen

        // Lanes and their moments.
        const auto chosen = [this] {
            for (int lane = 0; lane < m_timeline->lanes().laneCount(); ++lane) {
                if (m_timeline->lanes().isChosen(lane))
                    return lane;
            }
            return -1;
        };
        type(Qt::Key_Down);
        type(Qt::Key_Down);
        QCOMPARE(chosen(), 1);
        type(Qt::Key_Up);
        QCOMPARE(chosen(), 0);
        type(Qt::Key_Right);
        QVERIFY(lanes.cursor());
        QVERIFY2(lanes.accessibleDescription().startsWith(QStringLiteral("Critical section at ")),
                 qPrintable(lanes.accessibleDescription()));
        type(Qt::Key_Space);
        QVERIFY(m_timeline->isPlaying());
        type(Qt::Key_Space);
        QVERIFY(!m_timeline->isPlaying());
        type(Qt::Key_A);
        QCOMPARE(m_timeline->lanes().shownUntilMs(), ended());

        // The legend; and steps, from there too.
        QVERIFY(goTo("Waiting", Qt::Key_Backtab));
        type(Qt::Key_Space);
        QVERIFY(!(lanes.parts() & LanePart::Waits));
        type(Qt::Key_Space);
        QVERIFY(lanes.parts() & LanePart::Waits);
        lanes.setCursorAt(std::nullopt);
        type(Qt::Key_N);
        QCOMPARE(lanes.cursor().value_or(-1), 1'000);
        type(Qt::Key_N);
        QCOMPARE(lanes.cursor().value_or(-1), 50'000); // what is nearer than a pixel is one step
        type(Qt::Key_P);
        QCOMPARE(lanes.cursor().value_or(-1), 2'000);
        QVERIFY(goTo("showAll", Qt::Key_Tab)); // there is something to be shown again
        type(Qt::Key_Space);
        QCOMPARE(m_timeline->lanes().shownUntilMs(), ended());
        QVERIFY(goTo("playRun", Qt::Key_Backtab));
        type(Qt::Key_Space);
        QVERIFY(m_timeline->isPlaying());
        type(Qt::Key_Space);
        QVERIFY(!m_timeline->isPlaying());

        for (const auto &[name, key] : {std::pair("previousEvent", "(P)"), std::pair("playRun", "(Space)"),
                                        std::pair("nextEvent", "(N)"), std::pair("showAll", "(A)")}) {
            const auto *button = m_timeline->findChild<QToolButton *>(QString::fromLatin1(name));
            QVERIFY2(button->toolTip().contains(QString::fromLatin1(key)), name);
        }
    }

    void itIsPlayedSlowlyAndPaused()
    {
        showSample();
        press(Qt::Key_Space);
        QVERIFY(m_timeline->isPlaying());
        QTRY_VERIFY(m_timeline->lanes().shownUntilMs() > 2'000);
        const qint64 until = m_timeline->lanes().shownUntilMs();
        QVERIFY(until < ended());
        QCOMPARE(m_timeline->view().cursor().value_or(-1), until);
        press(Qt::Key_Space);
        QVERIFY(!m_timeline->isPlaying());
        press(Qt::Key_A);
        QCOMPARE(m_timeline->lanes().shownUntilMs(), ended());
    }

    void stepsUncoverOneEventAfterTheOther()
    {
        showSample();
        press(Qt::Key_N);
        QCOMPARE(m_timeline->view().cursor().value_or(-1), 1'000);
        const qint64 first = m_timeline->lanes().shownUntilMs();
        QVERIFY(first < 50'000);
        int steps = 1;
        for (qint64 at = 0; at != m_timeline->view().cursor().value_or(0); ++steps) {
            at = m_timeline->view().cursor().value_or(0);
            press(Qt::Key_N);
        }
        QVERIFY(steps > 10);
        QCOMPARE(m_timeline->lanes().shownUntilMs(), ended());
        press(Qt::Key_P);
        QVERIFY(m_timeline->lanes().shownUntilMs() < ended());
        QVERIFY(!m_timeline->isPlaying());
    }

    void aMomentIsGoneTo()
    {
        showSample();
        m_timeline->view().showTime({900'000, 1'000'000});
        m_timeline->goTo(0, 310ms);
        QCOMPARE(m_timeline->view().cursor().value_or(-1), 310'000);
        const TimeRange shown = m_timeline->view().scale().shown();
        QVERIFY(shown.fromMs <= 310'000 && shown.toMs >= 310'000);
        QCOMPARE(shown.toMs - shown.fromMs, 100'000); // as near as before
    }

    void ofSeveralRunsOneIsShown()
    {
        Report other = sampleTraced();
        other.trace = RunTrace();
        other.keys = {"a", "b"};
        m_timeline->show({{QStringLiteral("one"), sampleTraced()}, {QStringLiteral("two"), other}});
        QCOMPARE(m_timeline->title(), QStringLiteral("one"));
        m_timeline->goTo(1, 5ms);
        QCOMPARE(m_timeline->title(), QStringLiteral("two"));
        QCOMPARE(m_timeline->lanes().laneCount(), 5);
    }

    void aPictureIsWritten()
    {
        showSample();
        const QTemporaryDir folder;
        const auto save = [&](const QString &path) {
            return saveLanePicture(m_timeline->view(), QStringLiteral("A <b>title</b>"), path);
        };
        const QString svg = folder.filePath(QStringLiteral("run.svg"));
        QCOMPARE(save(svg), QString());
        QFile file(svg);
        QVERIFY(file.open(QIODevice::ReadOnly));
        QXmlStreamReader xml(&file);
        QString text;
        while (!xml.atEnd()) {
            if (xml.readNext() == QXmlStreamReader::Characters)
                text += xml.text();
        }
        QVERIFY2(!xml.hasError(), qPrintable(xml.errorString()));
        for (const char *word : {"A <b>title</b>", "Critical section", "W1", "W3"})
            QVERIFY2(text.contains(QString::fromLatin1(word)), word);

        const QString png = folder.filePath(QStringLiteral("run.PNG"));
        QCOMPARE(save(png), QString());
        const QImage image(png);
        QVERIFY(image.width() >= 2 * m_timeline->view().viewport()->width());
        QVERIFY(image.height() >= 2 * m_timeline->view().wholeHeight());
        QVERIFY(!save(folder.filePath(QStringLiteral("no/such/run.svg"))).isEmpty());
    }

private:
    void showSample() { m_timeline->show({{QStringLiteral("Sample"), sampleTraced()}}); }
    qint64 ended() const { return RunLanes::onAxis(m_timeline->lanes().end()); }
    void press(int key) { QTest::keyClick(&m_timeline->view(), Qt::Key(key)); }

    std::unique_ptr<RunTimeline> m_timeline;
};

QTEST_MAIN(RunTimelineTest)
#include "tst_runtimeline.moc"
