// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/monkey/randominput.h"

#include "ui/actions/mainactions.h"
#include "ui/locks/lockspage.h"
#include "ui/shell/mainwindow.h"

#include <QApplication>
#include <QDialog>
#include <QDockWidget>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QWheelEvent>
#include <QWindow>
#include <QtTest>

namespace lockscope {

namespace {

constexpr Qt::Key keys[] = {
    Qt::Key_Up,     Qt::Key_Down,      Qt::Key_Left,  Qt::Key_Right, Qt::Key_Home,   Qt::Key_End,
    Qt::Key_PageUp, Qt::Key_PageDown,  Qt::Key_Tab,   Qt::Key_Tab,   Qt::Key_Tab,    Qt::Key_Backtab,
    Qt::Key_Return, Qt::Key_Enter,     Qt::Key_Space, Qt::Key_Space, Qt::Key_Escape, Qt::Key_Delete,
    Qt::Key_Menu,   Qt::Key_Backspace, Qt::Key_F2,    Qt::Key_F4,    Qt::Key_F10,    Qt::Key_Insert};
constexpr Qt::KeyboardModifier modifiers[] = {Qt::NoModifier,  Qt::NoModifier,    Qt::NoModifier,
                                              Qt::NoModifier,  Qt::ShiftModifier, Qt::ControlModifier,
                                              Qt::AltModifier, Qt::ShiftModifier};
const char *const texts[] = {"lock",   "state:held", "-family:token", "waiters>=1",
                             "owner:", "ttl<1m or",  "lock:job:",     "\"",
                             "zz",     "30",         "0.5",           "]["};

QString nameOf(const QWidget &widget)
{
    const QString name = widget.objectName().isEmpty() ? widget.accessibleName() : widget.objectName();
    return QString::fromLatin1(widget.metaObject()->className()) + u' ' + name;
}

/// As from the platform, shortcuts included. The press may close the window.
void pressKey(QWindow *window, int key, Qt::KeyboardModifiers held = {}, const QString &text = {})
{
    const QPointer<QWindow> there(window);
    for (const QEvent::Type type : {QEvent::KeyPress, QEvent::KeyRelease}) {
        if (there && there->isVisible())
            qt_handleKeyEvent(there, type, key, held, text);
    }
}

} // namespace

QWidget *RandomInput::top(MainWindow &window)
{
    if (QWidget *popup = QApplication::activePopupWidget())
        return popup;
    if (QWidget *modal = QApplication::activeModalWidget())
        return modal;
    QList<QDockWidget *> floating = window.findChildren<QDockWidget *>();
    floating.removeIf([](const QDockWidget *each) { return !each->isWindow() || !each->isVisible(); });
    if (!floating.isEmpty() && chance(40))
        return oneOf(floating);
    return &window;
}

QString RandomInput::next(MainWindow &window)
{
    QWidget &at = *top(window);
    const int kind = m_random.bounded(100);
    if (kind < 20)
        return press(at);
    if (kind < 26)
        return type(at);
    if (kind < 36)
        return shortcut(window, at);
    if (kind < 42)
        return trigger(window);
    if (kind < 50)
        return actOnLock(window);
    if (kind < 58)
        return click(at);
    if (kind < 80)
        return clickChild(at);
    if (kind < 86)
        return wheel(at);
    if (kind < 91)
        return drag(at);
    if (kind < 96)
        return menu(at);
    return resize(window);
}

QString RandomInput::press(QWidget &top)
{
    const Qt::Key key = oneOf(keys);
    const Qt::KeyboardModifier modifier = oneOf(modifiers);
    pressKey(top.windowHandle(), key, modifier);
    return QStringLiteral("key ") + QKeySequence(int(key) | int(modifier)).toString();
}

QString RandomInput::type(QWidget &top)
{
    const QString text = QString::fromLatin1(oneOf(texts));
    const QPointer<QWindow> window(top.windowHandle()); // a letter may close it
    for (const QChar letter : text) {
        if (window && window->isVisible())
            pressKey(window, QTest::asciiToKey(letter.toLatin1()), {}, letter);
    }
    return QStringLiteral("type ") + text;
}

QString RandomInput::shortcut(MainWindow &window, QWidget &top)
{
    QList<QKeySequence> all;
    for (const QAction *action : window.findChild<MainActions *>()->findChildren<QAction *>())
        all += action->shortcuts();
    all.removeIf([](const QKeySequence &each) { return each.count() != 1; });
    if (all.isEmpty())
        return {};
    const QKeySequence chosen = oneOf(all);
    pressKey(top.windowHandle(), chosen[0].key(), chosen[0].keyboardModifiers());
    return QStringLiteral("shortcut ") + chosen.toString();
}

QString RandomInput::trigger(MainWindow &window)
{
    // As the menu bar would: a dialog keeps it from being reached.
    if (QApplication::activeModalWidget())
        return QStringLiteral("no command beside a dialog");
    QList<QAction *> all = window.findChildren<QAction *>();
    all.removeIf([](const QAction *each) {
        return !each->isEnabled() || !each->isVisible() || each->text().isEmpty() || each->menu();
    });
    if (all.isEmpty())
        return {};
    QAction *chosen = oneOf(all);
    const QString text = chosen->text();
    chosen->trigger();
    return QStringLiteral("command ") + text;
}

QPoint RandomInput::placeIn(const QRect &rect)
{
    return {rect.left() + m_random.bounded(std::max(1, rect.width())),
            rect.top() + m_random.bounded(std::max(1, rect.height()))};
}

void RandomInput::clickAt(QWidget &top, const QPoint &place, Qt::MouseButton button, bool isDouble)
{
    QWindow *window = top.windowHandle();
    // A window that fills the screen may be smaller than what it shows.
    const QPoint inside(std::min(place.x(), window->width() - 1), std::min(place.y(), window->height() - 1));
    if (isDouble)
        QTest::mouseDClick(window, button, {}, inside);
    else
        QTest::mouseClick(window, button, oneOf(modifiers) & Qt::ShiftModifier, inside);
}

QString RandomInput::click(QWidget &top)
{
    const QPoint place = placeIn(top.rect());
    const QWidget *child = top.childAt(place);
    const QString name = nameOf(child ? *child : top);
    const bool isDouble = chance(20);
    clickAt(top, place, chance(12) ? Qt::MiddleButton : Qt::LeftButton, isDouble);
    return (isDouble ? QStringLiteral("double click on ") : QStringLiteral("click on ")) + name;
}

/// As somebody does who came for that: a lock, then a command.
QString RandomInput::actOnLock(MainWindow &window)
{
    auto *locks = window.findChild<LocksPage *>();
    const auto *commands = window.findChild<MainActions *>();
    if (!locks || locks->model().rowCount() == 0 || QApplication::activeModalWidget())
        return click(window);
    if (commands->unlock->isVisible() && commands->offersUnlock() && chance(80))
        commands->unlock->trigger();
    locks->choose(locks->model().at(m_random.bounded(locks->model().rowCount())).key());
    QAction *const actions[] = {commands->release, commands->forceExpire, commands->forceExpire,
                                commands->extend,  commands->acquire,     commands->removeWaiter,
                                commands->wake};
    QAction *chosen = oneOf(actions);
    const QString text = chosen->text();
    chosen->trigger();
    return QStringLiteral("act: ") + text;
}

/// Small ones as often as large ones.
QString RandomInput::clickChild(QWidget &top)
{
    QList<QWidget *> children = top.findChildren<QWidget *>();
    children.removeIf([&top](const QWidget *each) {
        return !each->isVisible() || !each->isEnabled() || each->window() != &top ||
               each->visibleRegion().isEmpty();
    });
    if (children.isEmpty())
        return click(top);
    QWidget *chosen = oneOf(children);
    const QString name = nameOf(*chosen);
    clickAt(top, chosen->mapTo(&top, placeIn(chosen->visibleRegion().boundingRect())), Qt::LeftButton,
            chance(15));
    return QStringLiteral("click on ") + name;
}

QString RandomInput::wheel(QWidget &top)
{
    const QPoint place = placeIn(top.rect());
    QWidget *child = top.childAt(place);
    if (!child)
        child = &top;
    const QString name = nameOf(*child);
    const QPoint angle(chance(20) ? 120 : 0, chance(50) ? 240 : -360);
    QWheelEvent event(child->mapFrom(&top, place), top.mapToGlobal(place), {}, angle, {}, Qt::NoModifier,
                      Qt::NoScrollPhase, false);
    QCoreApplication::sendEvent(child, &event);
    return QStringLiteral("wheel over ") + name;
}

QString RandomInput::drag(QWidget &top)
{
    QWindow *window = top.windowHandle();
    const QPointer<QWindow> there(window);
    const QPoint from = placeIn(QRect({}, window->size()));
    QTest::mousePress(window, Qt::LeftButton, {}, from);
    constexpr int moves = 5;
    for (int move = 0; move < moves && there && there->isVisible(); ++move)
        QTest::mouseMove(window, placeIn(QRect({}, there->size())));
    if (there && there->isVisible())
        QTest::mouseRelease(window, Qt::LeftButton, {}, placeIn(QRect({}, there->size())));
    QTestPrivate::qtestMouseButtons = {};
    return QStringLiteral("drag");
}

QString RandomInput::menu(QWidget &top)
{
    const QPoint place = placeIn(top.rect());
    QWidget *under = top.childAt(place);
    const QPointer<QWidget> child(under ? under : &top);
    const QString name = nameOf(*child);
    const QPoint inside = child->mapFrom(&top, place);
    clickAt(top, place, Qt::RightButton, false);
    if (!child || QApplication::activePopupWidget())
        return QStringLiteral("menu of ") + name;
    QContextMenuEvent event(QContextMenuEvent::Mouse, inside, child->mapToGlobal(inside));
    QCoreApplication::sendEvent(child, &event);
    return QStringLiteral("menu of ") + name;
}

QString RandomInput::resize(MainWindow &window)
{
    const QSize size(200 + m_random.bounded(1800), 150 + m_random.bounded(1200));
    window.resize(size);
    return QStringLiteral("resize to %1 × %2").arg(size.width()).arg(size.height());
}

QString RandomInput::answer(QDialog &dialog, const QString &name)
{
    if (auto *field = dialog.findChild<QLineEdit *>(QStringLiteral("typedName"));
        field && field->isEnabled() && !name.isEmpty())
        field->setText(name);
    QList<QPushButton *> buttons = dialog.findChildren<QPushButton *>();
    buttons.removeIf([](const QPushButton *each) { return !each->isVisible() || !each->isEnabled(); });
    if (buttons.isEmpty())
        return QStringLiteral("no button to press");
    // The first is the one that acts.
    QPushButton *chosen = chance(50) ? buttons.first() : oneOf(buttons);
    const QString text = chosen->text();
    QTest::mouseClick(dialog.windowHandle(), Qt::LeftButton, {},
                      chosen->mapTo(&dialog, chosen->rect().center()));
    return QStringLiteral("answer ") + text;
}

QString RandomInput::leave(QWidget &top)
{
    const QString name = nameOf(top);
    pressKey(top.windowHandle(), Qt::Key_Escape);
    return QStringLiteral("leave ") + name;
}

} // namespace lockscope
