// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/support/ownsettings.h"
#include "tests/support/redisserver.h"
#include "ui/actions/mainactions.h"
#include "ui/locks/lockspage.h"
#include "ui/shell/mainwindow.h"

#include <QtTest>

namespace lockscope {

/// The window before a server of its own, with settings and an audit log in a directory of its own.
class TestWindow
{
public:
    /// A warning fails the test from here on, but for what the offscreen platform says of least sizes and menus.
    static void failOnWarning()
    {
        QTest::failOnWarning(QRegularExpression(QStringLiteral("^(?!This plugin does not support )")));
    }

    RedisServer &server() { return m_server; }
    MainWindow &window() { return *m_window; }
    MainActions &commands() { return *find<MainActions>(); }
    LocksPage &page() { return *find<LocksPage>(); }
    template <typename T>
    T *find() const
    {
        return m_window->findChild<T *>();
    }

    /// A window anew; false where it does not come to show the server. `options` may name it otherwise.
    [[nodiscard]] bool connect(WindowOptions options = {})
    {
        m_window.reset();
        if (!options.server)
            options.server = m_server.socketAddress();
        if (options.auditPath.isEmpty())
            options.auditPath = m_files.filePath(QStringLiteral("audit.jsonl"));
        m_window = std::make_unique<MainWindow>(options);
        m_window->show();
        return QTest::qWaitFor([this] { return find<LocksPage>() && page().isVisible(); }, 20'000);
    }

    /// A lock as Redisson's fair one writes it, with these waiters.
    void addFair(const QByteArray &key, const QByteArray &owner, const QList<QByteArray> &waiters)
    {
        m_server.cli({"HSET", key, owner, "1"});
        m_server.cli({"PEXPIRE", key, "600000"});
        for (const QByteArray &waiter : waiters) {
            m_server.cli({"RPUSH", "redisson_lock_queue:{" + key + '}', waiter});
            m_server.cli({"ZADD", "redisson_lock_timeout:{" + key + '}', "99999999999999", waiter});
        }
    }

private:
    OwnSettings m_files;
    RedisServer m_server;
    std::unique_ptr<MainWindow> m_window;
};

} // namespace lockscope
