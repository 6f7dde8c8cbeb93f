// SPDX-License-Identifier: GPL-3.0-or-later
// A window that is opened by a link.
#include "core/redis/serverlink.h"
#include "tests/support/recordedfile.h"
#include "tests/system/ui/testwindow.h"
#include "ui/connect/connectpage.h"
#include "ui/inspector/inspectorpanel.h"
#include "ui/replay/scrubslider.h"
#include "ui/widgets/banner.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QLineEdit>

using namespace lockscope;
using namespace std::chrono_literals;

class WindowLinksTest : public QObject
{
    Q_OBJECT

private slots:
    void init()
    {
        TestWindow::failOnWarning();
        m_test = std::make_unique<TestWindow>();
        QSettings().clear();
    }
    void cleanup() { m_test.reset(); }

    /// What is copied in one window opens the same in another.
    void aLockIsLinkedTo()
    {
        m_test->server().cli({"SET", "lock:a b", "x", "PX", "600000"});
        m_test->server().cli({"SET", "lock:c", "x", "PX", "600000"});
        QVERIFY(m_test->connect());
        QTRY_COMPARE(m_test->rows(), 2);
        QVERIFY(!m_test->commands().copyLink->isEnabled());
        m_test->page()->choose(LockKey("lock:a b"));
        QTRY_VERIFY(m_test->commands().copyLink->isEnabled());
        m_test->commands().copyLink->trigger();
        const auto link = ServerLink::parse(QGuiApplication::clipboard()->text().toUtf8());
        QVERIFY(link);
        QCOMPARE(link->key, "lock:a b");
        QVERIFY(link->wallMs.value() <= QDateTime::currentMSecsSinceEpoch());

        // It was stored when it was connected to.
        open(*link);
        QTRY_VERIFY_WITH_TIMEOUT(m_test->page() && m_test->page()->chosen(), 20'000);
        QCOMPARE(m_test->page()->chosen()->bytes, "lock:a b");
        QVERIFY2(banners().contains(QStringLiteral("open a recording")), qPrintable(banners()));
    }

    void aLockThatIsGoneIsSaid()
    {
        rememberServer({QStringLiteral("one"), m_test->server().socketAddress(), true});
        open({m_test->server().socketAddress(), "lock:gone", {}});
        QTRY_VERIFY_WITH_TIMEOUT(banners().contains(QStringLiteral("lock:gone is not among the locks")),
                                 20'000);
        QVERIFY(m_test->window().windowTitle().startsWith(QStringLiteral("one (read-only)")));
        QVERIFY(!banners().contains(QStringLiteral("recording")));
    }

    /// Nobody knows who wrote it.
    void anUnknownServerIsOnlyFilledIn()
    {
        open({m_test->server().tcpAddress(), "lock:a", {}});
        const auto *uri = m_test->find<ConnectPage>()->findChild<QLineEdit *>(QStringLiteral("uri"));
        QVERIFY(uri);
        QCOMPARE(uri->text(), m_test->server().tcpAddress().toUriWithoutPassword());
        QVERIFY2(shownText(m_test->window()).contains(QStringLiteral("not stored")),
                 qPrintable(shownText(m_test->window())));
        QVERIFY(!m_test->page());
        m_test->server().cli({"SET", "lock:a", "x", "PX", "600000"});
        QVERIFY(!m_test->server().cli({"CLIENT", "LIST"}).contains("name=lockscope"));
        button(m_test->window(), QStringLiteral("Connect"))->click(); // the user wants to
        QTRY_VERIFY_WITH_TIMEOUT(m_test->page() && m_test->page()->chosen(), 20'000);
        QCOMPARE(m_test->page()->chosen()->bytes, "lock:a");
    }

    void aBadLinkIsSaid()
    {
        WindowOptions options;
        options.warning = QStringLiteral("no good");
        m_test->open(options);
        QVERIFY(shownText(m_test->window()).contains(QStringLiteral("no good")));
    }

    void aRecordingOpensAtItsMoment()
    {
        RecordedFile file;
        file.setWatched(true);
        file.acquire("lock:a", "worker");
        file.pass(60s);
        file.acquire("lock:b", "worker");
        file.pass(60s);
        file.finish();
        openRecording(file, {{}, "lock:b", RecordedFile::wallBegin + 90'000});
        QTRY_VERIFY(m_test->page() && m_test->page()->chosen());
        QCOMPARE(m_test->page()->chosen()->bytes, "lock:b");
        QCOMPARE(m_test->find<ScrubSlider>()->moment(), milliseconds(90'000));
        QVERIFY(!m_test->commands().copyLink->isEnabled());

        openRecording(file, {{}, "lock:b", RecordedFile::wallBegin + 30'000});
        QTRY_VERIFY2(banners().contains(QStringLiteral("lock:b is not among the locks of this moment")),
                     qPrintable(banners()));
        openRecording(file, {{}, "lock:a", RecordedFile::wallBegin - 86'400'000});
        QTRY_VERIFY2(banners().contains(QStringLiteral("does not contain")), qPrintable(banners()));
        QTRY_VERIFY(m_test->page()->chosen());
    }

private:
    void open(const ServerLink &link)
    {
        WindowOptions options;
        options.link = link;
        m_test->open(options);
    }
    void openRecording(const RecordedFile &file, const ServerLink &link)
    {
        WindowOptions options;
        options.replayPath = file.path();
        options.link = link;
        m_test->open(options);
    }
    QString banners() const
    {
        QStringList texts;
        for (const Banner *banner : m_test->window().findChildren<Banner *>()) {
            if (banner->isVisible())
                texts << banner->text();
        }
        return texts.join(u'\n');
    }

    std::unique_ptr<TestWindow> m_test;
};

QTEST_MAIN(WindowLinksTest)
#include "tst_windowlinks.moc"
