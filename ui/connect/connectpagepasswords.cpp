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

/// What was filled in is the user's to change; an address that was typed may be that of a server that is known.
std::optional<StoredServer> ConnectPage::entered()
{
    const auto typed = m_form->server();
    if (!typed || m_form->isOfFilledServer())
        return typed;
    StoredServer server = completedServer(*typed);
    server.keepsPasswords = typed->keepsPasswords;
    return server;
}

void ConnectPage::submit()
{
    auto server = entered();
    if (!server)
        return;
    const bool areNew = server->keepsPasswords && !Passwords::of(server->address).isEmpty();
    server->keepsPasswords = keepsPasswords(server->address) || areNew;
    m_wish = areNew ? server->address.toUriWithoutPassword() : QString();
    withKept(*server, [this](const StoredServer &known) { emit connectRequested(known); });
}

void ConnectPage::connectTo(const StoredServer &server)
{
    m_wish.clear();
    if (keepsPasswords(server.address))
        m_form->fill(server);
    withKept(server, [this](const StoredServer &known) { emit connectRequested(known); });
}

void ConnectPage::withKept(const StoredServer &server, const Use &use)
{
    m_lent = {};
    m_wereLent = {};
    m_notice->hide();
    // Nothing is given to a server that anybody could be, and no empty password in its place.
    if (server.address.insecure && !server.address.user.isEmpty() && server.address.password.isEmpty() &&
        keepsPasswords(server.address)) {
        m_form->fill(server);
        return askForPassword(tr("The password in the keychain is not used where any certificate is accepted "
                                 "(--insecure). Type the password."));
    }
    if (server.address.insecure || !KeptPasswords::mayLack(server.address) || !keepsPasswords(server.address))
        return use(server);
    m_waiting = std::make_unique<QObject>();
    m_progressText->setText(
        tr("Waiting for the keychain… If it is locked, the system asks you to unlock it."));
    m_inputs->hide();
    m_progress->show();
    whenDone(
        m_waiting.get(), m_kept.read(server.address),
        [this, server, use](const tl::expected<Passwords, QString> &kept) {
            stopWaiting();
            if (kept) {
                StoredServer known = server;
                m_lent = kept->lendTo(known.address);
                m_wereLent = {!m_lent.server.isEmpty(), !m_lent.sentinels.isEmpty(), !m_lent.key.isEmpty()};
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

void ConnectPage::warn(const QString &text)
{
    m_notice->setText(text);
    applyTextColor(m_notice, StatusColor::Danger);
    m_notice->show();
}

void ConnectPage::fillForm(StoredServer server)
{
    takeBack(server.address);
    m_form->fill(server);
}

void ConnectPage::takeBack(ServerAddress &address)
{
    std::exchange(m_lent, {}).takeBackFrom(address);
}

void ConnectPage::keepPasswords(const StoredServer &server)
{
    const QString wish = std::exchange(m_wish, {});
    if (wish.isEmpty() || wish != server.address.toUriWithoutPassword())
        return;
    whenDone(this, m_kept.keep(server.address), [this](const QString &why) {
        if (!why.isEmpty())
            emit passwordsNotKept(why);
    });
}

void ConnectPage::forgetPasswords(const ServerAddress &address, bool withServer)
{
    const auto forgotten = m_kept.forget(address).then([address, withServer](const QString &why) {
        // Not before, also when this page is gone by then: at the end of the program it could be lost with its entry.
        if (withServer)
            forgetServer(address);
        return why;
    });
    whenDone(this, forgotten, [this](const QString &why) {
        listRecent();
        m_form->followKept();
        m_notice->setText(why.isEmpty() ? tr("The password was removed from the keychain.") : why);
        applyTextColor(m_notice, why.isEmpty() ? StatusColor::Muted : StatusColor::Danger);
        m_notice->show();
    });
}

} // namespace lockscope
