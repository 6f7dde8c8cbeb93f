// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/connect/importdialog.h"

#include "core/base/printable.h"
#include "core/redis/serverlist.h"
#include "core/words/messages.h"
#include "core/words/texts.h"
#include "ui/widgets/boxes.h"
#include "ui/widgets/dialogs.h"
#include "ui/widgets/measure.h"
#include "ui/widgets/propertygrid.h"

#include <QComboBox>
#include <QFormLayout>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>

namespace lockscope {

namespace {

constexpr qsizetype maxErrors = 4;

} // namespace

ImportDialog::ImportDialog(QWidget *parent)
    : QDialog(parent),
      m_text(new QPlainTextEdit(this)),
      m_group(new QLineEdit(this)),
      m_environment(new QComboBox(this)),
      m_message(plainLabel(this))
{
    setWindowTitle(tr("Import servers"));
    auto *rules =
        plainLabel(this, tr("One server per line: ADDRESS or NAME = ADDRESS. Also reads exported lists."));
    m_text->setAccessibleName(Texts::tr("Servers"));
    m_text->setPlaceholderText(QStringLiteral("orders = rediss://orders.example.net:6380/2\n"
                                              "redis-sentinel://s1,s2,s3/billing\nunix:///run/redis.sock"));
    m_text->setTabChangesFocus(true);
    m_group->setPlaceholderText(tr("optional"));
    for (const Environment environment : environments)
        m_environment->addItem(describe(environment));
    auto *form = new QFormLayout;
    form->setHorizontalSpacing(14);
    form->addRow(tr("&Group"), m_group);
    form->addRow(Texts::tr("&Environment"), m_environment);
    auto *buttons = buttonsOf(this, QDialogButtonBox::Cancel);
    m_import = buttons->addButton(QString(), QDialogButtonBox::ActionRole);
    connect(m_import, &QPushButton::clicked, this, &ImportDialog::store);
    connect(m_text, &QPlainTextEdit::textChanged, this, &ImportDialog::read);
    setLayout(columnOf({rules, {m_text, 1}, form, m_message, buttons}, 12, dialogMargins));
    resize(latinWidth(fontMetrics(), 80), 22 * fontMetrics().lineSpacing());
    read();
}

void ImportDialog::read()
{
    m_servers.clear();
    QStringList errors;
    int passwords = 0;
    for (const ServerLine &line : parseServerList(m_text->toPlainText())) {
        if (line.server)
            m_servers.append(*line.server);
        else
            errors << tr("Line %1: %2").arg(line.number).arg(describe(line.server.error(), {}));
        passwords += line.hadPassword ? 1 : 0;
    }
    const qsizetype more = errors.size() - maxErrors;
    if (more > 0) {
        errors.resize(maxErrors);
        errors << tr("%n more line(s) that cannot be read", nullptr, static_cast<int>(more));
    }
    m_import->setText(tr("Import %n server(s)", nullptr, static_cast<int>(m_servers.size())));
    m_import->setEnabled(errors.isEmpty() && !m_servers.isEmpty());
    applyTextColor(m_message, errors.isEmpty() ? StatusColor::Muted : StatusColor::Danger);
    if (errors.isEmpty() && passwords > 0)
        errors << tr("Passwords are left out.");
    m_message->setText(errors.join(u'\n'));
}

void ImportDialog::store()
{
    // The last one that is remembered comes first: in the order in which they were typed.
    for (auto server = m_servers.rbegin(); server != m_servers.rend(); ++server) {
        if (server->group.isEmpty())
            server->group = m_group->text().trimmed();
        if (server->environment == Environment::Unset)
            server->environment = environments[size_t(std::max(0, m_environment->currentIndex()))];
        StoredServer stored = completedServer(*server);
        // A list knows addresses alone: what makes a known server safe stays.
        if (const auto known = storedServer(server->address)) {
            stored.address = known->address;
            stored.environment = std::max(stored.environment, known->environment);
        }
        rememberServer(stored);
    }
    accept();
}

} // namespace lockscope
