// SPDX-License-Identifier: GPL-3.0-or-later
// A window that was opened by a link, of which nobody knows who wrote it.
#include "ui/shell/mainwindow.h"

#include "ui/connect/connectionform.h"
#include "ui/connect/connectpage.h"

namespace lockscope {

/// Opens the recording that is given beside the link, or a known server as it is stored. Only fills in another
/// server's address.
void MainWindow::takeLink()
{
    const ServerLink link = *m_options.link;
    if (!m_options.replayPath.isEmpty()) {
        if (!link.key.isEmpty())
            m_options.selectedLock = LockKey(link.key);
        return openReplay(m_options.replayPath);
    }
    const std::optional<StoredServer> known = link.known();
    const StoredServer server = completedServer(known.value_or(StoredServer{{}, link.server}));
    const WindowOptions before = m_options;
    m_options = before.forServer(server);
    m_options.link = link;
    m_options.selectedLock = link.key.isEmpty() ? before.selectedLock : LockKey(link.key);
    m_options.recordPath = before.recordPath;
    m_options.recordOptions = before.recordOptions;
    if (known && !m_options.askPassword)
        return m_connectPage->connectTo(m_options.stored());
    m_connectPage->form().fill(m_options.stored());
    if (known)
        return m_connectPage->form().focusPassword();
    m_connectPage->warn(
        tr("A link names this server, and it is not stored. Check the address before you connect."));
}

} // namespace lockscope
