// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/connect/connectionform.h"

#include "core/base/printable.h"
#include "core/words/messages.h"
#include "core/words/texts.h"
#include "ui/widgets/boxes.h"
#include "ui/widgets/propertygrid.h"

#include <QCheckBox>
#include <QComboBox>
#include <QFormLayout>
#include <QLineEdit>
#include <QPushButton>
#include <QRegularExpression>
#include <QToolButton>

namespace lockscope {

namespace {

/// Returns whether the scheme demands TLS; nullopt if it does not say.
std::optional<bool> encryptionTyped(const QString &address)
{
    for (const auto &[scheme, encrypted] :
         {std::pair("redis://", false), std::pair("rediss://", true), std::pair("redis-sentinel://", false),
          std::pair("rediss-sentinel://", true), std::pair("redis-redlock://", false),
          std::pair("rediss-redlock://", true)}) {
        if (address.startsWith(QLatin1String(scheme), Qt::CaseInsensitive))
            return encrypted;
    }
    return std::nullopt;
}

/// Returns the suffix of the scheme: "-sentinel", "-redlock" or nothing.
QString kindOf(const QString &address)
{
    const QString scheme = address.first(std::max<qsizetype>(address.indexOf(QLatin1String("://")), 0));
    const qsizetype dash = scheme.indexOf(u'-');
    return dash < 0 ? QString() : scheme.sliced(dash);
}

bool isSameServer(const ServerAddress &a, const ServerAddress &b)
{
    return a.transport == b.transport && a.host == b.host && a.port == b.port &&
           a.socketPath == b.socketPath && a.sentinels == b.sentinels && a.members == b.members;
}

} // namespace

ConnectionForm::ConnectionForm(QWidget *parent)
    : QWidget(parent),
      m_uri(new QLineEdit(QStringLiteral("localhost:6379"), this)),
      m_message(plainLabel(this)),
      m_trust(new QPushButton(tr("Trust this certificate"), this)),
      m_name(new QLineEdit(this)),
      m_group(new QLineEdit(this)),
      m_environment(new QComboBox(this)),
      m_readOnly(new QCheckBox(tr("&Read-only: block all actions"), this)),
      m_login(addDisclosure(tr("Login and TLS"))),
      m_nodes(addDisclosure(tr("SSH, Sentinel, cluster and Redlock")))
{
    m_uri->setObjectName(QStringLiteral("uri"));
    m_uri->setToolTip(
        tr("host, host:port, redis://user:password@host:port/db, rediss://… (TLS), unix:///path?db=N, "
           "redis-sentinel://host:port,host:port/name"));
    m_message->setObjectName(QStringLiteral("uriMessage"));
    applyTextColor(m_message, StatusColor::Danger);
    m_message->hide();
    m_trust->setObjectName(QStringLiteral("trust"));
    m_trust->hide();
    connect(m_trust, &QPushButton::clicked, this, [this] {
        const QStringList pins =
            m_pins->text().split(u',', Qt::SkipEmptyParts) + QStringList(QString::fromLatin1(m_offered));
        m_pins->setText(pins.join(QStringLiteral(", ")));
        offerPin({});
        emit submitted();
    });
    m_name->setObjectName(QStringLiteral("name"));
    m_name->setPlaceholderText(tr("optional, such as “orders”"));
    m_group->setObjectName(QStringLiteral("group"));
    m_group->setAccessibleName(tr("Group"));
    m_group->setPlaceholderText(tr("group, optional"));
    m_environment->setObjectName(QStringLiteral("environment"));
    m_environment->addItem(tr("Not set: actions need confirmation"));
    m_environment->addItem(tr("Development: actions without input run at once"));
    m_environment->addItem(tr("Staging: actions ask to be confirmed"));
    m_environment->addItem(tr("Production: locked; actions ask for the key"));
    m_environment->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_environment->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    m_readOnly->setObjectName(QStringLiteral("readOnly"));
    buildLogin();
    buildNodes();

    auto *form = new QFormLayout;
    arrange(*form);
    form->addRow(Texts::tr("&Server"), m_uri);
    form->addRow(m_message);
    form->addRow(QString(), m_trust);
    auto *named = lineOf({{m_name, 3}, {m_group, 2}}, spacing);
    auto *nameLabel = new QLabel(Texts::tr("&Name"), this);
    nameLabel->setBuddy(m_name);
    form->addRow(nameLabel, named);
    form->addRow(Texts::tr("&Environment"), m_environment);
    setLayout(columnOf({form, m_login.button, m_login.details, m_nodes.button, m_nodes.details, m_readOnly},
                       spacing, {}));
    for (QLineEdit *field : {m_uri, m_name, m_user, m_password, m_passwordCommand, m_primaryName,
                             m_sentinelUser, m_sentinelPassword, m_nodeAddresses, m_sshHost})
        connect(field, &QLineEdit::returnPressed, this, &ConnectionForm::submitted);
    connect(m_uri, &QLineEdit::textEdited, m_message, &QWidget::hide);
    connect(m_uri, &QLineEdit::textChanged, m_trust, &QWidget::hide);
    connect(m_uri, &QLineEdit::textChanged, this, &ConnectionForm::followAddress);
    connect(m_primaryName, &QLineEdit::textEdited, m_message, &QWidget::hide);
    connect(m_tls, &QCheckBox::toggled, this, &ConnectionForm::followBox);
    for (QLineEdit *field : {m_uri, m_user, m_primaryName, m_sentinelUser, m_sshHost})
        connect(field, &QLineEdit::textChanged, this, &ConnectionForm::followKept);
    for (QCheckBox *box : {m_tls, m_readsReplica, m_isGroup})
        connect(box, &QCheckBox::toggled, this, &ConnectionForm::followKept);
}

/// Hosts without a scheme are Sentinels if a primary is named, or a Redlock group if the box says so.
QString ConnectionForm::typed() const
{
    const QString text = m_uri->text().trimmed();
    const QString name = m_primaryName->text().trimmed();
    if (text.contains(QLatin1String("://")) || text.startsWith(u'/'))
        return text;
    if (m_isGroup->isChecked() && name.isEmpty())
        return (m_tls->isChecked() ? QStringLiteral("rediss-redlock://")
                                   : QStringLiteral("redis-redlock://")) +
               text;
    if (name.isEmpty())
        return text;
    return (m_tls->isChecked() ? QStringLiteral("rediss-sentinel://") : QStringLiteral("redis-sentinel://")) +
           text + u'/' + QString::fromLatin1(name.toUtf8().toPercentEncoding());
}

ServerAddress::Transport ConnectionForm::transportOf(const ServerAddress &typed) const
{
    using Transport = ServerAddress::Transport;
    if (typed.transport == Transport::Unix)
        return Transport::Unix;
    return encryptionTyped(m_uri->text().trimmed()).value_or(m_tls->isChecked()) ? Transport::Tls
                                                                                 : Transport::Tcp;
}

/// Also called while typing: each step may name another server.
void ConnectionForm::followAddress()
{
    const QString text = m_uri->text().trimmed();
    if (const auto encrypted = encryptionTyped(text)) {
        const QSignalBlocker blocker(m_tls);
        m_tls->setChecked(*encrypted);
        enableTlsFields();
    }
    auto server = ServerAddress::parse(typed());
    if (!server)
        return;
    server->transport = transportOf(*server);
    server->database = 0; // of the same server
    m_tls->setEnabled(server->transport != ServerAddress::Transport::Unix);
    const QString before = m_server.toDisplayString();
    if (isSameServer(*server, std::exchange(m_server, *server)) || !clearLogin())
        return;
    sayCleared(before);
}

/// The same server by another transport: its fields stay.
void ConnectionForm::followBox(bool encrypted)
{
    enableTlsFields();
    if (m_server.transport != ServerAddress::Transport::Unix)
        m_server.transport = encrypted ? ServerAddress::Transport::Tls : ServerAddress::Transport::Tcp;
    const QString text = m_uri->text().trimmed();
    if (encryptionTyped(text).value_or(encrypted) != encrypted)
        m_uri->setText((encrypted ? QStringLiteral("rediss") : QStringLiteral("redis")) + kindOf(text) +
                       text.mid(text.indexOf(u':')));
}

/// Behind another SSH host, the same address is another server.
void ConnectionForm::followSshHost()
{
    const QString host = m_sshHost->text().trimmed();
    const QString before = std::exchange(m_loginSshHost, host);
    if (before.isEmpty() || before == host)
        return;
    if (clearLogin())
        sayCleared(before);
    m_sshHost->setText(host);
}

void ConnectionForm::sayCleared(const QString &server)
{
    sayOfLogin(tr("User, password and certificates cleared: they belong to %1.").arg(server),
               StatusColor::Warning);
    m_login.open(true);
}

void ConnectionForm::enableTlsFields()
{
    for (QWidget *field : {m_caFile->parentWidget(), m_certificate->parentWidget(), m_key->parentWidget(),
                           static_cast<QWidget *>(m_passphrase), static_cast<QWidget *>(m_serverName),
                           static_cast<QWidget *>(m_pins)})
        field->setEnabled(m_tls->isChecked());
}

bool ConnectionForm::clearLogin()
{
    bool any = false;
    for (QLineEdit *field :
         {m_user, m_password, m_passwordCommand, m_caFile, m_certificate, m_key, m_passphrase, m_serverName,
          m_pins, m_sentinelUser, m_sentinelPassword, m_nodeAddresses, m_sshHost}) {
        any |= !field->text().isEmpty();
        field->clear();
    }
    m_readsReplica->setChecked(false);
    m_keep->setChecked(false);
    return any;
}

/// Adds to the address what identifies the server and has its own fields.
void ConnectionForm::nameServer(ServerAddress &address) const
{
    if (address.isBySentinels()) {
        if (!m_sentinelUser->text().isEmpty())
            address.sentinelUser = m_sentinelUser->text().toUtf8();
        address.readsReplica = address.readsReplica || m_readsReplica->isChecked();
    }
    if (!m_user->text().isEmpty())
        address.user = m_user->text().toUtf8();
    address.transport = transportOf(address);
}

/// Returns nullopt while the typed address is invalid.
std::optional<ServerAddress> ConnectionForm::namedServer() const
{
    auto parsed = ServerAddress::parse(typed());
    const QString sshHost = m_sshHost->text().trimmed();
    if (!parsed || (!sshHost.isEmpty() && !parsed->setSshHost(sshHost)))
        return std::nullopt;
    nameServer(*parsed);
    return *parsed;
}

void ConnectionForm::followKept()
{
    if (m_isFilling)
        return;
    const auto server = namedServer();
    const bool isKept = server && keepsPasswords(*server);
    if (std::exchange(m_isKept, isKept) || isKept)
        m_keep->setChecked(isKept); // of another server it is to be said anew
    showKeeping();
}

std::optional<ServerAddress> ConnectionForm::address()
{
    followSshHost(); // Enter in its field comes before the end of its editing
    auto parsed = ServerAddress::parse(typed());
    if (parsed && !parsed->isBySentinels() && !m_primaryName->text().trimmed().isEmpty())
        parsed = tl::unexpected(
            Error(ErrorKind::InvalidArgument,
                  Phrase(QT_TRANSLATE_NOOP(
                      "phrases", "With a master name, write only Sentinel hosts, like host1:26379,host2."))));
    if (!parsed) {
        setFieldError(describe(parsed.error(), printable(m_uri->text().toUtf8(), 80)));
        focusAddress();
        return std::nullopt;
    }
    setFieldError({});
    for (const QString &pair : m_nodeAddresses->text().split(u',', Qt::SkipEmptyParts)) {
        if (parsed->addNodeAddress(pair.trimmed().toUtf8()))
            continue;
        setFieldError(tr("Write node addresses like 10.0.0.5:6379=localhost:7001, separated by commas."));
        m_nodes.open(true);
        m_nodeAddresses->setFocus();
        return std::nullopt;
    }
    if (const QString host = m_sshHost->text().trimmed(); !host.isEmpty() && !parsed->setSshHost(host)) {
        setFieldError(tr("Write the SSH host as [USER@]HOST[:PORT]."));
        m_nodes.open(true);
        m_sshHost->setFocus();
        return std::nullopt;
    }
    nameServer(*parsed);
    if (parsed->isBySentinels())
        parsed->sentinelPassword = m_sentinelPassword->text().toUtf8();
    if (!m_password->text().isEmpty())
        parsed->password = m_password->text().toUtf8();
    parsed->passwordCommand = m_passwordCommand->text().trimmed();
    if (!parsed->user.isEmpty() && parsed->password.isEmpty() && parsed->passwordCommand.isEmpty() &&
        !keepsPasswords(*parsed)) {
        m_user->setText(QString::fromUtf8(parsed->user));
        sayOfLogin(tr("The user %1 needs a password; any text if none is required.")
                       .arg(printable(parsed->user, 60)),
                   StatusColor::Danger);
        focusPassword();
        return std::nullopt;
    }
    if (parsed->transport == ServerAddress::Transport::Tls) {
        parsed->caFile = m_caFile->text();
        parsed->certificateFile = m_certificate->text();
        parsed->keyFile = m_key->text();
        parsed->keyPassphrase = m_passphrase->text().toUtf8();
        parsed->serverName = m_serverName->text();
        for (const QString &pin : m_pins->text().split(u',', Qt::SkipEmptyParts)) {
            if (parsed->addPin(pin.toLatin1()))
                continue;
            setFieldError(tr("Give the certificate's SHA-256 fingerprint: 64 hexadecimal digits."));
            m_login.open(true);
            m_pins->setFocus();
            return std::nullopt;
        }
    }
    m_loginMessage->hide();
    return *parsed;
}

std::optional<StoredServer> ConnectionForm::server()
{
    const auto where = address();
    if (!where)
        return std::nullopt;
    return StoredServer{
        m_name->text().trimmed(),  *where,
        m_readOnly->isChecked(),   environments[size_t(std::max(0, m_environment->currentIndex()))],
        m_group->text().trimmed(), m_keep->isChecked()};
}

bool ConnectionForm::isOfFilledServer()
{
    const auto where = address();
    return where && where->toUriWithoutPassword() == m_filledUri;
}

void ConnectionForm::fill(const StoredServer &server)
{
    m_isFilling = true;
    m_filledUri = server.address.toUriWithoutPassword();
    ServerAddress shown = server.address;
    shown.sentinelUser.clear(); // these have fields of their own
    shown.readsReplica = false;
    shown.sshHost.clear();
    clear(shown.toUriWithoutPassword());
    m_name->setText(server.name);
    m_group->setText(server.group);
    m_environment->setCurrentIndex(static_cast<int>(server.environment));
    m_readOnly->setChecked(server.readOnly);
    fillLogin(server.address);
    m_isFilling = false;
    followKept();
    m_keep->setChecked(server.keepsPasswords);
}

void ConnectionForm::fillLogin(const ServerAddress &address)
{
    {
        const QSignalBlocker blocker(m_tls);
        m_tls->setChecked(address.transport == ServerAddress::Transport::Tls);
        enableTlsFields();
    }
    m_user->setText(QString::fromUtf8(address.user));
    m_password->setText(QString::fromUtf8(address.password));
    m_passwordCommand->setText(address.passwordCommand);
    m_caFile->setText(address.caFile);
    m_certificate->setText(address.certificateFile);
    m_key->setText(address.keyFile);
    m_passphrase->setText(QString::fromUtf8(address.keyPassphrase));
    m_serverName->setText(address.serverName);
    QStringList pins;
    for (const QByteArray &pin : address.pins)
        pins.append(QString::fromLatin1(pin));
    m_pins->setText(pins.join(QStringLiteral(", ")));
    m_sentinelUser->setText(QString::fromUtf8(address.sentinelUser));
    m_sentinelPassword->setText(QString::fromUtf8(address.sentinelPassword));
    m_readsReplica->setChecked(address.readsReplica);
    m_nodeAddresses->setText(address.nodeAddressesText());
    m_sshHost->setText(address.sshHost);
    m_loginSshHost = address.sshHost;
    m_login.open(m_tls->isChecked() || !address.user.isEmpty() || !address.password.isEmpty() ||
                 !address.passwordCommand.isEmpty());
    m_nodes.open(!address.sentinelUser.isEmpty() || !address.sentinelPassword.isEmpty() ||
                 address.readsReplica || !address.nodeAddresses.isEmpty() || !address.sshHost.isEmpty());
}

/// Clears the login even for the same server: the address brings its own.
void ConnectionForm::clear(const QString &uri)
{
    setFieldError({});
    m_primaryName->clear();
    m_isGroup->setChecked(false); // an address says so itself
    m_uri->setText(uri);
    clearLogin();
    m_loginMessage->hide();
}

void ConnectionForm::setFieldError(const QString &text)
{
    // A fingerprint is longer than a line, and a label breaks no word.
    static const QRegularExpression fingerprint(QStringLiteral("([0-9a-f]{32})([0-9a-f]{32})"));
    m_message->setText(QString(text).replace(fingerprint, QStringLiteral("\\1 \\2")));
    m_message->setHidden(text.isEmpty());
}

void ConnectionForm::offerPin(const QByteArray &fingerprint)
{
    m_offered = fingerprint;
    m_trust->setHidden(fingerprint.isEmpty());
    m_trust->setToolTip(
        tr("Accept exactly this certificate. Compare its fingerprint with the server's first:\n%1")
            .arg(QString::fromLatin1(fingerprint)));
}

void ConnectionForm::sayOfLogin(const QString &text, StatusColor color)
{
    applyTextColor(m_loginMessage, color);
    m_loginMessage->setText(text);
    m_loginMessage->show();
}

void ConnectionForm::focusAddress()
{
    m_uri->setFocus();
    m_uri->selectAll();
}

void ConnectionForm::focusPassword()
{
    m_login.open(true);
    m_password->setFocus();
    m_password->selectAll();
}

void ConnectionForm::focusSentinelPassword()
{
    m_nodes.open(true);
    m_sentinelPassword->setFocus();
}

void ConnectionForm::focusPassphrase()
{
    m_login.open(true);
    m_passphrase->setFocus();
}

} // namespace lockscope
