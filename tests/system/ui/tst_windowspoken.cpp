// SPDX-License-Identifier: GPL-3.0-or-later
// What assistive technologies are told of the window and its dialogs: every control has a name and a role, and what colors and
// glyphs say is said in words.
#include "tests/support/recordedfile.h"
#include "tests/system/ui/spokentree.h"
#include "tests/system/ui/testwindow.h"
#include "ui/locks/filterchip.h"
#include "ui/widgets/banner.h"
#include "ui/widgets/serverlabel.h"

#include <QDialog>
#include <QFileDialog>
#include <QMenu>
#include <QTableView>
#include <QToolButton>

using namespace lockscope;

namespace {

const QByteArray first = "3b2c1a09-8f7e-4d6c-9b5a-493827160504:1";
const QByteArray second = "77777777-8f7e-4d6c-9b5a-493827160504:1";

} // namespace

class WindowSpokenTest : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase() { QCoreApplication::setAttribute(Qt::AA_DontUseNativeDialogs); }
    void init()
    {
        TestWindow::failOnWarning();
        m_test = std::make_unique<TestWindow>();
        m_test->server().cli({"SET", "lock:plain", "owner-1", "PX", "600000"});
        m_test->server().cli({"SET", "lock:endless", "7c9e6679-7425-40de-944b-e07fc1f90ae7"});
        m_test->addFair("lock:order:1", first, {second});
        m_test->addFair("lock:order:2", second, {first});
    }
    void cleanup() { m_test.reset(); }

    void theFirstPage()
    {
        MainWindow window({});
        window.show();
        for (QToolButton *disclosure : window.findChildren<QToolButton *>()) {
            if (disclosure->isCheckable() && disclosure->isVisible())
                disclosure->click();
        }
        check(&window);
    }

    void thePageOfAServerWithAllPanels()
    {
        open();
        for (QAction *panel : m_test->commands().panelsOfServer())
            panel->trigger();
        m_test->page()->choose(LockKey("lock:order:1"));
        QTRY_VERIFY(chip(QStringLiteral("Deadlock 2")));
        check(&m_test->window());
        for (const FilterChip *each : m_test->window().findChildren<FilterChip *>())
            QVERIFY2(each->count() == FilterChip::noCount ||
                         each->accessibleName().endsWith(u' ' + QLocale().toString(each->count())),
                     qPrintable(each->accessibleName()));
    }

    void thePageOfARecording()
    {
        RecordedFile file;
        file.setWatched(true);
        file.acquire("lock:order:1", first);
        file.pass(std::chrono::seconds(10));
        file.finish();
        WindowOptions options;
        options.replayPath = file.path();
        MainWindow window(options);
        window.show();
        QTRY_VERIFY(window.findChild<LocksPage *>() && window.findChild<LocksPage *>()->isVisible());
        QTRY_COMPARE(window.findChild<LocksPage *>()->model().rowCount(), 1);
        check(&window);
    }

    void rowsSayKeyStateAndOwner()
    {
        open();
        QTRY_VERIFY(chip(QStringLiteral("Deadlock 2")));
        auto *view = m_test->page()->findChild<QTableView *>();
        QAccessibleTableInterface *table = QAccessible::queryAccessibleInterface(view)->tableInterface();
        QVERIFY(table);
        QStringList lines;
        for (int row = 0; row < table->rowCount(); ++row) {
            QStringList cells;
            for (int column = 0; column < table->columnCount(); ++column)
                cells << table->cellAt(row, column)->text(QAccessible::Name);
            lines << cells.join(u'|');
        }
        const auto says = [&lines](const QStringList &words) {
            return std::ranges::any_of(lines, [&words](const QString &line) {
                return std::ranges::all_of(
                    words, [&line](const QString &word) { return line.contains(word, Qt::CaseInsensitive); });
            });
        };
        const auto said = [&] { return qPrintable(lines.join(u'\n')); };
        QVERIFY2(says({QStringLiteral("lock:order:1"), QStringLiteral("deadlock"),
                       QString::fromLatin1(first.left(8))}),
                 said());
        QVERIFY2(
            says({QStringLiteral("lock:endless"), QStringLiteral("no expiry"), QStringLiteral("7c9e6679")}),
            said());
        QVERIFY2(says({QStringLiteral("lock:plain"), QStringLiteral("owner-1"),
                       QStringLiteral("Time left 9 min"), QStringLiteral("Holds ≥ 1")}),
                 said());
    }

    void dialogs_data()
    {
        QTest::addColumn<QString>("action");
        for (const char *name :
             {"Acquire…", "Release…", "Extend…", "Force-expire…", "Find clients…", "Name process…",
              "Patterns…", "Record…", "Family rules…", "Alert rules…", "Find locks by content…", "Commands…",
              "Keyboard shortcuts…", "About Lockscope"})
            QTest::newRow(name) << QString::fromUtf8(name);
    }
    void dialogs()
    {
        QFETCH(const QString, action);
        open();
        m_test->page()->choose(LockKey("lock:order:1"));
        QAction *chosen = nullptr;
        for (QAction *each : m_test->commands().findChildren<QAction *>()) {
            if (each->iconText() == action)
                chosen = each;
        }
        QVERIFY2(chosen, qPrintable(action));
        QTRY_VERIFY(chosen->isEnabled());
        chosen->trigger();
        QTRY_VERIFY(dialog());
        check(dialog());
        dialog()->close();
    }

    void aDialogForSeveralLocks()
    {
        open();
        m_test->page()->findChild<QTableView *>()->selectAll();
        QTRY_VERIFY(m_test->commands().release->isEnabled());
        m_test->commands().forceExpire->trigger();
        QTRY_VERIFY(dialog());
        check(dialog());
    }

    void menus()
    {
        open();
        m_test->page()->choose(LockKey("lock:order:1"));
        for (QMenu *menu : m_test->window().findChildren<QMenu *>()) {
            for (const QAction *action : menu->actions())
                QVERIFY(action->isSeparator() || !action->text().isEmpty());
        }
        m_test->commands().filters->trigger();
        QTRY_VERIFY(QApplication::activePopupWidget());
        const SpokenTree tree(QApplication::activePopupWidget());
        QVERIFY2(tree.problems().isEmpty(), qPrintable(tree.problems().join(u'\n')));
        QVERIFY(tree.spoken().size() > 1);
    }

    /// A name alone would hide what a label shows.
    void labelsSayNameAndText()
    {
        open();
        m_test->page()->choose(LockKey("lock:plain"));
        const auto said = [this] { return SpokenTree(&m_test->window()).spoken(); };
        const auto says = [&said](const char *start) {
            const QStringList all = said();
            return std::ranges::any_of(all, [start](const QString &line) {
                return line.startsWith(QStringLiteral("StaticText ") + QLatin1String(start));
            });
        };
        for (const char *part : {"Server: /tmp", "Key: lock:plain", "Time left: 9 min"})
            QTRY_VERIFY2(says(part), qPrintable(QLatin1String(part) + u'\n' + said().join(u'\n')));
    }

    /// By keyboard and by an assistive technology as by mouse.
    void theServersBadgeIsAButtonWhereItCanBeTurned()
    {
        ServerLabel label;
        ServerStanding standing{QStringLiteral("orders"), Environment::Staging, false, {}};
        label.setServer(standing);
        label.show();
        QAccessibleInterface *spoken = QAccessible::queryAccessibleInterface(&label);
        QCOMPARE(spoken->role(), QAccessible::StaticText);
        QCOMPARE(label.focusPolicy(), Qt::NoFocus);
        standing = {QStringLiteral("orders"), Environment::Production, true, std::chrono::milliseconds(0)};
        label.setServer(standing);
        QCOMPARE(spoken->role(), QAccessible::Button);
        QCOMPARE(spoken->text(QAccessible::Name), QStringLiteral("orders, PRODUCTION · READ-ONLY"));
        QVERIFY(spoken->text(QAccessible::Description).contains(QStringLiteral("unlock")));
        QSignalSpy turned(&label, &ServerLabel::turned);
        QTest::keyClick(&label, Qt::Key_Space);
        QTest::keyClick(&label, Qt::Key_A);
        QCOMPARE(turned.size(), 1);
        spoken->actionInterface()->doAction(QAccessibleActionInterface::pressAction());
        QCOMPARE(turned.size(), 2);
    }

    /// A banner and a note of the status bar are said when they come, a banner that says the same once.
    void messagesAreAnnounced()
    {
        open();
        const auto announced = [this] {
            const auto *voice = m_test->window().findChild<QWidget *>(QStringLiteral("announcement"));
            return voice ? voice->accessibleName() : QString();
        };
        Banner banner(&m_test->window());
        banner.setMessage(StatusColor::Danger, QStringLiteral("Lost"), QStringLiteral("for 3 s"), {});
        QCOMPARE(announced(), QStringLiteral("Lost for 3 s"));
        banner.setMessage(StatusColor::Danger, QStringLiteral("Lost"), QStringLiteral("for 4 s"), {});
        QCOMPARE(announced(), QStringLiteral("Lost for 3 s"));
        m_test->page()->choose(LockKey("lock:plain"));
        m_test->commands().copySummary->trigger();
        QCOMPARE(announced(), QStringLiteral("Incident summary copied"));
    }

    /// Screen readers say each new name of what has the focus.
    void whatHasTheFocusKeepsItsName()
    {
        FilterChip chip(QStringLiteral("Held"), std::nullopt, StatusColor::Held);
        chip.show();
        chip.setFocus();
        chip.setCount(3);
        QTRY_VERIFY(chip.hasFocus());
        chip.setCount(4);
        QCOMPARE(chip.accessibleName(), QStringLiteral("Held 3"));
        chip.clearFocus();
        QCOMPARE(chip.accessibleName(), QStringLiteral("Held 4"));
    }

    /// A view asks its model for the text of no cell.
    void copyingNothingIsNoWarning()
    {
        open();
        for (QAction *panel : m_test->commands().panelsOfServer())
            panel->trigger();
        m_test->page()->chooseNothing();
        for (QAbstractItemView *view : m_test->window().findChildren<QAbstractItemView *>()) {
            if (!view->model())
                continue;
            view->setCurrentIndex({});
            QKeyEvent copy(QEvent::KeyPress, Qt::Key_C, Qt::ControlModifier);
            QCoreApplication::sendEvent(view, &copy);
        }
    }

private:
    void open()
    {
        QVERIFY(m_test->connect());
        QTRY_COMPARE(m_test->page()->model().rowCount(), 4);
    }
    QDialog *dialog() const
    {
        for (QDialog *each : m_test->window().findChildren<QDialog *>()) {
            if (each->isVisible())
                return each;
        }
        return nullptr;
    }
    const FilterChip *chip(const QString &label) const
    {
        for (const FilterChip *each : m_test->window().findChildren<FilterChip *>()) {
            if (each->accessibleName() == label)
                return each;
        }
        return nullptr;
    }
    static void check(QObject *top)
    {
        const SpokenTree tree(top);
        QVERIFY2(tree.problems().isEmpty(), qPrintable(tree.problems().join(u'\n')));
        QVERIFY(tree.focusable() > 0);
    }

    std::unique_ptr<TestWindow> m_test;
};

QTEST_MAIN(WindowSpokenTest)
#include "tst_windowspoken.moc"
