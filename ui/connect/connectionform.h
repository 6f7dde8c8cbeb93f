// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/redis/serveraddress.h"

#include <QWidget>

#include <optional>

class QCheckBox;
class QFormLayout;
class QLabel;
class QLineEdit;
class QToolButton;

namespace lockscope {

/// Where to connect to and how: one field, and the rest behind a disclosure. The password is kept in its field only. User,
/// password and certificates belong to one server: they go when another is typed. A scheme that is typed and the box for TLS
/// follow each other.
class ConnectionForm : public QWidget
{
    Q_OBJECT

public:
    explicit ConnectionForm(QWidget *parent = nullptr);

    /// The address as entered; nullopt where it makes no sense, which the message says.
    std::optional<ServerAddress> address();
    QString name() const;
    bool isReadOnly() const;

    void fill(const ServerAddress &address, const QString &name, bool readOnly);
    void fill(const QString &uri, const QString &name, bool readOnly);
    void setFieldError(const QString &text);
    /// Beneath the password.
    void complainOfLogin(const QString &text);
    void focusAddress();
    void focusPassword();

signals:
    void submitted(); ///< Enter in a field

private:
    QLineEdit *addFileField(QFormLayout &form, const QString &label);
    void buildDetails();
    void disclose(bool open);
    void followAddress();
    void followBox(bool encrypted);
    ServerAddress::Transport transportOf(const ServerAddress &typed) const;
    void enableTlsFields();
    bool clearLogin();

    QLineEdit *m_uri;
    QLabel *m_message;
    QLineEdit *m_name;
    QCheckBox *m_readOnly;
    QToolButton *m_disclosure;
    QWidget *m_details;
    // Made by buildDetails().
    QLineEdit *m_user = nullptr;
    QLineEdit *m_password = nullptr;
    QLineEdit *m_caFile = nullptr;
    QLineEdit *m_certificate = nullptr;
    QLineEdit *m_key = nullptr;
    QLineEdit *m_serverName = nullptr;
    QCheckBox *m_tls = nullptr;
    QLabel *m_loginMessage = nullptr;
    ServerAddress m_server; ///< the last one typed that makes sense: transport, host, port and socket
};

} // namespace lockscope
