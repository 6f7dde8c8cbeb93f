// SPDX-License-Identifier: GPL-3.0-or-later
// What a window remembers of where things are.
#include "ui/shell/mainwindow.h"

#include "core/base/settings.h"
#include "ui/actions/mainactions.h"
#include "ui/shell/monitorpage.h"
#include "ui/widgets/savedwidgetstate.h"

#include <QScreen>
#include <QStackedWidget>

namespace lockscope {

namespace {

/// Incremented when panels or their columns change, to discard old layouts. Lock columns are saved by name.
constexpr int layoutVersion = 3;
constexpr double shareOfScreen = 0.8;

QString windowGroup()
{
    return QStringLiteral("window");
}

} // namespace

void MainWindow::saveLayout()
{
    Settings settings;
    settings.beginGroup(windowGroup());
    settings.setValue(QStringLiteral("layoutVersion"), layoutVersion);
    settings.setValue(QStringLiteral("geometry"), saveGeometry());
    settings.setValue(QStringLiteral("compact"), m_commands->compactRows->isChecked());
    if (!m_monitorPage || m_pages->currentWidget() != m_monitorPage.get())
        return;
    settings.endGroup();
    settings.beginGroup(pageGroup());
    SavedWidgetState::saveAll(*m_monitorPage, settings);
}

void MainWindow::restorePage()
{
    Settings settings;
    const QString version = windowGroup() + QStringLiteral("/layoutVersion");
    settings.beginGroup(pageGroup());
    // In its final size: panels are as large as they were then.
    m_pages->layout()->activate();
    if (Settings().value(version).toInt() == layoutVersion)
        SavedWidgetState::restoreAll(*m_monitorPage, settings);
}

QString MainWindow::pageGroup() const
{
    return m_monitorPage && m_monitorPage->isReplay() ? QStringLiteral("replayWindow") : windowGroup();
}

void MainWindow::restoreLayout()
{
    // With room for a frame, whose size is not known before it is there.
    const QSize screenRoom = screen()->availableSize() - QSize(16, 48);
    resize((screenRoom * shareOfScreen).expandedTo(QSize(1240, 760)).boundedTo(screenRoom));
    Settings settings;
    settings.beginGroup(windowGroup());
    if (settings.value(QStringLiteral("layoutVersion")).toInt() != layoutVersion)
        return;
    restoreGeometry(settings.value(QStringLiteral("geometry")).toByteArray());
    // Saved on a larger screen, it would reach beyond the edge of this one.
    const QRect room = screen()->availableGeometry();
    if (!isMaximized() && !isFullScreen() && (width() > room.width() || height() > room.height())) {
        resize(size().boundedTo(room.size() - QSize(16, 48)));
        move(room.topLeft());
    }
    m_commands->compactRows->setChecked(settings.value(QStringLiteral("compact")).toBool());
}

} // namespace lockscope
