// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/inspector/probeview.h"

#include "tests/ui/samplelocks.h"

#include <QToolButton>
#include <QtTest>

using namespace lockscope;
using namespace lockscope::sample;

class TestProbeView : public QObject
{
    Q_OBJECT

private slots:
    void init()
    {
        QTest::failOnWarning(QRegularExpression(QStringLiteral(".*")));
        m_window = std::make_unique<QWidget>();
        m_view = new ProbeView(m_window.get());
        m_button = m_view->findChild<QToolButton *>();
        m_asked.clear();
        m_answers.clear();
        m_window->show();
    }
    void cleanup() { m_window.reset(); }

    void isHiddenWhereNothingCanBeAsked()
    {
        const Lock lock = reentrant("lock:a").lock;
        const auto isShown = [&](bool gone = false) {
            m_view->showLock(lock, gone);
            return m_view->isVisible();
        };
        QVERIFY(!isShown()); // of a recording
        setProbe({});
        QVERIFY(!isShown());
        setProbe(QStringLiteral("ask {host}"));
        QVERIFY(!isShown());
        setProbe(QStringLiteral("ask {owner}"));
        QVERIFY(!isShown(true));
        QVERIFY(isShown());
        setProbe(QStringLiteral("ask {pid}")); // of a family's file
        QVERIFY(isShown());
        QVERIFY2(text().startsWith(QStringLiteral("A probe is a program")), qPrintable(text()));
        QVERIFY(!m_button->isVisible());
    }

    void runsWhatItShowsOnAPressAlone()
    {
        setProbe(QStringLiteral("ask {owner}"));
        m_view->showLock(reentrant("lock:a").lock, false);
        QCOMPARE(text(), QStringLiteral("ask web-1:7"));
        QVERIFY(m_asked.isEmpty());
        m_button->click();
        QCOMPARE(m_asked.size(), 1);
        QCOMPARE(m_asked.first().arguments, QStringList({QStringLiteral("ask"), QStringLiteral("web-1:7")}));
        QCOMPARE(text(), QStringLiteral("ask web-1:7\nrunning…"));
        QVERIFY(!m_button->isEnabled());
        answer();
        QVERIFY2(text().endsWith(QStringLiteral(": exit 1, no \\u{202E}such pod")), qPrintable(text()));
        QVERIFY(m_button->isEnabled());
    }

    void anAnswerGoesWithItsHolder()
    {
        setProbe(QStringLiteral("ask {owner}"));
        const Lock lock = reentrant("lock:a").lock;
        m_view->showLock(lock, false);
        m_button->click();
        m_view->showLock(reentrant("lock:b").lock, false); // the other is asked meanwhile
        QVERIFY(!m_button->isEnabled());
        answer();
        QCOMPARE(text(), QStringLiteral("ask web-1:7"));
        m_view->showLock(lock, false);
        QVERIFY(text().contains(QStringLiteral("exit 1")));
        m_view->showLock(reentrant("lock:a", 20s, "web-2:1").lock, false);
        QCOMPARE(text(), QStringLiteral("ask web-2:1"));
        m_view->showLock(lock, false);
        QCOMPARE(text(), QStringLiteral("ask web-1:7"));
    }

private:
    void setProbe(const QString &command)
    {
        m_view->setProbe(command, [this](const ProbeRequest &request) {
            m_asked.append(request);
            m_answers.emplace_back().start();
            return m_answers.back().future();
        });
    }
    QString text() const { return m_view->rows().value(0).second; }
    void answer()
    {
        m_answers.back().addResult(ProbeAnswer{ProbeEnd::Exited, 1, "no \u202Esuch pod", 1});
        m_answers.back().finish();
    }

    std::unique_ptr<QWidget> m_window;
    ProbeView *m_view = nullptr;
    QToolButton *m_button = nullptr;
    QList<ProbeRequest> m_asked;
    std::vector<QPromise<Result<ProbeAnswer>>> m_answers;
};

QTEST_MAIN(TestProbeView)
#include "tst_probeview.moc"
