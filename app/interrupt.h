// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QSocketNotifier>

namespace lockscope {

/// Turns SIGINT, SIGTERM and SIGHUP (unless ignored, as by nohup) into a Qt signal. A second one ends the
/// program at once. At most one object at a time.
class Interrupt : public QObject
{
    Q_OBJECT

public:
    explicit Interrupt(QObject *parent = nullptr);
    ~Interrupt() override;

    /// Returns a descriptor that is readable while a signal is pending; -1 without an Interrupt.
    static int descriptor();
    /// Sets what a second signal calls before it ends the program; nullptr: nothing. It must be safe in a
    /// signal handler.
    static void setLastWords(void (*words)());

signals:
    void interrupted();

private:
    QSocketNotifier m_notifier;
};

} // namespace lockscope
