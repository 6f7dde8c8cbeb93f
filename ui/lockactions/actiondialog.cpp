// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lockactions/actiondialog.h"

#include "core/base/printable.h"
#include "core/redis/whendone.h"
#include "core/words/messages.h"
#include "core/words/quorummessages.h"
#include "ui/lockactions/consentfield.h"
#include "ui/widgets/fonts.h"
#include "ui/widgets/measure.h"
#include "ui/widgets/propertygrid.h"

#include <QDialogButtonBox>
#include <QFormLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

#include <algorithm>

namespace lockscope {

namespace {

QString textOf(const ActionResult &result)
{
    QStringList lines{describe(result)};
    for (const ServerResult &server : result.servers)
        lines.append(describe(server));
    return lines.join(u'\n');
}

} // namespace

StatusColor toneOf(const ActionResult &result)
{
    if (result.outcome == Outcome::Unknown)
        return StatusColor::Danger;
    const bool isWhole = std::ranges::none_of(
        result.servers, [](const ServerResult &server) { return server.error.has_value(); });
    return succeeded(result.outcome) && isWhole ? StatusColor::Good : StatusColor::Warning;
}

ActionDialog::ActionDialog(const QString &title, const QString &verb, Run run, QString serverName,
                           QWidget *parent)
    : QDialog(parent),
      m_run(std::move(run)),
      m_serverName(std::move(serverName)),
      m_body(new QVBoxLayout),
      m_banner(plainLabel(this))
{
    setWindowTitle(title);
    m_banner->setAccessibleName(tr("Result"));
    m_banner->hide();

    auto *buttons = new QDialogButtonBox(this);
    m_act = buttons->addButton(verb, QDialogButtonBox::ActionRole);
    m_close = buttons->addButton(QDialogButtonBox::Cancel);
    m_close->setIcon({});
    connect(m_act, &QPushButton::clicked, this, &ActionDialog::submit);
    connect(m_close, &QPushButton::clicked, this, &QDialog::reject);

    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(18, 16, 18, 14);
    layout->setSizeConstraint(
        QLayout::SetNoConstraint); // fitHeight() decides: wrapped labels ask for too much
    layout->setSpacing(12);
    m_body->setSpacing(12);
    layout->addLayout(m_body);
    layout->addStretch();
    layout->addWidget(m_banner);
    layout->addWidget(buttons);
    // In a font with Chinese characters running text is narrow: an owner with a UUID and a thread must still fit beside its name.
    setMinimumWidth(std::max(latinWidth(fontMetrics(), 72), latinWidth(QFontMetrics(fixedLike(font())), 60)));
}

/// Wrapped texts come and go: the dialog keeps to their height.
void ActionDialog::fitHeight()
{
    if (!isVisible())
        return;
    resize(width(), layout()->hasHeightForWidth() ? layout()->totalHeightForWidth(width())
                                                  : layout()->totalMinimumSize().height());
}

void ActionDialog::showEvent(QShowEvent *event)
{
    QDialog::showEvent(event);
    fitHeight();
}

QLabel *ActionDialog::addField(QFormLayout &form, const QString &label, QWidget *field)
{
    field->setAccessibleName(label);
    form.addRow(label, field);
    QLabel *message = plainLabel(this);
    applyTextColor(message, StatusColor::Danger);
    message->hide();
    form.addRow(QString(), message);
    return message;
}

bool ActionDialog::setFieldError(QLabel *message, const QString &text)
{
    message->setText(text);
    message->setHidden(text.isEmpty());
    return text.isEmpty();
}

void ActionDialog::showMessage(StatusColor statusColor, const QString &text)
{
    applyBannerStyle(m_banner, statusColor);
    m_banner->setText(text);
    m_banner->show();
    fitHeight();
}

void ActionDialog::clearMessage()
{
    m_banner->hide();
    fitHeight();
}

QString ActionDialog::keyProblem(const QByteArray &key) const
{
    return key.isEmpty() ? tr("The key is missing. Type the lock's key.") : QString();
}

QString ActionDialog::ownerProblem(const QByteArray &owner) const
{
    return owner.isEmpty() ? tr("The owner is missing. Type an owner ID that no other client uses.")
                           : QString();
}

QString ActionDialog::leaseProblem(const QString &text) const
{
    return Lease::fromSeconds(text.trimmed().toUtf8())
               ? QString()
               : tr("The lease is not valid. Type seconds, at least 0.001, such as 30 or 0.5.");
}

void ActionDialog::allow(bool isPossible)
{
    m_isPossible = isPossible;
    m_act->setEnabled(isPossible && !isAsked() && (!m_consent || m_consent->isGiven()));
}

void ActionDialog::askFor(ConsentField *consent)
{
    m_consent = consent;
    m_body->addWidget(consent);
    connect(consent, &ConsentField::changed, this, [this] { allow(m_isPossible); });
    allow(m_isPossible);
    fitHeight();
}

void ActionDialog::submit()
{
    if (isAsked())
        return;
    std::optional<ActionRequest> asked = request();
    fitHeight();
    if (!asked)
        return;
    if (asked->consent.kind == Consent::None)
        asked->consent = m_consent ? m_consent->consent() : Consent{Consent::Confirmed};
    if (m_consent && m_consent->skipsNextQuestion())
        emit questionUnwanted();
    m_asked = asked->key;
    freeze();
    showMessage(StatusColor::Muted, tr("Waiting for the server…"));
    // The dialog may be closed and gone before the answer.
    whenDone(this, m_run(*asked), [this](const Result<ActionResult> &result) { take(result); });
}

/// What is sent is neither changed nor called off.
void ActionDialog::freeze()
{
    allow(false);
    m_close->setText(tr("Close"));
    if (m_consent)
        m_consent->setEnabled(false);
    for (QWidget *child : findChildren<QWidget *>(QString(), Qt::FindDirectChildrenOnly)) {
        if ((child->focusPolicy() & Qt::TabFocus) != 0)
            child->setEnabled(false);
    }
    setFocus(); // and not the button that closes: Enter pressed twice is no wish to leave
}

void ActionDialog::take(const Result<ActionResult> &result)
{
    m_answered = true;
    const StatusColor statusColor = result ? toneOf(*result) : StatusColor::Danger;
    const QString text = result ? textOf(*result) : describe(result.error(), m_serverName);
    showMessage(statusColor, text);
    m_act->hide();
    m_close->setDefault(true);
    m_close->setFocus();
    if (isHidden())
        emit answeredUnseen(statusColor, printable(m_asked->bytes, 60) + QStringLiteral(": ") + text);
}

} // namespace lockscope
