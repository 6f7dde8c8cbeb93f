// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/support/ownsettings.h"
#include "tests/support/redisserver.h"
#include "ui/actions/mainactions.h"
#include "ui/locks/lockspage.h"
#include "ui/shell/mainwindow.h"

#include <QLabel>
#include <QPushButton>
#include <QTableView>
#include <QtTest>

namespace lockscope {

/// Returns the texts of the visible labels, one per line.
inline QString shownText(const QWidget &parent)
{
    QStringList texts;
    for (const QLabel *label : parent.findChildren<QLabel *>()) {
        if (label->isVisible())
            texts << label->text();
    }
    return texts.join(u'\n');
}

/// Returns the visible button with this text; nullptr if there is none.
inline QPushButton *button(const QWidget &parent, const QString &text)
{
    for (QPushButton *candidate : parent.findChildren<QPushButton *>()) {
        if (candidate->text().remove(u'&') == text && candidate->isVisible())
            return candidate;
    }
    return nullptr;
}

/// A window with settings and audit log in a temporary directory.
class ShownWindow
{
public:
    /// Makes warnings fail the test, except those of the offscreen platform on minimum sizes and menus.
    static void failOnWarning()
    {
        QTest::failOnWarning(QRegularExpression(QStringLiteral("^(?!This plugin does not support )")));
    }

    /// Opens a new window.
    void open(WindowOptions options, QSize size = {})
    {
        m_window.reset();
        if (options.auditPath.isEmpty())
            options.auditPath = m_files.filePath(QStringLiteral("audit.jsonl"));
        m_window = std::make_unique<MainWindow>(options);
        if (size.isValid())
            m_window->resize(size);
        m_window->show();
    }

    MainWindow &window() const { return *m_window; }
    MainActions &commands() const { return *find<MainActions>(); }
    /// Returns nullptr until there is a server.
    LocksPage *page() const { return find<LocksPage>(); }
    QTableView *table() const { return page() ? page()->findChild<QTableView *>() : nullptr; }
    int rows() const { return page() ? page()->model().shown() : -1; }
    template <typename T>
    T *find() const
    {
        return m_window->findChild<T *>();
    }

protected:
    OwnSettings m_files;
    std::unique_ptr<MainWindow> m_window;
};

/// A window with its own server.
class TestWindow : public ShownWindow
{
public:
    ~TestWindow() { m_window.reset(); }

    RedisServer &server() { return m_server; }

    /// Opens a new window; returns false if it does not show the server. `options` may name another one.
    [[nodiscard]] bool connect(WindowOptions options = {})
    {
        if (!options.server)
            options.server = m_server.socketAddress();
        open(options);
        return QTest::qWaitFor([this] { return page() && page()->isVisible(); }, 20'000);
    }

    /// Writes a Redisson fair lock with these waiters.
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
    RedisServer m_server;
};

} // namespace lockscope
