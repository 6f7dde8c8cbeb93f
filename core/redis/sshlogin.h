// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/redis/sshlog.h"
#include "core/redis/sshtunnel.h"

#include <QDeadlineTimer>
#include <QObject>
#include <QProcess>
#include <QPromise>
#include <QTimer>

#include <map>
#include <memory>
#include <vector>

namespace lockscope {

/// One login at an SSH host, and its forwards. Made for the first forward, and again if it has ended. Lives
/// on the thread of SshTunnel.
class SshLogin : public QObject
{
public:
    using Way = std::shared_ptr<QPromise<Result<QString>>>;
    using Why = std::shared_ptr<QPromise<std::optional<Error>>>;
    struct Prompting
    {
        SshTunnel::Prompts prompts = SshTunnel::Prompts::None;
        QString program;
    };

    /// `control`: login of another process; empty: its own.
    SshLogin(QString host, QString control, Prompting prompting);
    ~SshLogin() override;

    void hold() { ++m_holders; }
    void release();
    void open(const QString &target, const Way &way);
    void explain(const QString &path, bool hasReceived, const Why &why);
    QString control() const;

private:
    struct Forward
    {
        QString path;
        bool stands = false;
        std::vector<Way> waiting;
        QList<QByteArray> reasons; ///< for its failed connections that were not asked about
        QDeadlineTimer reasonsHold;
    };
    struct Question
    {
        QString path;
        bool hasReceived;
        Why why;
        QDeadlineTimer patience;
    };

    void start();
    void look();
    void ended();
    void stop();
    void forward(const QString &target);
    void forwarded(const QString &target, QProcess &ssh);
    void settle(Forward &forward, const Result<QString> &result);
    void fail(const Error &why);
    void readLog();
    void answer();
    std::optional<Error> reasonFor(const Question &question);

    const QString m_host;
    const QString m_control; ///< another process' login
    const Prompting m_prompting;
    QString m_directory;
    std::unique_ptr<QProcess> m_process; ///< absent: no login, or another process'
    SshLog m_log;
    std::map<QString, Forward> m_forwards; ///< by target
    std::vector<Question> m_questions;
    std::optional<Error> m_failure;
    QDeadlineTimer m_refusesUntil;  ///< for other requests too
    QDeadlineTimer m_explainsUntil; ///< for connections that end
    QTimer m_look;
    QDeadlineTimer m_patience;
    QTimer m_linger;
    QTimer m_answers;
    int m_holders = 0;
    int m_made = 0;
    bool m_isReady = false;
};

} // namespace lockscope
