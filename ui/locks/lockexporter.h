// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/locks/lockexport.h"

#include <QObject>

class QWidget;

namespace lockscope {

/// Asks for a file and writes locks into it, on a thread of the pool: the window goes on. Says what came of it; what went
/// wrong is said in a box that stays.
class LockExporter : public QObject
{
    Q_OBJECT

public:
    explicit LockExporter(QWidget *window);

    /// What is written is `data`, as it was when the user asked for it.
    void ask(const LockExport &data);

signals:
    void exported(const QString &message); ///< for people

private:
    void write(const LockExport &data, ExportFormat format, const QString &path);
    void finish(const QString &problem, int locks, const QString &path);

    QWidget *m_window;
};

} // namespace lockscope
