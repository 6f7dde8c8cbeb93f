// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/keptstate.h"

#include <QSettings>
#include <QSplitter>
#include <QTemporaryDir>
#include <QtTest>

using namespace lockscope;

class KeptStateTest : public QObject
{
    Q_OBJECT

private slots:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }

    void whatIsDeclaredComesBack()
    {
        const QTemporaryDir directory;
        QSettings settings(directory.filePath(QStringLiteral("layout.ini")), QSettings::IniFormat);
        QByteArray arranged = "as it was";
        QByteArray restored;
        const auto declare = [&](QObject &part) {
            new KeptState(
                QStringLiteral("part"), &part, [&] { return arranged; },
                [&](const QByteArray &state) { restored = state; });
        };
        QWidget window;
        QWidget panel(&window);
        declare(panel);
        KeptState::restoreAll(window, settings);
        QVERIFY(restored.isEmpty());
        KeptState::saveAll(window, settings);
        KeptState::restoreAll(window, settings);
        QCOMPARE(restored, "as it was");
        arranged.clear(); // as it comes: what was arranged before is not wanted any more
        KeptState::saveAll(window, settings);
        QVERIFY(!settings.contains(QStringLiteral("part")));
    }

    void aSplitterIsKept()
    {
        const QTemporaryDir directory;
        QSettings settings(directory.filePath(QStringLiteral("layout.ini")), QSettings::IniFormat);
        const auto make = [](QWidget &window) {
            auto *splitter = new QSplitter(&window);
            splitter->setChildrenCollapsible(false);
            splitter->resize(400, 100);
            splitter->addWidget(new QWidget);
            splitter->addWidget(new QWidget);
            KeptState::keep(QStringLiteral("splitter"), splitter);
            return splitter;
        };
        QWidget first;
        make(first)->setSizes({300, 100});
        KeptState::saveAll(first, settings);
        QWidget second;
        QSplitter *splitter = make(second);
        QVERIFY(splitter->sizes()[0] != first.findChild<QSplitter *>()->sizes()[0]);
        KeptState::restoreAll(second, settings);
        QCOMPARE(splitter->sizes(), first.findChild<QSplitter *>()->sizes());
    }
};

QTEST_MAIN(KeptStateTest)
#include "tst_keptstate.moc"
