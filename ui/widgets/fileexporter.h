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

/// Returns a save dialog for two file kinds, for openDialog(). The suffix follows the selected filter.
QFileDialog *saveDialog(QWidget *parent, const QString &title, const QString &name, const FileKind &first,
                        const FileKind &other);

/// Asks for a file and writes it on the thread pool. Reports success by exported(), errors in a message box.
class FileExporter : public QObject
{
    Q_OBJECT

public:
    explicit FileExporter(QWidget *window);

    void ask(const FileExport &data);

signals:
    void exported(const QString &message);

private:
    void write(const FileExport &data, ExportFormat format, const QString &path);
    void finish(const QString &problem, const QString &written);

    QWidget *m_window;
};

} // namespace lockscope
