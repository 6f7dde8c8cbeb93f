// SPDX-License-Identifier: GPL-3.0-or-later
// The names under which the settings keep what the user has chosen of a command. Never translated, never changed.
#include "ui/actions/mainactions.h"

#include <array>

namespace lockscope {

void MainActions::nameCommands()
{
    static constexpr std::array names{
        std::pair(&MainActions::connectTo, "connectTo"),
        std::pair(&MainActions::newWindow, "newWindow"),
        std::pair(&MainActions::disconnect, "disconnect"),
        std::pair(&MainActions::quit, "quit"),
        std::pair(&MainActions::copyRow, "copyRow"),
        std::pair(&MainActions::copyKey, "copyKey"),
        std::pair(&MainActions::copyOwner, "copyOwner"),
        std::pair(&MainActions::copyCli, "copyCli"),
        std::pair(&MainActions::copySummary, "copySummary"),
        std::pair(&MainActions::exportLocks, "exportLocks"),
        std::pair(&MainActions::exportSelected, "exportSelected"),
        std::pair(&MainActions::exportEvents, "exportEvents"),
        std::pair(&MainActions::filters, "filters"),
        std::pair(&MainActions::showEvents, "showEvents"),
        std::pair(&MainActions::find, "find"),
        std::pair(&MainActions::clear, "clear"),
        std::pair(&MainActions::acquire, "acquire"),
        std::pair(&MainActions::release, "release"),
        std::pair(&MainActions::extend, "extend"),
        std::pair(&MainActions::forceExpire, "forceExpire"),
        std::pair(&MainActions::removeWaiter, "removeWaiter"),
        std::pair(&MainActions::nameProcess, "nameProcess"),
        std::pair(&MainActions::findClients, "findClients"),
        std::pair(&MainActions::rawValue, "rawValue"),
        std::pair(&MainActions::unlock, "unlock"),
        std::pair(&MainActions::pause, "pause"),
        std::pair(&MainActions::scan, "scan"),
        std::pair(&MainActions::patterns, "patterns"),
        std::pair(&MainActions::rules, "rules"),
        std::pair(&MainActions::findLocks, "findLocks"),
        std::pair(&MainActions::focusInspector, "focusInspector"),
        std::pair(&MainActions::showInspector, "showInspector"),
        std::pair(&MainActions::showWaits, "showWaits"),
        std::pair(&MainActions::showAudit, "showAudit"),
        std::pair(&MainActions::showSimulation, "showSimulation"),
        std::pair(&MainActions::saveLayout, "saveLayout"),
        std::pair(&MainActions::restoreLayout, "restoreLayout"),
        std::pair(&MainActions::columns, "columns"),
        std::pair(&MainActions::compactRows, "compactRows"),
        std::pair(&MainActions::fullScreen, "fullScreen"),
        std::pair(&MainActions::palette, "palette"),
        std::pair(&MainActions::showShortcuts, "showShortcuts"),
        std::pair(&MainActions::about, "about"),
    };
    for (const auto &[action, name] : names)
        (this->*action)->setObjectName(QLatin1String(name));
}

} // namespace lockscope
