// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/savedwidgetstate.h"

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
            new SavedWidgetState(
                QStringLiteral("part"), &part, [&] { return arranged; },
                [&](const QByteArray &state) { restored = state; });
        };
        QWidget window;
        QWidget panel(&window);
        declare(panel);
        SavedWidgetState::restoreAll(window, settings);
        QVERIFY(restored.isEmpty());
        SavedWidgetState::saveAll(window, settings);
        SavedWidgetState::restoreAll(window, settings);
        QCOMPARE(restored, "as it was");
        arranged.clear(); // as it comes: what was arranged before is not wanted any more
        SavedWidgetState::saveAll(window, settings);
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
            SavedWidgetState::keep(QStringLiteral("splitter"), splitter);
            return splitter;
        };
        QWidget first;
        make(first)->setSizes({300, 100});
        SavedWidgetState::saveAll(first, settings);
        QWidget second;
        QSplitter *splitter = make(second);
        QVERIFY(splitter->sizes()[0] != first.findChild<QSplitter *>()->sizes()[0]);
        SavedWidgetState::restoreAll(second, settings);
        QCOMPARE(splitter->sizes(), first.findChild<QSplitter *>()->sizes());
    }
};

QTEST_MAIN(KeptStateTest)
#include "tst_savedwidgetstate.moc"
