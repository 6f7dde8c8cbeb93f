// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QSocketNotifier>

namespace lockscope {

/// Turns SIGINT, SIGTERM and SIGHUP (unless the caller has it ignored, as nohup does) into a signal of the event loop. A
/// second one ends the program at once, as if nobody had caught the first. At most one object at a time.
class Interrupt : public QObject
{
    Q_OBJECT

public:
    explicit Interrupt(QObject *parent = nullptr);
    ~Interrupt() override;

    /// Readable while one has come that was not told yet; -1 where nobody catches any.
    static int descriptor();

signals:
    void interrupted();

private:
    QSocketNotifier m_notifier;
};

} // namespace lockscope
