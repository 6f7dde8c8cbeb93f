// SPDX-License-Identifier: GPL-3.0-or-later
// Of the first page: passwords that are kept, and the waiting for them.
#include "core/redis/whendone.h"
#include "ui/connect/connectionform.h"
#include "ui/connect/connectpage.h"
#include "ui/widgets/propertygrid.h"

#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QVBoxLayout>

namespace lockscope {

void ConnectPage::buildProgress()
{
    auto *bar = new QProgressBar(this);
    bar->setRange(0, 0);
    bar->setTextVisible(false);
    bar->setFixedHeight(6);
    auto *cancel = new QPushButton(tr("Cancel"), this);
    cancel->setShortcut(Qt::Key_Escape);
    auto *progress = new QVBoxLayout(m_progress);
    progress->setContentsMargins(0, 0, 0, 0);
    progress->setSpacing(12);
    progress->addWidget(m_progressText);
    progress->addWidget(bar);
    progress->addWidget(cancel, 0, Qt::AlignLeft);
    connect(cancel, &QPushButton::clicked, this, [this] {
        if (!m_waiting)
            return emit cancelled();
        stopWaiting();
        m_form->focusPassword();
    });
}

void ConnectPage::submit()
{
    const auto typed = m_form->server();
    if (!typed)
        return;
    // What was filled in is the user's to change; an address that was typed may be that of a server that is known.
    StoredServer server = m_form->isOfFilledServer() ? *typed : completedServer(*typed);
    const bool wereKept = keepsPasswords(server.address);
    const bool areNew = typed->keepsPasswords && !Passwords::of(typed->address).isEmpty();
    server.keepsPasswords = wereKept || areNew;
    m_wish.reset();
    if (areNew)
        m_wish = Wish{server.address.toUriWithoutPassword(), wereKept};
    withKept(server, [this](const StoredServer &known) { emit connectRequested(known); });
}

void ConnectPage::connectTo(const StoredServer &server)
{
    m_wish.reset();
    if (keepsPasswords(server.address))
        m_form->fill(server);
    withKept(server, [this](const StoredServer &known) { emit connectRequested(known); });
}

void ConnectPage::withKept(const StoredServer &server, const Use &use)
{
    m_lent = {};
    m_notice->hide();
    // Not to a server that anybody could be.
    if (server.address.insecure || !KeptPasswords::mayLack(server.address) || !keepsPasswords(server.address))
        return use(server);
    m_waiting = std::make_unique<QObject>();
    m_progressText->setText(
        tr("Waiting for the keychain… If it is locked, the system asks you to unlock it."));
    m_inputs->hide();
    m_progress->show();
    whenDone(m_waiting.get(), m_kept.read(server.address),
             [this, server, use](const tl::expected<Passwords, QString> &kept) {
                 stopWaiting();
                 if (kept) {
                     StoredServer known = server;
                     m_lent = kept->lendTo(known.address);
                     use(known);
                 } else if (!server.address.password.isEmpty()) {
                     use(server); // what the keychain was asked for besides may not be needed
                 } else {
                     askForPassword(kept.error());
                 }
             });
}

void ConnectPage::stopWaiting()
{
    m_waiting.reset();
    m_progress->hide();
    m_inputs->show();
}

void ConnectPage::fillForm(StoredServer server)
{
    m_lent.takeBackFrom(server.address);
    m_form->fill(server);
}

void ConnectPage::keepPasswords(const StoredServer &server)
{
    const auto wish = std::exchange(m_wish, std::nullopt);
    if (!wish || wish->uri != server.address.toUriWithoutPassword())
        return;
    whenDone(this, m_kept.keep(server.address),
             [this, address = server.address, wereKept = wish->wereKept](const QString &why) {
                 if (why.isEmpty())
                     return;
                 setKeepsPasswords(address, wereKept);
                 emit passwordsNotKept(why);
             });
}

void ConnectPage::forgetPasswords(const ServerAddress &address)
{
    setKeepsPasswords(address, false);
    listRecent();
    m_form->followKept();
    whenDone(this, m_kept.forget(address), [this](const QString &why) {
        m_notice->setText(why.isEmpty() ? tr("The password was removed from the keychain.") : why);
        applyTextColor(m_notice, why.isEmpty() ? StatusColor::Muted : StatusColor::Danger);
        m_notice->show();
    });
}

} // namespace lockscope
