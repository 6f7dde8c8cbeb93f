// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/fileexporter.h"

#include "core/base/printable.h"
#include "ui/widgets/dialogs.h"

#include <QFileDialog>
#include <QFileInfo>
#include <QFutureWatcher>
#include <QMessageBox>
#include <QPromise>
#include <QThreadPool>

#include <memory>

namespace lockscope {

namespace {

QString suffixOf(ExportFormat format)
{
    return format == ExportFormat::Json ? QStringLiteral("json") : QStringLiteral("csv");
}

} // namespace

QFileDialog *saveDialog(QWidget *parent, const QString &title, const QString &name, const FileKind &first,
                        const FileKind &other)
{
    auto *dialog = new QFileDialog(parent, title);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setNameFilters({first.filter, other.filter});
    dialog->setDefaultSuffix(first.suffix);
    dialog->selectFile(name + u'.' + first.suffix);
    QObject::connect(dialog, &QFileDialog::filterSelected, dialog,
                     [dialog, first, other](const QString &filter) {
                         const QString suffix = filter == first.filter ? first.suffix : other.suffix;
                         dialog->setDefaultSuffix(suffix);
                         if (const QStringList files = dialog->selectedFiles(); !files.isEmpty())
                             dialog->selectFile(QFileInfo(files.first()).completeBaseName() + u'.' + suffix);
                     });
    return dialog;
}

FileExporter::FileExporter(QWidget *window) : QObject(window), m_window(window) {}

void FileExporter::ask(const FileExport &data)
{
    const QString json = tr("JSON, for programs (*.json)");
    auto *dialog = saveDialog(m_window, data.title, data.name,
                              {tr("CSV, for spreadsheets (*.csv)"), suffixOf(ExportFormat::Csv)},
                              {json, suffixOf(ExportFormat::Json)});
    connect(dialog, &QFileDialog::fileSelected, this, [this, dialog, data, json](const QString &path) {
        // The name says it, whatever is chosen beside it.
        ExportFormat format = dialog->selectedNameFilter() == json ? ExportFormat::Json : ExportFormat::Csv;
        for (const ExportFormat each : {ExportFormat::Csv, ExportFormat::Json}) {
            if (path.endsWith(u'.' + suffixOf(each), Qt::CaseInsensitive))
                format = each;
        }
        write(data, format, path);
    });
    openDialog(dialog);
}

void FileExporter::write(const FileExport &data, ExportFormat format, const QString &path)
{
    auto *watcher = new QFutureWatcher<QString>(this);
    const QString written = data.written.arg(printable(path.toUtf8()));
    connect(watcher, &QFutureWatcher<QString>::finished, this, [this, watcher, written] {
        watcher->deleteLater();
        finish(watcher->result(), written);
    });
    const auto promise = std::make_shared<QPromise<QString>>();
    watcher->setFuture(promise->future());
    QThreadPool::globalInstance()->start([promise, data, format, path] {
        promise->start();
        promise->addResult(saveExport(data, format, path));
        promise->finish();
    });
}

void FileExporter::finish(const QString &problem, const QString &written)
{
    if (problem.isEmpty()) {
        emit exported(written);
        return;
    }
    auto *box =
        new QMessageBox(QMessageBox::Warning, tr("Export failed"), problem, QMessageBox::Ok, m_window);
    box->setTextFormat(Qt::PlainText);
    openDialog(box);
}

} // namespace lockscope
