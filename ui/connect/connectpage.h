// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/redis/serveraddress.h"
#include "core/redis/storedservers.h"
#include "ui/connect/keptpasswords.h"

#include <QWidget>

#include <functional>
#include <memory>
#include <optional>

class QLabel;
class QPushButton;
class QScrollArea;
class QVBoxLayout;

namespace lockscope {

class ConnectionForm;
class ConnectionTestView;

/// The first page: where to connect to, servers of before, the demo and the laboratory.
class ConnectPage : public QWidget
{
    Q_OBJECT

public:
    /// `secrets`, for the passwords of stored servers, must outlive this.
    explicit ConnectPage(SecretStore &secrets, QWidget *parent = nullptr);
    /// With the system's keychain.
    explicit ConnectPage(QWidget *parent = nullptr);
    ~ConnectPage() override;

    /// What a test of the connection asks permissions for.
    void setPatterns(const QList<QByteArray> &patterns) { m_patterns = patterns; }

    ConnectionForm &form() { return *m_form; }

    /// Asks to connect to it, with the passwords that are kept for it, which are waited for first. Where they cannot be had, the
    /// form asks for them.
    void connectTo(const StoredServer &server);
    /// The login at this server succeeded: what was typed for it is kept, where the user wants that.
    void keepPasswords(const StoredServer &server);
    /// Into the form, but for what the store of secrets has given.
    void fillForm(StoredServer server);
    /// Takes from `address` what the store of secrets gave for the last connection, which is over.
    void takeBack(ServerAddress &address);

    void showForm();                                ///< ready for input
    void showConnecting(const QString &serverName); ///< with a way to cancel
    void showOpening(const QString &recording);     ///< likewise
    /// `certificate`: the fingerprint of the one that was refused; empty: none was.
    void showFailure(const QString &text, bool passwordWanted, const QByteArray &certificate = {});
    /// The same for what a server said, or the system: `text` is for the user.
    void showFailure(const QString &text, const Error &why);
    /// Of what was shown before, in the user's words.
    void warn(const QString &text);

signals:
    void connectRequested(const lockscope::StoredServer &server);
    void windowRequested(const lockscope::StoredServer &server);
    void demoRequested();
    void simulationRequested();
    void cancelled();
    /// The passwords of a server that is connected to; `why` is for the user.
    void passwordsNotKept(const QString &why);

private:
    /// What the store of secrets gave.
    struct Lent
    {
        bool server = false;
        bool sentinels = false;
        bool key = false;
    };
    using Use = std::function<void(const StoredServer &)>;

    void buildProgress();
    std::optional<StoredServer> entered();
    void submit();
    void withKept(const StoredServer &server, const Use &use);
    void stopWaiting();
    void askForPassword(const QString &why);
    void forgetPasswords(const ServerAddress &address, bool withServer = false);
    void listRecent();
    void listServers(const QString &heading, const QList<StoredServer> &servers);
    void addRecent(const StoredServer &server);

    KeptPasswords m_kept;
    std::unique_ptr<QObject> m_waiting; ///< for the store of secrets
    Passwords m_lent;                   ///< by it, for this connection
    Lent m_wereLent;                    ///< for the last one
    QString m_wish; ///< of which server passwords are to be kept when the login has succeeded; empty: none
    ConnectionForm *m_form;
    ConnectionTestView *m_test;
    QScrollArea *m_scroll;
    QPushButton *m_connect;
    QPushButton *m_tryOut;
    QList<QByteArray> m_patterns;
    QPushButton *m_demo;
    QPushButton *m_laboratory;
    QWidget *m_inputs;
    QWidget *m_progress;
    QLabel *m_progressText;
    QLabel *m_notice; ///< of the stored servers, or of what was shown before
    QWidget *m_recent;
    QVBoxLayout *m_recentList;
};

} // namespace lockscope
