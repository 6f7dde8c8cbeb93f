// SPDX-License-Identifier: GPL-3.0-or-later
// Whether the pictures of the documents still show this window: its words as of when they were made are kept beside them.
#include "core/table/lockcolumns.h"
#include "ui/actions/mainactions.h"

#include <QFile>
#include <QMainWindow>
#include <QMenuBar>
#include <QToolBar>
#include <QtTest>

using namespace lockscope;

class PicturesTest : public QObject
{
    Q_OBJECT

private slots:
    void init()
    {
        QTest::failOnWarning(
            QRegularExpression(QStringLiteral("^(?!This plugin does not support propagateSizeHints)")));
    }

    void theyHaveTheWindowsWords()
    {
        QMainWindow window;
        auto *actions = new MainActions(&window);
        actions->fillMenuBar(*window.menuBar());
        auto *tools = window.addToolBar(QString());
        actions->fillToolBar(*tools);
        QStringList words;
        for (const QAction *menu : window.menuBar()->actions())
            words.append(QStringLiteral("menu: ") + menu->text().remove(u'&'));
        for (const QAction *tool : tools->actions()) {
            if (!tool->isSeparator() && !tool->iconText().isEmpty())
                words.append(QStringLiteral("tool: ") + tool->iconText().remove(u'&'));
        }
        for (const LockColumnSpec &column : lockColumns()) {
            if (column.room.turn != ColumnRoom::whenChosen)
                words.append(QStringLiteral("column: ") + column.title({}));
        }
        QFile file(QStringLiteral(LOCKSCOPE_SOURCE_DIR "/packaging/screenshots/shown.txt"));
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QString shown = QString::fromUtf8(file.readAll()).trimmed();
        QVERIFY2(shown == words.join(u'\n'),
                 qPrintable(QStringLiteral("run packaging/make-pictures, and write to shown.txt:\n") +
                            words.join(u'\n')));
    }
};

QTEST_MAIN(PicturesTest)
#include "tst_pictures.moc"
