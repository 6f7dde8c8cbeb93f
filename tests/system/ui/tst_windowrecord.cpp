// SPDX-License-Identifier: GPL-3.0-or-later
// A server's page that is recorded while it is shown.
#include "core/recording/listedevents.h"
#include "core/recording/recording.h"
#include "tests/system/cliprogram.h"
#include "tests/system/ui/testwindow.h"
#include "ui/recording/recordcontroller.h"

#include <QLabel>
#include <QProcess>
#include <QtTest>

#include <algorithm>

using namespace lockscope;
using namespace std::chrono_literals;

namespace {

const QString windowProgram = QStringLiteral(LOCKSCOPE_BIN_DIR "/lockscope");

} // namespace

class WindowRecordTest : public QObject
{
    Q_OBJECT

private slots:
    void init() { TestWindow::failOnWarning(); }
    void anOpenServerIsRecorded();
    void whereNothingCanBeWritten();
    void theProgramsOptions();
};

void WindowRecordTest::anOpenServerIsRecorded()
{
    TestWindow world;
    QVERIFY(world.connect());
    world.server().cli({"SET", "lock:before", "owner-1", "PX", "600000"});
    world.addFair("lock:fair", "6f8a6c54-58cc-4372-a567-0e02b2c3d479:1",
                  {"6f8a6c54-58cc-4372-a567-0e02b2c3d479:2"});
    QTRY_COMPARE(world.page()->model().rowCount(), 2);
    const QTemporaryDir directory;
    const QString path = directory.filePath(QStringLiteral("r"));
    auto *controller = world.find<RecordController>();
    controller->start(path, {});
    QTRY_VERIFY(controller->isRecording());
    QCOMPARE(world.commands().record->iconText(), QStringLiteral("Stop recording"));
    const auto sign = [&] {
        const QList<QLabel *> labels = world.window().findChildren<QLabel *>();
        const auto it = std::ranges::find_if(labels, [](const QLabel *label) {
            return label->accessibleName() == QStringLiteral("Recording");
        });
        return it != labels.end() && (*it)->isVisible() ? (*it)->accessibleDescription() : QString();
    };
    QVERIFY(sign().startsWith(QStringLiteral("recording")));
    world.server().cli({"SET", "lock:during", "owner-2", "PX", "600000"});
    QTRY_COMPARE(world.page()->model().rowCount(), 3);
    world.commands().record->trigger();
    QTRY_VERIFY(!controller->isRecording());
    QVERIFY(sign().isEmpty());

    const auto recording = Recording::open(path);
    QVERIFY(recording);
    // What was held when it began was there from its first moment on, and is not said to have been acquired then.
    const RecordedSnapshot first = recording->pictureAt(
        *recording->eventBefore(
            recording->length(),
            ListedEvents{.moment = [](MonitorEventKind, const LockKey &) { return false; }}) -
            1ms,
        Clock::now());
    QCOMPARE(first.locks.size(), 2);
    for (const WatchedLock &lock : first.locks) {
        const WatchedLock *shown = world.page()->model().find(lock.key());
        QVERIFY(shown);
        QCOMPARE(lock.lock.owners, shown->lock.owners);
        QCOMPARE(lock.hasSeenAcquisition, shown->hasSeenAcquisition);
    }
    QCOMPARE(recording->events(), 1);
    const RecordedSnapshot last = recording->pictureAt(recording->length(), Clock::now());
    QCOMPARE(last.locks.size(), 3);
    QVERIFY(last.watching.isCurrent());
    QCOMPARE(last.watching.serverMode, QByteArray("standalone"));
    // Nothing but the moment before the first state is not known.
    for (const RecordingGap &gap : recording->gaps())
        QVERIFY(gap.to < 1s);
}

void WindowRecordTest::whereNothingCanBeWritten()
{
    TestWindow world;
    QVERIFY(world.connect());
    const QTemporaryDir directory;
    auto *controller = world.find<RecordController>();
    QSignalSpy refused(controller, &RecordController::refused);
    controller->start(directory.filePath(QStringLiteral("none/r")), {});
    QTRY_COMPARE(refused.size(), 1);
    QVERIFY(!controller->isRecording());
    QFile text(directory.filePath(QStringLiteral("text")));
    QVERIFY(text.open(QIODevice::WriteOnly));
    text.write("mine");
    text.close();
    controller->start(text.fileName(), {});
    QTRY_COMPARE(refused.size(), 2);
    QVERIFY(text.open(QIODevice::ReadOnly));
    QCOMPARE(text.readAll(), QByteArray("mine"));
}

/// `--record` writes what `lockscope-cli replay` reads; `--replay` shows it.
void WindowRecordTest::theProgramsOptions()
{
    const CliProgram cli;
    RedisServer server;
    server.cli({"SET", "lock:a", "owner-1", "PX", "600000"});
    const QTemporaryDir directory;
    const QString path = directory.filePath(QStringLiteral("r"));
    const QProcessEnvironment environment = [&] {
        QProcessEnvironment own = QProcessEnvironment::systemEnvironment();
        own.insert(QStringLiteral("XDG_CONFIG_HOME"), directory.path());
        return own;
    }();
    const auto end = [](QProcess &program) {
        program.terminate();
        return program.waitForFinished(20'000) && program.exitStatus() == QProcess::NormalExit
                   ? program.exitCode()
                   : -1;
    };
    QProcess window;
    window.setProcessEnvironment(environment);
    window.start(windowProgram,
                 {QStringLiteral("-s"), server.socketPath(), QStringLiteral("--record"), path});
    const auto locksIn = [&] {
        const Ran at = CliProgram::run({"replay", QFile::encodeName(path), "--info", "--json"});
        return at.exitCode == 0 && jsonIn(at.out)[QStringLiteral("length_ms")].toInt() > 1000;
    };
    QTRY_VERIFY_WITH_TIMEOUT(locksIn(), 30'000);
    QCOMPARE(end(window), 0);
    const Recording recording = *Recording::open(path);
    QCOMPARE(recording.pictureAt(recording.length(), Clock::now()).locks.size(), 1);
    QProcess replay;
    replay.setProcessEnvironment(environment);
    replay.start(windowProgram, {QStringLiteral("--replay"), path});
    QVERIFY(replay.waitForStarted());
    QVERIFY(!replay.waitForFinished(1500)); // it stays
    QCOMPARE(end(replay), 0);
    const QByteArray file = QFile::encodeName(path);
    for (const QList<QByteArray> &wrong :
         {QList<QByteArray>{"--replay", file, "-p", "1"}, QList<QByteArray>{"--max-size", "5"},
          QList<QByteArray>{"--replay", file, "--record", file}})
        QCOMPARE(runProgram(windowProgram, wrong).exitCode, 2);
}

QTEST_MAIN(WindowRecordTest)
#include "tst_windowrecord.moc"
