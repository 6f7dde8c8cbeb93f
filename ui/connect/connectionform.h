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

/// Where to connect to and how: one field, and the rest behind two disclosures. Passwords that are typed are in their fields only,
/// those that are kept in none. User, password, certificates and what is behind the second disclosure belong to one server: they
/// go when another is typed. A scheme that is typed and the box for TLS follow each other.
class ConnectionForm : public QWidget
{
    Q_OBJECT

public:
    explicit ConnectionForm(QWidget *parent = nullptr);

    /// As entered, StoredServer::keepsPasswords as the box says; nullopt where the address makes no sense, which the message says.
    std::optional<StoredServer> server();

    void fill(const StoredServer &server);
    /// The address is still that of the server that was filled in.
    bool isOfFilledServer();
    void setFieldError(const QString &text);
    /// The certificate of this fingerprint was refused: to be trusted it has to be pinned. Empty: none was.
    void offerPin(const QByteArray &fingerprint);
    /// Beneath the password.
    void sayOfLogin(const QString &text, StatusColor color);
    /// What is stored of the server may have changed.
    void followKept();
    void focusAddress();
    void focusPassword();
    void focusSentinelPassword();
    void focusPassphrase();

signals:
    void submitted(); ///< Enter in a field
    /// The user wants no passwords kept any more that are kept for this address.
    void forgetRequested(const lockscope::ServerAddress &address);

private:
    /// A button that shows or hides the fields of its own.
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
    /// What is typed, as one address.
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
    QByteArray m_offered; ///< what it pins
    QLineEdit *m_name;
    QLineEdit *m_group;
    QComboBox *m_environment;
    QCheckBox *m_readOnly;
    Disclosure m_login;
    Disclosure m_nodes;
    // Made by buildLogin().
    QLineEdit *m_user = nullptr;
    QLineEdit *m_password = nullptr;
    QCheckBox *m_keep = nullptr;
    QLineEdit *m_caFile = nullptr;
    QLineEdit *m_certificate = nullptr;
    QLineEdit *m_key = nullptr;
    QLineEdit *m_passphrase = nullptr;
    QLineEdit *m_serverName = nullptr;
    QLineEdit *m_pins = nullptr;
    QCheckBox *m_tls = nullptr;
    QLabel *m_loginMessage = nullptr;
    // Made by buildNodes().
    QLineEdit *m_primaryName = nullptr;
    QLineEdit *m_sentinelUser = nullptr;
    QLineEdit *m_sentinelPassword = nullptr;
    QCheckBox *m_isGroup = nullptr;
    QCheckBox *m_readsReplica = nullptr;
    QLineEdit *m_nodeAddresses = nullptr;
    QLineEdit *m_sshHost = nullptr;
    QString m_loginSshHost; ///< the one that user and password were typed for
    QString m_filledUri;
    bool m_isKept = false;    ///< passwords of the server that is typed
    bool m_isFilling = false; ///< it is not yet the server that is to be shown
    ServerAddress m_server;   ///< the last one typed that makes sense: transport, host, port and socket
};

} // namespace lockscope
