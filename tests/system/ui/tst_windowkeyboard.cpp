// SPDX-License-Identifier: GPL-3.0-or-later
// The window without a mouse: Tab reaches each control that can be used, once, in the order in which a page is read.
#include "tests/system/ui/testwindow.h"

#include <QAbstractButton>
#include <QAbstractSpinBox>
#include <QDockWidget>
#include <QScrollArea>
#include <QTabBar>
#include <QToolBar>

#include <algorithm>

using namespace lockscope;

namespace {

const QByteArray first = "3b2c1a09-8f7e-4d6c-9b5a-493827160504:1";
const QByteArray second = "77777777-8f7e-4d6c-9b5a-493827160504:1";

QString nameOf(const QWidget *widget)
{
    if (!widget)
        return QStringLiteral("nothing");
    const auto *button = qobject_cast<const QAbstractButton *>(widget);
    return QStringLiteral("%1 “%2” %3")
        .arg(QString::fromLatin1(widget->metaObject()->className()),
             button && widget->accessibleName().isEmpty() ? button->text() : widget->accessibleName(),
             widget->objectName());
}

QRect placeOf(const QWidget &widget)
{
    return {widget.mapToGlobal(QPoint()), widget.size()};
}

/// Whether `later` is read before `earlier`: it ends above it in its column, or left of it in its row.
bool isReadBefore(const QRect &later, const QRect &earlier)
{
    const bool inColumn = later.left() <= earlier.right() && earlier.left() <= later.right();
    const bool inRow = later.center().y() >= earlier.top() && later.center().y() <= earlier.bottom();
    return (inColumn && later.bottom() < earlier.top()) || (inRow && later.right() < earlier.left());
}

/// Returns what scrolls on its own, up to the window.
const QWidget *panelOf(const QWidget *widget)
{
    while (!widget->isWindow() && !qobject_cast<const QDockWidget *>(widget) &&
           !qobject_cast<const LocksPage *>(widget) &&
           !qobject_cast<const QScrollArea *>(widget->parentWidget()))
        widget = widget->parentWidget();
    return widget;
}

/// Whether the user can do something with `widget`, for which no menu or other key stands.
bool wantsFocus(const QWidget &widget)
{
    if (!widget.isEnabled() || !widget.isVisible() || widget.visibleRegion().isEmpty() || widget.focusProxy())
        return false;
    const auto *button = qobject_cast<const QAbstractButton *>(&widget);
    if (button && button->autoExclusive() && !button->isChecked())
        return false; // by arrow keys
    for (const QWidget *parent = widget.parentWidget(); parent; parent = parent->parentWidget()) {
        if (qobject_cast<const QToolBar *>(parent) || qobject_cast<const QLineEdit *>(parent) ||
            qobject_cast<const QAbstractSpinBox *>(parent) || parent->inherits("QComboBox"))
            return false;
    }
    return (widget.focusPolicy() & Qt::TabFocus) || (button && !widget.inherits("QTableCornerButton"));
}

/// Presses Tab until the focus is where it has been; returns where it has been.
QList<QWidget *> walk(Qt::Key key = Qt::Key_Tab)
{
    QList<QWidget *> been;
    for (QWidget *at = QApplication::focusWidget(); at && !been.contains(at) && been.size() < 300;
         at = QApplication::focusWidget()) {
        been << at;
        for (int links = 0; links < 300 && QApplication::focusWidget() == at;
             ++links) // of a text, for instance
            QTest::keyClick(at, key);
    }
    return been;
}

} // namespace

class WindowKeyboardTest : public QObject
{
    Q_OBJECT

private slots:
    void init()
    {
        TestWindow::failOnWarning();
        m_test = std::make_unique<TestWindow>();
        m_test->addFair("lock:order:1", first, {second});
        m_test->addFair("lock:order:2", second, {first});
        QVERIFY(m_test->connect());
        m_test->window().resize(1366, 900);
        QTRY_COMPARE(m_test->page()->model().rowCount(), 2);
    }
    void cleanup() { m_test.reset(); }

