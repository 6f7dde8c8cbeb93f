// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/actionrequest.h"
#include "tests/support/redisserver.h"

#include <QLocalSocket>
#include <QObject>
#include <QSet>

#include <functional>

class QWidget;

namespace lockscope {

class MainWindow;
class MonitorPage;

/// Whether the user agreed to what the server carries out. It sees both from outside: the buttons and actions that are pressed
/// in the windows, with what stands there at that moment, and all commands, by MONITOR.
class ConsentJudge : public QObject
{
public:
    /// `report` is called with each command that nobody agreed to. Everything must outlive this.
    ConsentJudge(const RedisServer &server, std::function<void(const QString &)> report);

    /// Another input begins: what is agreed to from here on is agreed to by it.
    void beginInput() { ++m_input; }
    /// Waits until everything is seen that the server has carried out up to now, and compares.
    void compare();
    /// Compares the audit log with what was seen: a record for each.
    void compareWith(const QString &auditPath);
    int actions() const { return m_actions; }
    int simulated() const { return m_simulated; }

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    /// Somebody agreed to one action each on the locks that are named.
    struct Agreement
    {
        QString named;           ///< what stood before the user
        bool isWhole = false;    ///< it is the lock's name, and nothing else
        quint64 input = 0;       ///< which one it was
        bool isDirect = false;   ///< without a dialog
        QSet<QByteArray> used{}; ///< each once
    };

    void watch(QWidget *shown);
    void watchWindow(MainWindow *window);
    void watchNotice(QWidget *notice);
    template <typename Dialog>
    void watchDialog(Dialog *dialog);
    void agreeDirectly(const MainWindow &window, Action action);
    void agree(const QWidget &dialog);
    void judge(const QByteArray &line);
    bool takeAgreement(const QByteArray &key);

    const std::function<void(const QString &)> m_report;
    QLocalSocket m_monitor;
    QByteArray m_unread;
    QList<Agreement> m_agreements;
    QHash<const MonitorPage *, QSet<Action>> m_unasked; ///< "do not ask again"
    bool m_maySimulate = false;
    QSet<QByteArrayList>
        m_byDigest; ///< EVALSHA's keys and arguments, which EVAL repeats where the server does not know the script
    QStringList m_sent; ///< the actions: their inputs, and the lines of MONITOR
    quint64 m_input = 0;
    int m_actions = 0;
    int m_simulated = 0;
};

} // namespace lockscope
