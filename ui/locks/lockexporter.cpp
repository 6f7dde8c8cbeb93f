// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/locks/lockexporter.h"

#include "core/base/printable.h"

#include <QDateTime>
#include <QFileDialog>
#include <QFutureWatcher>
#include <QLocale>
#include <QMessageBox>
#include <QPromise>
#include <QRegularExpression>
#include <QThreadPool>

#include <memory>

namespace lockscope {

namespace {

QString suffixOf(ExportFormat format)
{
    return format == ExportFormat::Json ? QStringLiteral("json") : QStringLiteral("csv");
}

/// "locks-shop-20260131-1405".
QString suggestedName(const LockExport &data)
{
    static const QRegularExpression unfit(QStringLiteral("[^A-Za-z0-9._]+"));
    const QString server = QString(data.server).replace(unfit, QStringLiteral("-")).left(40);
    const QDateTime at = QDateTime::fromMSecsSinceEpoch(data.wallMs);
    return QStringLiteral("locks-%1-%2").arg(server, at.toString(QStringLiteral("yyyyMMdd-HHmm")));
}

} // namespace

LockExporter::LockExporter(QWidget *window) : QObject(window), m_window(window) {}

void LockExporter::ask(const LockExport &data)
{
    const QString csv = tr("CSV, for spreadsheets (*.csv)");
    const QString json = tr("JSON, for programs (*.json)");
    auto *dialog =
        new QFileDialog(m_window, tr("Export %n lock(s)", nullptr, static_cast<int>(data.rows.size())));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setNameFilters({csv, json});
    dialog->setDefaultSuffix(suffixOf(ExportFormat::Csv));
    dialog->selectFile(suggestedName(data) + QStringLiteral(".csv"));
    const auto formatOf = [json](const QString &filter) {
        return filter == json ? ExportFormat::Json : ExportFormat::Csv;
    };
    connect(dialog, &QFileDialog::filterSelected, dialog, [dialog, formatOf](const QString &filter) {
        const QString suffix = suffixOf(formatOf(filter));
        dialog->setDefaultSuffix(suffix);
        if (const QStringList files = dialog->selectedFiles(); !files.isEmpty())
            dialog->selectFile(QFileInfo(files.first()).completeBaseName() + u'.' + suffix);
    });
    connect(dialog, &QFileDialog::fileSelected, this, [this, dialog, data, formatOf](const QString &path) {
        // The name says it, whatever is chosen beside it.
        ExportFormat format = formatOf(dialog->selectedNameFilter());
        for (const ExportFormat each : {ExportFormat::Csv, ExportFormat::Json}) {
            if (path.endsWith(u'.' + suffixOf(each), Qt::CaseInsensitive))
                format = each;
        }
        write(data, format, path);
    });
    dialog->open();
}

void LockExporter::write(const LockExport &data, ExportFormat format, const QString &path)
{
    auto *watcher = new QFutureWatcher<QString>(this);
    const auto locks = static_cast<int>(data.rows.size());
    connect(watcher, &QFutureWatcher<QString>::finished, this, [this, watcher, locks, path] {
        watcher->deleteLater();
        finish(watcher->result(), locks, path);
    });
    const auto promise = std::make_shared<QPromise<QString>>();
    watcher->setFuture(promise->future());
    QThreadPool::globalInstance()->start([promise, data, format, path] {
        promise->start();
        promise->addResult(saveExport(data, format, path));
        promise->finish();
    });
}

void LockExporter::finish(const QString &problem, int locks, const QString &path)
{
    if (problem.isEmpty()) {
        emit exported(tr("%1 lock(s) written to %2", nullptr, locks)
                          .arg(QLocale().toString(locks), printable(path.toUtf8())));
        return;
    }
    auto *box =
        new QMessageBox(QMessageBox::Warning, tr("Export failed"), problem, QMessageBox::Ok, m_window);
    box->setAttribute(Qt::WA_DeleteOnClose);
    box->setTextFormat(Qt::PlainText);
    box->open();
}

} // namespace lockscope
