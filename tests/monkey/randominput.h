// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPoint>
#include <QRandomGenerator>
#include <QString>
#include <QWidget>

class QAction;
class QDialog;

namespace lockscope {

class MainWindow;

/// What somebody may do to the windows by mouse and keyboard, drawn from a seed. Input goes through the platform's queue where it has
/// one, so that grabs, modality and shortcuts hold.
class RandomInput
{
public:
    explicit RandomInput(quint32 seed) : m_random(seed) {}

    QRandomGenerator &random() { return m_random; }
    /// One more input, described.
    QString next(MainWindow &window);
    /// What somebody does who knows what is asked: types the name, presses the button. For dialogs.
    QString answer(QDialog &dialog, const QString &name);
    /// Away with the dialog or the menu.
    QString leave(QWidget &top);

private:
    /// The one that has the input: a menu, a dialog, a panel that floats, or the window.
    QWidget *top(MainWindow &window);
    QString press(QWidget &top);
    QString type(QWidget &top);
    QString shortcut(MainWindow &window, QWidget &top);
    QString trigger(MainWindow &window);
    QString actOnLock(MainWindow &window);
    QString click(QWidget &top);
    QString clickChild(QWidget &top);
    QString wheel(QWidget &top);
    QString drag(QWidget &top);
    QString menu(QWidget &top);
    QString resize(MainWindow &window);
    void clickAt(QWidget &top, const QPoint &place, Qt::MouseButton button, bool isDouble);
    QPoint placeIn(const QRect &rect);
    template <typename List>
    auto oneOf(const List &list)
    {
        return list[m_random.bounded(int(std::size(list)))];
    }
    bool chance(int percent) { return m_random.bounded(100) < percent; }

    QRandomGenerator m_random;
};

} // namespace lockscope
