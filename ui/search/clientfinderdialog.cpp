// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/search/clientfinderdialog.h"

#include "core/base/printable.h"
#include "core/words/familymessages.h"
#include "core/words/messages.h"
#include "ui/widgets/boxes.h"
#include "ui/widgets/dialogs.h"
#include "ui/widgets/measure.h"
#include "ui/widgets/palette.h"
#include "ui/widgets/propertygrid.h"

#include <QFontDatabase>
#include <QFormLayout>
#include <QHeaderView>
#include <QProgressBar>
#include <QPushButton>
#include <QSpinBox>
#include <QTreeWidget>

#include <algorithm>
#include <utility>

namespace lockscope {

ClientFinderDialog::ClientFinderDialog(const Lock &lock, QString serverName, QWidget *parent)
    : QDialog(parent),
      m_lock(lock),
      m_serverName(std::move(serverName)),
      m_seconds(new QSpinBox(this)),
      m_progress(new QProgressBar(this)),
      m_state(plainLabel(this)),
      m_list(new QTreeWidget(this))
{
    setWindowTitle(tr("Find clients"));
    auto *key = plainLabel(this, printable(lock.key().bytes));
    key->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    auto *help = plainLabel(this, tr("Reads all commands of the server for a while (MONITOR)."));
    auto *cost = plainLabel(this, tr("A busy server can lose half of its throughput meanwhile."));
    applyBannerStyle(cost, StatusColor::Warning);

    m_seconds->setRange(1, static_cast<int>(ClientFinder::longestTime.count() / 1000));
    m_seconds->setValue(static_cast<int>(ClientFinder::usualTime.count() / 1000));
    m_seconds->setSuffix(tr(" s", "seconds, behind a number"));
    auto *form = new QFormLayout;
    form->addRow(tr("&Duration"), m_seconds);

    m_progress->setTextVisible(false);
    m_progress->setAccessibleName(tr("Progress"));
    m_progress->setRange(0, 1);
    m_state->setObjectName(QStringLiteral("state"));

    m_list->setRootIsDecorated(false);
    m_list->setHeaderLabels({tr("Client"), tr("Client name"), tr("Activity"), tr("Times"), tr("ID")});
    m_list->setAccessibleName(tr("Clients found"));
    m_list->setUniformRowHeights(true);
    m_list->header()->setStretchLastSection(true);
    for (const auto &[column, characters] : {std::pair(0, 22), {1, 20}, {2, 10}, {3, 8}})
        m_list->setColumnWidth(column, latinWidth(fontMetrics(), characters));

    auto *buttons = buttonsOf(this, QDialogButtonBox::Close);
    m_look = buttons->addButton(tr("S&tart"), QDialogButtonBox::ActionRole);
    m_look->setObjectName(QStringLiteral("look"));
    m_look->setAutoDefault(false);
    auto *close = buttons->button(QDialogButtonBox::Close);
    close->setDefault(true);
    close->setFocus();
    connect(m_look, &QPushButton::clicked, this, &ClientFinderDialog::toggleLook);
    m_timer.setInterval(100);
    connect(&m_timer, &QTimer::timeout, this, &ClientFinderDialog::showTime);

    setLayout(
        columnOf({key, help, cost, form, m_progress, m_state, {m_list, 1}, buttons}, 10, dialogMargins));
    resize(latinWidth(fontMetrics(), 104), fontMetrics().height() * 26);
}

void ClientFinderDialog::toggleLook()
{
    if (m_isLooking) {
        emit stopWanted();
        return;
    }
    m_isLooking = true;
    m_startedAt = Clock::now();
    m_list->clear();
    m_seconds->setEnabled(false);
    m_progress->setRange(0, m_seconds->value() * 1000);
    m_look->setText(tr("&Stop"));
    applyTextColor(m_state, StatusColor::Muted);
    m_state->setText(tr("Searching…"));
    m_timer.start();
    emit startWanted(m_lock, std::chrono::seconds(m_seconds->value()));
}

void ClientFinderDialog::showTime()
{
    const auto passed = std::chrono::duration_cast<milliseconds>(Clock::now() - m_startedAt);
    m_progress->setValue(static_cast<int>(std::min<qint64>(passed.count(), m_progress->maximum())));
}

void ClientFinderDialog::showEnd(const ClientFinderResult &end)
{
    if (!m_isLooking) // another's, of another lock
        return;
    m_timer.stop();
    m_isLooking = false;
    m_seconds->setEnabled(true);
    m_progress->setValue(m_progress->maximum());
    m_look->setText(tr("S&tart again"));
    if (end.error) {
        applyTextColor(m_state, StatusColor::Danger);
        m_state->setText(describe(*end.error, m_serverName));
        return;
    }
    for (const ClientSighting &sighting : end.sightings) {
        auto *item = new QTreeWidgetItem(m_list); // NOLINT(cppcoreguidelines-owning-memory): the list's
        item->setText(0, printable(sighting.address, 60));
        const QString name = clientNameInWords(sighting);
        item->setText(1, name.isEmpty() ? tr("none", "name of a client") : name);
        item->setText(2, clientUseInWords(sighting));
        item->setText(3, grouped(sighting.times));
        item->setText(4, ownerIdText(sighting.id.bytes));
    }
    QString text = tr("%1 commands read in %2.").arg(grouped(end.commands), describe(end.looked));
    if (end.sightings.isEmpty())
        text += u' ' + tr("No client used this key. Many libraries renew every 10 s: search longer.");
    else if (end.sightings.front().use != ClientUse::Held)
        text += u' ' + tr("No holder seen. Many libraries renew every 10 s: search longer.");
    if (std::ranges::any_of(end.sightings, &ClientSighting::mayBeSeveral))
        text += u' ' + tr("On a Unix socket, a line may be several clients.");
    if (const QString candidates = candidatesByClientsInWords(candidatesByClients(m_lock, end.sightings));
        !candidates.isEmpty())
        text += u' ' + candidates;
    if (end.isCutShort)
        text += u' ' + tr("Ended early: the limit of commands was reached.");
    m_state->setText(text);
}

void ClientFinderDialog::reject()
{
    if (m_isLooking)
        emit stopWanted();
    QDialog::reject();
}

} // namespace lockscope
