// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/locks/processnamedialog.h"

#include "core/base/printable.h"
#include "core/words/texts.h"
#include "ui/widgets/boxes.h"
#include "ui/widgets/dialogs.h"
#include "ui/widgets/measure.h"
#include "ui/widgets/propertygrid.h"

#include <QComboBox>
#include <QFontDatabase>
#include <QFormLayout>
#include <QLineEdit>
#include <QPushButton>

namespace lockscope {

ProcessNameDialog::ProcessNameDialog(const Lock &lock, const OwnerNames &names, QWidget *parent)
    : QDialog(parent), m_names(names), m_client(new QComboBox(this)), m_name(new QLineEdit(this))
{
    setWindowTitle(tr("Name a process"));
    auto *help = plainLabel(this, tr("Its locks and waiters show this name, on this computer only. A "
                                     "restarted process has another ID."));
    m_client->setObjectName(QStringLiteral("client"));
    m_client->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    for (const QByteArray &client : clientsOf(lock))
        m_client->addItem(printable(client, 80), client);
    m_client->setAccessibleName(tr("Process"));
    m_name->setObjectName(QStringLiteral("name"));
    m_name->setMaxLength(OwnerNames::longest);
    m_name->setPlaceholderText(tr("for example order-service-3"));
    m_name->setAccessibleName(Texts::tr("Name"));
    const auto showName = [this] {
        m_name->setText(m_names.nameOf(m_client->currentData().toByteArray()));
        m_name->selectAll();
    };
    connect(m_client, &QComboBox::currentIndexChanged, this, showName);
    showName();
    auto *form = new QFormLayout;
    form->setHorizontalSpacing(14);
    form->addRow(tr("&Process"), m_client);
    form->addRow(Texts::tr("&Name"), m_name);
    auto *buttons = buttonsOf(this, QDialogButtonBox::Ok | QDialogButtonBox::Cancel);
    connect(buttons, &QDialogButtonBox::accepted, this, &ProcessNameDialog::submit);
    setLayout(columnOf({help, form, Stretch{}, buttons}, 12, dialogMargins));
    setMinimumWidth(latinWidth(fontMetrics(), 72));
    m_name->setFocus();
}

void ProcessNameDialog::submit()
{
    emit named(m_client->currentData().toByteArray(), m_name->text());
    accept();
}

QList<QByteArray> clientsOf(const Lock &lock)
{
    QList<QByteArray> clients;
    const auto add = [&](const OwnerId &id) {
        const QByteArray client = clientOf(lock.family, lock.key(), id);
        if (!client.isEmpty() && !clients.contains(client))
            clients.append(client);
    };
    for (const LockOwner &holder : lock.owners)
        add(holder.owner);
    for (const Waiter &waiter : lock.companions->waiters.queue)
        add(waiter.id);
    return clients;
}

} // namespace lockscope
