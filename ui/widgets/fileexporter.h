// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/widgets/fileexport.h"

#include <QObject>

class QFileDialog;
class QWidget;

namespace lockscope {

struct FileKind
{
    QString filter;
    QString suffix;
};

/// Asks where to save a file of one of two kinds; its suffix goes with the filter that is chosen. For openDialog().
QFileDialog *saveDialog(QWidget *parent, const QString &title, const QString &name, const FileKind &first,
                        const FileKind &other);

/// Asks for a file and writes into it, on a thread of the pool: the window goes on. Says what came of it; what went
/// wrong is said in a box that stays.
class FileExporter : public QObject
{
    Q_OBJECT

public:
    explicit FileExporter(QWidget *window);

    /// What is written is `data`, as it was when the user asked for it.
    void ask(const FileExport &data);

signals:
    void exported(const QString &message); ///< for people

private:
    void write(const FileExport &data, ExportFormat format, const QString &path);
    void finish(const QString &problem, const QString &written);

    QWidget *m_window;
};

} // namespace lockscope