    void theTableHasTheFocusAtFirst()
    {
        QTRY_COMPARE(QApplication::focusWidget(), m_test->table());
        m_test->commands().tour->trigger();
        QTRY_VERIFY(QApplication::focusWidget() && QApplication::focusWidget() != m_test->table());
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Escape);
        QTRY_COMPARE(QApplication::focusWidget(), m_test->table());
    }

    void theFirstPage()
    {
        MainWindow window({});
        window.show();
        QTRY_VERIFY(window.isActiveWindow());
        check(window);
    }

    void panels_data()
    {
        QTest::addColumn<QString>("action");
        for (const char *name : {"", "showAlerts", "showWaits", "showOwners", "showTimeline",
                                 "showStatistics", "showBlame", "showEvents", "showAudit", "showSimulation"})
            QTest::newRow(*name ? name : "no panel") << QString::fromLatin1(name);
    }
    void panels()
    {
        QFETCH(const QString, action);
        m_test->page()->choose(LockKey("lock:order:1"));
        if (!action.isEmpty())
            m_test->find<MainActions>()->findChild<QAction *>(action)->trigger();
        QTest::qWait(300);
        check(m_test->window());
    }

    void dialogs_data()
    {
        QTest::addColumn<QString>("action");
        for (const char *name : {"acquire", "release", "extend", "forceExpire", "findClients", "nameProcess",
                                 "patterns", "record", "rules", "families", "alertRules", "findLocks",
                                 "preferences", "palette", "showShortcuts", "showHelp", "rawValue"})
            QTest::newRow(name) << QString::fromLatin1(name);
    }
    void dialogs()
    {
        QFETCH(const QString, action);
        m_test->page()->choose(LockKey("lock:order:1"));
        auto *chosen = m_test->find<MainActions>()->findChild<QAction *>(action);
        QVERIFY(chosen);
        QTRY_VERIFY(chosen->isEnabled());
        chosen->trigger();
        QTRY_VERIFY(hasDialog() && QApplication::focusWidget() &&
                    QApplication::focusWidget()->window() != &m_test->window());
        QTest::qWait(300);
        check(*QApplication::focusWidget()->window());
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Escape);
        QTRY_VERIFY(!hasDialog());
    }

private:
    static bool hasDialog()
    {
        const QList<QWidget *> all = QApplication::topLevelWidgets();
        return std::ranges::any_of(
            all, [](const QWidget *each) { return each->inherits("QDialog") && each->isVisible(); });
    }
    static void check(QWidget &window)
    {
        QTRY_VERIFY(QApplication::focusWidget());
        QTest::keyClick(QApplication::focusWidget(),
                        Qt::Key_Tab); // from text that has the focus in place of a list
        const QList<QWidget *> been = walk();
        QStringList wrong;
        if (QApplication::focusWidget() != been.first())
            wrong << QStringLiteral("trapped at ") + nameOf(QApplication::focusWidget());
        for (const QWidget *each : window.findChildren<QWidget *>()) {
            if (each->window() == &window && wantsFocus(*each) && !been.contains(each))
                wrong << QStringLiteral("not reached: ") + nameOf(each);
        }
        QList<QWidget *> back = walk(Qt::Key_Backtab);
        std::reverse(back.begin() + 1, back.end());
        if (back != been)
            wrong << QStringLiteral("another way back");
        for (const QWidget *each : been) {
            if (qobject_cast<const QTabBar *>(each) && each->visibleRegion().isEmpty())
                wrong << QStringLiteral("out of sight: ") + nameOf(each);
        }
        // Where all is one panel, the way leads once from its end to its beginning.
        QStringList backwards;
        bool isOne = true;
        for (qsizetype i = 0; i < been.size(); ++i) {
            const QWidget *from = been[i], *to = been[(i + 1) % been.size()];
            isOne &= panelOf(from) == panelOf(to);
            if (panelOf(from) == panelOf(to) && isReadBefore(placeOf(*to), placeOf(*from)))
                backwards << QStringLiteral("%1 comes after %2").arg(nameOf(to), nameOf(from));
        }
        if (backwards.size() > (isOne ? 1 : 0))
            wrong << backwards;
        QVERIFY2(wrong.isEmpty(), qPrintable(wrong.join(u'\n')));
    }

    std::unique_ptr<TestWindow> m_test;
};

QTEST_MAIN(WindowKeyboardTest)
#include "tst_windowkeyboard.moc"
