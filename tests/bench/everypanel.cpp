// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/bench/everypanel.h"

#include "ui/shell/mainwindow.h"
#include "ui/shell/paneldocks.h"

#include <QCoreApplication>
#include <QDeadlineTimer>
#include <QDockWidget>
#include <QSettings>

#include <algorithm>

namespace lockscope {

namespace {

constexpr QSize largeWindow{1880, 1000};
constexpr std::chrono::minutes atMost{1};

template <typename Condition>
bool isSoon(Condition condition)
{
    for (const QDeadlineTimer end(atMost); !condition() && !end.hasExpired();)
        QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents, 100);
    return condition();
}

} // namespace

bool layOutEveryPanel(const ServerAddress &server, const QString &directory)
{
    QSettings::setPath(QSettings::NativeFormat, QSettings::UserScope, directory);
    WindowOptions options;
    options.server = server;
    options.usesKeychain = false;
    options.auditPath = directory + QStringLiteral("/audit.log");
    MainWindow window(options);
    window.resize(largeWindow);
    window.show();
    PanelDocks *panels = nullptr;
    const bool isThere = isSoon([&] {
        panels = window.findChild<PanelDocks *>();
        return panels && panels->isVisible();
    });
    if (!isThere)
        return false;
    // At first those at the bottom stand behind each other, where a panel rests.
    const auto docks = panels->findChildren<QDockWidget *>();
    for (QDockWidget *dock : docks) {
        if (panels->dockWidgetArea(dock) == Qt::BottomDockWidgetArea)
            panels->removeDockWidget(dock);
        else
            dock->show();
    }
    for (QDockWidget *dock : docks) {
        if (panels->dockWidgetArea(dock) != Qt::NoDockWidgetArea)
            continue;
        const bool isTall = dock->objectName() == QStringLiteral("simulation");
        panels->addDockWidget(isTall ? Qt::LeftDockWidgetArea : Qt::BottomDockWidgetArea, dock,
                              isTall ? Qt::Vertical : Qt::Horizontal);
        dock->show();
    }
    const bool areInSight = isSoon([&] {
        return std::ranges::all_of(docks,
                                   [](const QDockWidget *dock) { return dock->widget()->isVisible(); });
    });
    return window.close() && areInSight;
}

} // namespace lockscope
