// SPDX-License-Identifier: GPL-3.0-or-later
// Commands by their keys, their names, and a few letters.
#include "tests/support/ownsettings.h"
#include "ui/actions/commandpalette.h"
#include "ui/actions/mainactions.h"
#include "ui/actions/shortcutsdialog.h"

#include <QKeySequenceEdit>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QMainWindow>
#include <QMenuBar>
#include <QPushButton>
#include <QSettings>
#include <QSignalSpy>
#include <QTreeWidget>
#include <QtTest>

using namespace lockscope;

class ShortcutsTest : public QObject
{
    Q_OBJECT

private slots:
    void init()
    {
        QTest::failOnWarning(
            QRegularExpression(QStringLiteral("^(?!This plugin does not support propagateSizeHints)")));
        QSettings().clear();
        m_window = std::make_unique<QMainWindow>();
        m_actions = new MainActions(m_window.get());
        m_actions->fillMenuBar(*m_window->menuBar());
    }
    void cleanup() { m_window.reset(); }

    /// What has no name can't be kept, and keys that two commands have do nothing.
    void eachCommandHasANameAndKeysOfItsOwn()
    {
        QSet<QString> names;
        QHash<QKeySequence, QString> users;
        for (const QAction *action : m_actions->findChildren<QAction *>()) {
            QVERIFY2(!action->objectName().isEmpty(), qPrintable(action->text()));
            QVERIFY2(!names.contains(action->objectName()), qPrintable(action->objectName()));
            names.insert(action->objectName());
            for (const QKeySequence &keys : action->shortcuts()) {
                QVERIFY2(!users.contains(keys), qPrintable(keys.toString() + u' ' + action->text()));
                users.insert(keys, action->text());
            }
        }
        QVERIFY(names.size() > 30);
    }

    /// Each row of its tables of commands is a command with its keys, and each command with keys has its row. Platforms add keys
    /// to a few, and some have none to quit.
    void theDocumentHasThem()
    {
        QFile document(QStringLiteral(LOCKSCOPE_SOURCE_DIR "/packaging/docs/shortcuts.md"));
        QVERIFY(document.open(QIODevice::ReadOnly));
        static const QRegularExpression row(QStringLiteral("^\\| `([^|]*)` \\| ([^|(]+?) (\\(.*\\) )?\\|$"),
                                            QRegularExpression::MultilineOption);
        QMap<QString, QStringList> documented; // the keys of a command
        for (auto rows = row.globalMatch(QString::fromUtf8(document.readAll())); rows.hasNext();) {
            const auto match = rows.next();
            documented[match.captured(2)] = match.captured(1).split(QStringLiteral("`, `"));
        }
        QCOMPARE(documented.take(commandText(*m_actions->quit)).size(), 1);
        for (const QAction *action : m_actions->findChildren<QAction *>()) {
            if (action->shortcuts().isEmpty() || action == m_actions->quit)
                continue;
            const QStringList keys = documented.take(commandText(*action));
            QVERIFY2(keys.contains(action->shortcut().toString(QKeySequence::PortableText)),
                     qPrintable(commandText(*action)));
            for (const QString &each : keys)
                QVERIFY2(action->shortcuts().contains(QKeySequence(each)), qPrintable(each));
        }
        QCOMPARE(documented.keys().join(u' '), QString());
    }

    void otherKeysAreKeptInAllWindows()
    {
        QMainWindow other;
        auto *others = new MainActions(&other);
        m_actions->shortcuts().set(m_actions->scan, QKeySequence(QStringLiteral("Ctrl+Alt+S")));
        for (const MainActions *actions : {m_actions, others})
            QCOMPARE(actions->scan->shortcuts(), QList{QKeySequence(QStringLiteral("Ctrl+Alt+S"))});
        QVERIFY(m_actions->shortcuts().isChanged(m_actions->scan));
        m_actions->shortcuts().set(m_actions->pause, {});
        QMainWindow later;
        auto *laters = new MainActions(&later);
        QCOMPARE(laters->scan->shortcut(), QKeySequence(QStringLiteral("Ctrl+Alt+S")));
        QVERIFY(laters->pause->shortcuts().isEmpty());
        m_actions->shortcuts().resetAll();
        QCOMPARE(laters->scan->shortcuts().size(), 2);
        QCOMPARE(others->pause->shortcut(), QKeySequence(Qt::Key_Space));
    }

