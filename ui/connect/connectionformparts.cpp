// SPDX-License-Identifier: GPL-3.0-or-later
// Of the form: its fields behind the disclosures.
#include "ui/connect/connectionform.h"

#include "ui/widgets/boxes.h"
#include "ui/widgets/dialogs.h"
#include "ui/widgets/propertygrid.h"

#include <QCheckBox>
#include <QFileDialog>
#include <QFormLayout>
#include <QLineEdit>
#include <QToolButton>

namespace lockscope {

void ConnectionForm::arrange(QFormLayout &form)
{
    form.setContentsMargins(0, 0, 0, 0);
    form.setHorizontalSpacing(14);
    form.setVerticalSpacing(spacing);
    form.setFieldGrowthPolicy(QFormLayout::ExpandingFieldsGrow);
}

void ConnectionForm::Disclosure::open(bool isOpen) const
{
    button->setArrowType(isOpen ? Qt::DownArrow : Qt::RightArrow);
    button->setChecked(isOpen);
    details->setVisible(isOpen);
}

ConnectionForm::Disclosure ConnectionForm::addDisclosure(const QString &text)
{
    const Disclosure disclosure{new QToolButton(this), new QWidget(this)};
    disclosure.button->setText(text);
    disclosure.button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    disclosure.button->setAutoRaise(true);
    disclosure.button->setCheckable(true);
    disclosure.button->setFocusPolicy(Qt::StrongFocus);
    connect(disclosure.button, &QToolButton::toggled, this,
            [disclosure](bool open) { disclosure.open(open); });
    disclosure.open(false);
    return disclosure;
}

QLineEdit *ConnectionForm::newField(QWidget *parent, const char *name, const QString &placeholder)
{
    auto *field = new QLineEdit(parent);
    field->setObjectName(QLatin1String(name));
    field->setPlaceholderText(placeholder);
    return field;
}

void ConnectionForm::buildLogin()
{
    auto *form = new QFormLayout(m_login.details);
    arrange(*form);
    m_user = newField(m_login.details, "user", tr("the default user"));
    m_password = new QLineEdit(m_login.details);
    m_password->setObjectName(QStringLiteral("password"));
    m_password->setEchoMode(QLineEdit::Password);
    m_loginMessage = plainLabel(m_login.details);
    m_loginMessage->setObjectName(QStringLiteral("loginMessage"));
    m_loginMessage->hide();
    form->addRow(tr("&User"), m_user);
    m_passwordCommand = newField(m_login.details, "passwordCommand",
                                 tr("prints a password that ends, such as a cloud's token"));
    m_passwordCommand->setToolTip(
        tr("Program and arguments, run without a shell, again before the password ends.\n"
           "First line: the password; second, if any: its life in seconds."));
    connect(m_passwordCommand, &QLineEdit::textChanged, this, &ConnectionForm::showKeeping);
    form->addRow(tr("&Password"), m_password);
    buildKeep(*form);
    form->addRow(tr("Password command"), m_passwordCommand);
    form->addRow(m_loginMessage);
    m_tls = new QCheckBox(tr("Use &TLS"), m_login.details);
    m_tls->setObjectName(QStringLiteral("tls"));
    form->addRow(QString(), m_tls);
    m_caFile = addFileField(*form, tr("CA certificates"));
    m_certificate = addFileField(*form, tr("Client certificate"));
    m_key = addFileField(*form, tr("Client key"));
    m_passphrase = newField(m_login.details, "passphrase", tr("only where the key has one"));
    m_passphrase->setEchoMode(QLineEdit::Password);
    form->addRow(tr("Key passphrase"), m_passphrase);
    m_serverName = new QLineEdit(m_login.details);
    m_serverName->setPlaceholderText(tr("the host"));
    form->addRow(tr("Name in certificate"), m_serverName);
    m_pins = newField(m_login.details, "pins", tr("SHA-256: this certificate alone is trusted"));
    form->addRow(tr("Pinned certificate"), m_pins);
    auto *whose = plainLabel(m_login.details);
    whose->setText(tr("Changing the server clears these fields."));
    applyTextColor(whose, StatusColor::Muted);
    form->addRow(whose);
    enableTlsFields();
}

void ConnectionForm::buildKeep(QFormLayout &form)
{
    m_keep = new QCheckBox(tr("&Keep in the system's keychain"), m_login.details);
    m_keep->setObjectName(QStringLiteral("keepPasswords"));
    m_keep->setToolTip(tr("Passwords and passphrase, for this user and address"));
    connect(m_keep, &QCheckBox::toggled, this, &ConnectionForm::showKeeping);
    connect(m_keep, &QCheckBox::clicked, this, [this](bool keep) {
        const auto server = namedServer();
        if (!keep && server && keepsPasswords(*server))
            emit forgetRequested(*server);
    });
    form.addRow(QString(), m_keep);
    showKeeping();
}

void ConnectionForm::showKeeping()
{
    const bool isPrinted = !m_passwordCommand->text().trimmed().isEmpty();
    m_password->setEnabled(!isPrinted);
    m_keep->setEnabled(!isPrinted);
    m_password->setPlaceholderText(isPrinted              ? tr("printed by the command")
                                   : !m_keep->isChecked() ? tr("typed for each connection, never stored")
                                   : m_isKept             ? tr("in the keychain; type to replace")
                                                          : tr("kept after the login"));
}

void ConnectionForm::buildNodes()
{
    QWidget *details = m_nodes.details;
    auto *form = new QFormLayout(details);
    arrange(*form);
    m_primaryName = newField(details, "primaryName", tr("the server field then names the Sentinels"));
    m_sentinelUser = newField(details, "sentinelUser", tr("the default user"));
    m_sentinelPassword = newField(details, "sentinelPassword", tr("their own, if any"));
    m_sentinelPassword->setEchoMode(QLineEdit::Password);
    m_readsReplica = new QCheckBox(tr("Read from a replica (read-only)"), details);
    m_readsReplica->setObjectName(QStringLiteral("readsReplica"));
    m_nodeAddresses = newField(details, "nodeAddresses", QStringLiteral("10.0.0.5:6379=localhost:7001"));
    m_nodeAddresses->setToolTip(
        tr("ANNOUNCED=REACHABLE, separated by commas, for nodes with unreachable addresses"));
    m_sshHost = newField(details, "sshHost", tr("user@host; empty: no tunnel"));
    m_sshHost->setToolTip(tr("Tunnel through this host with ssh. The server address is as seen from there."));
    connect(m_sshHost, &QLineEdit::editingFinished, this, &ConnectionForm::followSshHost);
    form->addRow(tr("SS&H host"), m_sshHost);
    form->addRow(tr("Sentinel master name"), m_primaryName);
    form->addRow(tr("Sentinel user"), m_sentinelUser);
    form->addRow(tr("Sentinel password"), m_sentinelPassword);
    form->addRow(QString(), m_readsReplica);
    form->addRow(tr("Node addresses"), m_nodeAddresses);
    m_isGroup = new QCheckBox(tr("Redlock group of several servers"), details);
    m_isGroup->setObjectName(QStringLiteral("isGroup"));
    m_isGroup->setToolTip(tr("The server field then lists the group's servers, separated by commas."));
    connect(m_isGroup, &QCheckBox::toggled, m_message, &QWidget::hide);
    connect(m_isGroup, &QCheckBox::toggled, this, &ConnectionForm::followAddress);
    form->addRow(QString(), m_isGroup);
}

QLineEdit *ConnectionForm::addFileField(QFormLayout &form, const QString &label)
{
    auto *row = new QWidget(m_login.details);
    auto *field = new QLineEdit(row);
    field->setAccessibleName(label);
    auto *browse = new QToolButton(row);
    browse->setText(tr("Browse…"));
    row->setLayout(lineOf({{field, 1}, browse}, usualSpacing, {}));
    connect(browse, &QToolButton::clicked, this, [this, field, label] {
        auto *dialog = new QFileDialog(this, label, {}, tr("PEM files (*.pem *.crt *.key);;All files (*)"));
        dialog->setFileMode(QFileDialog::ExistingFile);
        connect(dialog, &QFileDialog::fileSelected, field, &QLineEdit::setText);
        openDialog(dialog);
    });
    form.addRow(label, row);
    return field;
}

} // namespace lockscope
