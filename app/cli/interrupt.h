// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QSocketNotifier>

namespace lockscope {

/// Turns SIGINT and SIGTERM into a signal of the event loop. At most one at a time.
class Interrupt : public QObject
{
    Q_OBJECT

public:
    explicit Interrupt(QObject *parent = nullptr);
    ~Interrupt() override;

signals:
    void interrupted();

private:
    QSocketNotifier m_notifier;
};

} // namespace lockscope
