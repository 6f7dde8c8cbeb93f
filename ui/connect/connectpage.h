// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/redis/serveraddress.h"
#include "core/redis/storedservers.h"
#include "ui/connect/keptpasswords.h"
#include "ui/widgets/palette.h"

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

/// The first page: the connection form, stored servers, the demo and the simulation.
class ConnectPage : public QWidget
{
    Q_OBJECT

public:
    /// `secrets` keeps the passwords of stored servers and must outlive this.
    explicit ConnectPage(SecretStore &secrets, QWidget *parent = nullptr);
    explicit ConnectPage(QWidget *parent = nullptr);
    ~ConnectPage() override;

    /// Sets the patterns whose permissions the connection test checks.
    void setPatterns(const QList<QByteArray> &patterns) { m_patterns = patterns; }

    ConnectionForm &form() { return *m_form; }

    /// Requests a connection to a stored server after reading its kept passwords. Asks for them in the form
    /// if they are not available.
    void connectTo(const StoredServer &server);
    /// Call after a successful login: keeps the typed passwords if the user wants that.
    void keepPasswords(const StoredServer &server);
    /// Fills the form, without passwords from the secret store.
    void fillForm(StoredServer server);
    /// Removes from `address` the passwords that the secret store supplied for the last connection.
    void takeBack(ServerAddress &address);

    void showForm();
    void showConnecting(const QString &serverName); ///< with a button to cancel
    void showOpening(const QString &recording);     ///< with a button to cancel
    /// `certificate`: fingerprint of a refused certificate; may be empty.
    void showFailure(const QString &text, bool passwordWanted, const QByteArray &certificate = {});
    /// Shows a failure reported by a server or the system; `text` is for the user.
    void showFailure(const QString &text, const Error &why);
    void warn(const QString &text);

signals:
    void connectRequested(const lockscope::StoredServer &server);
    void windowRequested(const lockscope::StoredServer &server);
    void demoRequested();
    void simulationRequested();
    void cancelled();
    /// Passwords of the connected server were not kept; `why` is for the user.
    void passwordsNotKept(const QString &why);

private:
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
    void addButton(const char *name, const QString &text, const std::function<void()> &press);
    void askForExport();
    void tell(const QString &text, StatusColor color);

    KeptPasswords m_kept;
    std::unique_ptr<QObject> m_waiting; ///< context of a pending read of the secret store
    Passwords m_lent;                   ///< from the secret store, for this connection
    Lent m_wereLent;                    ///< from the secret store, for the last connection
    QString m_wish;                     ///< server whose passwords to keep after login; may be empty
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
    QLabel *m_notice;
    QWidget *m_recent;
    QVBoxLayout *m_recentList;
};

} // namespace lockscope
