// SPDX-License-Identifier: GPL-3.0-or-later
// A window that shows a recording.
#include "ui/shell/mainwindow.h"

#include "core/base/printable.h"
#include "core/recording/replay.h"
#include "ui/connect/connectpage.h"
#include "ui/shell/monitorpage.h"
#include "ui/widgets/dialogs.h"

#include <QDropEvent>
#include <QFileDialog>
#include <QFileInfo>
#include <QMimeData>

namespace lockscope {

namespace {

/// Returns the only dragged file; empty for none or several.
QString draggedFile(const QMimeData &data)
{
    const QList<QUrl> urls = data.urls();
    return urls.size() == 1 && urls.first().isLocalFile() ? urls.first().toLocalFile() : QString();
}

} // namespace

void MainWindow::askForRecording()
{
    auto *files = new QFileDialog(this, tr("Open recording"));
    files->setFileMode(QFileDialog::ExistingFile);
    connect(files, &QFileDialog::fileSelected, this, &MainWindow::showRecording);
    openDialog(files);
}

/// Opens a recording, in a new window if a server is being watched.
void MainWindow::showRecording(const QString &path)
{
    if (!m_monitorPage)
        return openReplay(path);
    WindowOptions options;
    options.replayPath = path;
    options.link = m_options.link; // which may be of that time
    options.auditPath = m_options.auditPath;
    open(options);
}

void MainWindow::openReplay(const QString &path)
{
    m_server = {};
    m_monitorPage = std::make_unique<MonitorPage>(std::make_unique<Replay>(path), *m_commands);
    m_connectPage->showOpening(printable(QFileInfo(path).fileName().toUtf8(), 60));
    openPage();
}

void MainWindow::dragEnterEvent(QDragEnterEvent *event)
{
    if (!draggedFile(*event->mimeData()).isEmpty())
        event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent *event)
{
    event->acceptProposedAction();
    showRecording(draggedFile(*event->mimeData()));
}

} // namespace lockscope
