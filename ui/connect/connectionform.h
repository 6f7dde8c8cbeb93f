// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/redis/storedservers.h"
#include "ui/widgets/palette.h"

#include <QWidget>

#include <optional>

class QCheckBox;
class QComboBox;
class QFormLayout;
class QLabel;
class QLineEdit;
class QPushButton;
class QToolButton;

namespace lockscope {

/// The form for a server: one address field and two sections with the rest. Typed passwords are only in their
/// fields; kept ones in none. User, password, certificates and the second section belong to one server and
/// are cleared for another. The TLS box and the typed scheme follow each other.
class ConnectionForm : public QWidget
{
    Q_OBJECT

public:
    explicit ConnectionForm(QWidget *parent = nullptr);

    /// Returns the server as entered; nullopt with a message if the address is invalid.
    std::optional<StoredServer> server();

    void fill(const StoredServer &server);
    /// True while the address is that of fill().
    bool isOfFilledServer();
    void setFieldError(const QString &text);
    /// Offers to pin the refused certificate with this fingerprint; empty: none was refused.
    void offerPin(const QByteArray &fingerprint);
    void sayOfLogin(const QString &text, StatusColor color);
    /// Call when stored properties of the server may have changed.
    void followKept();
    void focusAddress();
    void focusPassword();
    void focusSentinelPassword();
    void focusPassphrase();

signals:
    void submitted(); ///< by Enter
    void forgetRequested(const lockscope::ServerAddress &address);

private:
    struct Disclosure
    {
        QToolButton *button;
        QWidget *details;

        void open(bool isOpen) const;
    };

    Disclosure addDisclosure(const QString &text);
    static QLineEdit *newField(QWidget *parent, const char *name, const QString &placeholder);
    QLineEdit *addFileField(QFormLayout &form, const QString &label);
    static constexpr int spacing = 8;
    static void arrange(QFormLayout &form);
    void buildLogin();
    void buildNodes();
    void fillLogin(const ServerAddress &address);
    std::optional<ServerAddress> address();
    void nameServer(ServerAddress &address) const;
    std::optional<ServerAddress> namedServer() const;
    void buildKeep(QFormLayout &form);
    void showKeeping();
    QString typed() const;
    void clear(const QString &uri);
    void followAddress();
    void followBox(bool encrypted);
    void followSshHost();
    void sayCleared(const QString &server);
    ServerAddress::Transport transportOf(const ServerAddress &typed) const;
    void enableTlsFields();
    bool clearLogin();

    QLineEdit *m_uri;
    QLabel *m_message;
    QPushButton *m_trust;
    QByteArray m_offered; ///< fingerprint to pin
    QLineEdit *m_name;
    QLineEdit *m_group;
    QComboBox *m_environment;
    QCheckBox *m_readOnly;
    Disclosure m_login;
    Disclosure m_nodes;
    QLineEdit *m_user = nullptr;
    QLineEdit *m_password = nullptr;
    QLineEdit *m_passwordCommand = nullptr;
    QCheckBox *m_keep = nullptr;
    QLineEdit *m_caFile = nullptr;
    QLineEdit *m_certificate = nullptr;
    QLineEdit *m_key = nullptr;
    QLineEdit *m_passphrase = nullptr;
    QLineEdit *m_serverName = nullptr;
    QLineEdit *m_pins = nullptr;
    QCheckBox *m_tls = nullptr;
    QLabel *m_loginMessage = nullptr;
    QLineEdit *m_primaryName = nullptr;
    QLineEdit *m_sentinelUser = nullptr;
    QLineEdit *m_sentinelPassword = nullptr;
    QCheckBox *m_isGroup = nullptr;
    QCheckBox *m_readsReplica = nullptr;
    QLineEdit *m_nodeAddresses = nullptr;
    QLineEdit *m_sshHost = nullptr;
    QString m_loginSshHost; ///< host for which the login was typed
    QString m_filledUri;
    bool m_isKept = false;
    bool m_isFilling = false;
    ServerAddress m_server; ///< last valid typed transport, host, port and socket
};

} // namespace lockscope