    void keysOfAnotherAreRefused()
    {
        ShortcutsDialog dialog(commandGroups(*m_window->menuBar()), m_actions->shortcuts(), m_window.get());
        dialog.show();
        auto *tree = dialog.findChild<QTreeWidget *>();
        const auto items =
            tree->findItems(commandText(*m_actions->scan), Qt::MatchExactly | Qt::MatchRecursive);
        QCOMPARE(items.size(), 1);
        QCOMPARE(items.first()->text(1), QStringLiteral("F5, Ctrl+R"));
        tree->setCurrentItem(items.first());
        auto *keys = dialog.findChild<QKeySequenceEdit *>();
        auto *assign = button(dialog, "Assign");
        keys->setKeySequence(QKeySequence(Qt::Key_F9)); // the inspector's
        QVERIFY(!assign->isEnabled());
        keys->setKeySequence(QKeySequence(Qt::CTRL | Qt::Key_F12));
        QVERIFY(assign->isEnabled());
        assign->click();
        QCOMPARE(m_actions->scan->shortcut(), QKeySequence(Qt::CTRL | Qt::Key_F12));
        button(dialog, "Usual keys")->click();
        QCOMPARE(m_actions->scan->shortcuts().size(), 2);
        dialog.findChild<QLineEdit *>()->setText(QStringLiteral("f9"));
        QVERIFY(tree->findItems(commandText(*m_actions->scan), Qt::MatchExactly | Qt::MatchRecursive)
                    .first()
                    ->isHidden());
    }

    void aFewLettersFindACommand()
    {
        m_actions->update(true, {}, nullptr);
        CommandPalette palette(commandGroups(*m_window->menuBar()), m_window.get());
        palette.show();
        auto *words = palette.findChild<QLineEdit *>();
        auto *list = palette.findChild<QListWidget *>();
        words->setText(QStringLiteral("SCAN now"));
        QCOMPARE(list->count(), 1);
        QSignalSpy ran(m_actions->scan, &QAction::triggered);
        QTest::keyClick(words, Qt::Key_Return);
        QTRY_COMPARE(ran.size(), 1);
        QVERIFY(palette.isHidden());
    }

    void whatCannotBeDoneIsListedAndNotRun()
    {
        m_actions->update(true, QStringLiteral("Because."), nullptr);
        CommandPalette palette(commandGroups(*m_window->menuBar()), m_window.get());
        palette.show();
        auto *words = palette.findChild<QLineEdit *>();
        auto *list = palette.findChild<QListWidget *>();
        words->setText(QStringLiteral("acquire"));
        QCOMPARE(list->count(), 1);
        QCOMPARE(list->item(0)->toolTip(), QStringLiteral("Because."));
        QSignalSpy ran(m_actions->acquire, &QAction::triggered);
        QTest::keyClick(words, Qt::Key_Return);
        QCoreApplication::processEvents(); // in which a command that was run would come
        QVERIFY(ran.isEmpty());
        QVERIFY(palette.isVisible());
    }

private:
    static QPushButton *button(const QDialog &dialog, const char *text)
    {
        for (QPushButton *each : dialog.findChildren<QPushButton *>()) {
            if (each->text().remove(u'&') == QLatin1String(text))
                return each;
        }
        return nullptr;
    }

    OwnSettings m_files;
    std::unique_ptr<QMainWindow> m_window;
    MainActions *m_actions = nullptr; ///< the window's
};

QTEST_MAIN(ShortcutsTest)
#include "tst_shortcuts.moc"
