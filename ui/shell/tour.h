// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTimer>
#include <QWidget>

class QLabel;
class QMainWindow;
class QPushButton;

namespace lockscope {

class LocksPage;
class MainActions;

/// Leads through the demo, from the first look to a mended lock. Lies over the window, so that it moves nothing, and
/// marks what it speaks of.
class Tour : public QWidget
{
    Q_OBJECT

public:
    static constexpr const char *stuckLock = "lock:transfer:nightly"; ///< behind a dead waiter
    static constexpr int steps = 6;

    Tour(QMainWindow &window, MainActions &commands);

    static bool wasSeen();
    int step() const { return m_step; }
    QRect marked() const { return m_mark->geometry(); }

protected:
    bool event(QEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    void paintEvent(QPaintEvent *event) override;

private:
    const QWidget *subject() const;
    void goTo(int step);
    QRect place() const;
    void followPlace();
    void moveAside();

    QMainWindow &m_window;
    MainActions &m_commands;
    LocksPage *m_locks;
    QWidget *m_mark;
    QLabel *m_text;
    QPushButton *m_skip;
    QPushButton *m_next;
    QTimer m_timer;
    int m_step = 0;
};

} // namespace lockscope
