// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/connect/connectionform.h"

#include "core/text/words.h"
#include "ui/inspector/factgrid.h"
#include "ui/palette.h"

#include <QCheckBox>
#include <QFileDialog>
#include <QFormLayout>
#include <QLineEdit>
#include <QToolButton>

namespace lockscope {

namespace {

constexpr int spacing = 8;

void arrange(QFormLayout &form)
{
    form.setContentsMargins(0, 0, 0, 0);
    form.setHorizontalSpacing(14);
    form.setVerticalSpacing(spacing);
    form.setFieldGrowthPolicy(QFormLayout::ExpandingFieldsGrow);
}

} // namespace

ConnectionForm::ConnectionForm(QWidget *parent)
    : QWidget(parent),
      m_uri(new QLineEdit(QStringLiteral("localhost:6379"), this)),
      m_message(plainLabel(this)),
      m_name(new QLineEdit(this)),
      m_readOnly(new QCheckBox(tr("&Read-only: nothing can be changed on the server"), this)),
      m_disclosure(new QToolButton(this)),
      m_details(new QWidget(this))
{
    m_uri->setObjectName(QStringLiteral("uri"));
    m_uri->setToolTip(
        tr("host, host:port, redis://user:password@host:port/db, rediss://… (TLS), unix:///path?db=N"));
    m_message->setObjectName(QStringLiteral("uriMessage"));
    tint(m_message, Tone::Danger);
    m_message->hide();
    m_name->setPlaceholderText(tr("optional, such as “orders, production”"));
    m_readOnly->setObjectName(QStringLiteral("readOnly"));
    m_disclosure->setText(tr("Login and TLS"));
    m_disclosure->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    m_disclosure->setAutoRaise(true);
    m_disclosure->setCheckable(true);
    m_disclosure->setFocusPolicy(Qt::StrongFocus);
    connect(m_disclosure, &QToolButton::toggled, this, &ConnectionForm::disclose);
    buildDetails();
    disclose(false);

    auto *form = new QFormLayout;
    arrange(*form);
    form->addRow(tr("&Server"), m_uri);
    form->addRow(m_message);
    form->addRow(tr("&Name"), m_name);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(spacing);
    layout->addLayout(form);
    layout->addWidget(m_disclosure);
    layout->addWidget(m_details);
    layout->addWidget(m_readOnly);
    for (QLineEdit *field : {m_uri, m_name, m_user, m_password})
        connect(field, &QLineEdit::returnPressed, this, &ConnectionForm::submitted);
    connect(m_uri, &QLineEdit::textEdited, m_message, &QWidget::hide);
}

void ConnectionForm::buildDetails()
{
    auto *form = new QFormLayout(m_details);
    arrange(*form);
    m_user = new QLineEdit(m_details);
    m_user->setObjectName(QStringLiteral("user"));
    m_user->setPlaceholderText(tr("the default user"));
    m_password = new QLineEdit(m_details);
    m_password->setObjectName(QStringLiteral("password"));
    m_password->setEchoMode(QLineEdit::Password);
    m_password->setPlaceholderText(tr("asked for each time, never stored"));
    m_tls = new QCheckBox(tr("Use &TLS"), m_details);
    form->addRow(tr("&User"), m_user);
    form->addRow(tr("&Password"), m_password);
    form->addRow(QString(), m_tls);
    m_caFile = addFileField(*form, tr("CA certificates"));
    m_certificate = addFileField(*form, tr("Client certificate"));
    m_key = addFileField(*form, tr("Client key"));
    m_serverName = new QLineEdit(m_details);
    m_serverName->setPlaceholderText(tr("the host"));
    form->addRow(tr("Name in certificate"), m_serverName);
    for (QWidget *field : {m_caFile->parentWidget(), m_certificate->parentWidget(), m_key->parentWidget(),
                           static_cast<QWidget *>(m_serverName)}) {
        field->setEnabled(false);
        connect(m_tls, &QCheckBox::toggled, field, &QWidget::setEnabled);
    }
}

QLineEdit *ConnectionForm::addFileField(QFormLayout &form, const QString &label)
{
    auto *row = new QWidget(m_details);
    auto *field = new QLineEdit(row);
    field->setAccessibleName(label);
    auto *browse = new QToolButton(row);
    browse->setText(tr("Browse…"));
    auto *layout = new QHBoxLayout(row);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(field, 1);
    layout->addWidget(browse);
    connect(browse, &QToolButton::clicked, this, [this, field, label] {
        auto *dialog = new QFileDialog(this, label, {}, tr("PEM files (*.pem *.crt *.key);;All files (*)"));
        dialog->setAttribute(Qt::WA_DeleteOnClose);
        dialog->setFileMode(QFileDialog::ExistingFile);
        connect(dialog, &QFileDialog::fileSelected, field, &QLineEdit::setText);
        dialog->open();
    });
    form.addRow(label, row);
    return field;
}

void ConnectionForm::disclose(bool open)
{
    m_disclosure->setArrowType(open ? Qt::DownArrow : Qt::RightArrow);
    m_disclosure->setChecked(open);
    m_details->setVisible(open);
}

std::optional<ServerAddress> ConnectionForm::address()
{
    auto parsed = ServerAddress::parse(m_uri->text().trimmed());
    if (!parsed) {
        complain(describe(parsed.error(), printable(m_uri->text().toUtf8(), 80)));
        focusAddress();
        return std::nullopt;
    }
    complain({});
    if (!m_user->text().isEmpty())
        parsed->user = m_user->text().toUtf8();
    if (!m_password->text().isEmpty())
        parsed->password = m_password->text().toUtf8();
    if (m_tls->isChecked() && parsed->transport == ServerAddress::Transport::Tcp)
        parsed->transport = ServerAddress::Transport::Tls;
    if (parsed->transport == ServerAddress::Transport::Tls) {
        parsed->caFile = m_caFile->text();
        parsed->certificateFile = m_certificate->text();
        parsed->keyFile = m_key->text();
        parsed->serverName = m_serverName->text();
    }
    return *parsed;
}

QString ConnectionForm::name() const
{
    return m_name->text().trimmed();
}

bool ConnectionForm::isReadOnly() const
{
    return m_readOnly->isChecked();
}

void ConnectionForm::fill(const ServerAddress &address, const QString &name, bool readOnly)
{
    fill(address.toUriWithoutPassword(), name, readOnly);
    m_user->setText(QString::fromUtf8(address.user));
    m_password->setText(QString::fromUtf8(address.password));
    m_tls->setChecked(address.transport == ServerAddress::Transport::Tls);
    m_caFile->setText(address.caFile);
    m_certificate->setText(address.certificateFile);
    m_key->setText(address.keyFile);
    m_serverName->setText(address.serverName);
    disclose(m_tls->isChecked() || !address.user.isEmpty() || !address.password.isEmpty());
}

void ConnectionForm::fill(const QString &uri, const QString &name, bool readOnly)
{
    complain({});
    m_uri->setText(uri);
    m_name->setText(name);
    m_readOnly->setChecked(readOnly);
}

void ConnectionForm::complain(const QString &text)
{
    m_message->setText(text);
    m_message->setHidden(text.isEmpty());
}

void ConnectionForm::focusAddress()
{
    m_uri->setFocus();
    m_uri->selectAll();
}

void ConnectionForm::focusPassword()
{
    disclose(true);
    m_password->setFocus();
    m_password->selectAll();
}

} // namespace lockscope
