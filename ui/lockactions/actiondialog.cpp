// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lockactions/actiondialog.h"

#include "core/base/printable.h"
#include "core/redis/whendone.h"
#include "core/words/messages.h"
#include "core/words/quorummessages.h"
#include "core/words/texts.h"
#include "ui/lockactions/consentfield.h"
#include "ui/widgets/boxes.h"
#include "ui/widgets/dialogs.h"
#include "ui/widgets/fonts.h"
#include "ui/widgets/measure.h"
#include "ui/widgets/plaintext.h"
#include "ui/widgets/propertygrid.h"
#include "ui/widgets/spokenrole.h"

#include <QFormLayout>
#include <QLabel>
#include <QPushButton>

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

ConsentDialog::ConsentDialog(const QString &title, const QString &verb, Run run, QString serverName,
                             QWidget *parent)
    : QDialog(parent),
      m_run(std::move(run)),
      m_serverName(std::move(serverName)),
      m_body(columnOf({}, 12)),
      m_banner(plainLabel(this))
{
    setWindowTitle(title);
    m_banner->setAccessibleName(Texts::tr("Result"));
    m_banner->hide();

    auto *buttons = new QDialogButtonBox(this);
    m_act = buttons->addButton(verb, QDialogButtonBox::ActionRole);
    m_close = buttons->addButton(QDialogButtonBox::Cancel);
    m_close->setText(tr("&Cancel"));
    m_close->setIcon({});
    connect(m_act, &QPushButton::clicked, this, &ConsentDialog::submit);
    connect(m_close, &QPushButton::clicked, this, &ConsentDialog::leave);
    setLayout(columnOf({m_body, m_banner, buttons}, 12, dialogMargins));
}

void ConsentDialog::askFor(ConsentField *consent)
{
    m_consent = consent;
    m_body->addWidget(consent);
    connect(consent, &ConsentField::changed, this, &ConsentDialog::showPossible);
    showPossible();
    fitHeight();
}

bool ConsentDialog::isAgreed() const
{
    return !m_consent || m_consent->isGiven();
}

void ConsentDialog::allowAct(bool isPossible)
{
    m_act->setEnabled(isPossible && isAgreed());
    setPlainToolTip(*m_act, m_act->isEnabled() ? QString()
                            : isPossible       ? m_consent->question()
                                               : m_banner->text());
}

Consent ConsentDialog::consent() const
{
    return m_consent ? m_consent->consent() : Consent{Consent::Confirmed};
}

void ConsentDialog::freezeConsent()
{
    if (!m_consent)
        return;
    m_consent->setEnabled(false);
    if (m_consent->skipsNextQuestion())
        emit questionUnwanted();
}

void ConsentDialog::showMessage(StatusColor statusColor, const QString &text)
{
    applyBannerStyle(m_banner, statusColor);
    m_banner->setText(text);
    m_banner->show();
    if (!m_act->isHidden()) // otherwise screen readers read the whole dialog again
        announce(this, text);
    fitHeight();
}

void ConsentDialog::clearMessage()
{
    m_banner->hide();
    fitHeight();
}

void ConsentDialog::showEnd(StatusColor statusColor, const QString &text, const QString &subject)
{
    m_act->hide();
    showMessage(statusColor, text);
    m_close->setEnabled(true);
    m_close->setText(Texts::tr("&Close"));
    m_close->setDefault(true);
    m_close->setFocus();
    if (isHidden())
        emit answeredUnseen(statusColor, subject + QStringLiteral(": ") + text);
}

ActionDialog::ActionDialog(const QString &title, const QString &verb, Run run, QString serverName,
                           QWidget *parent)
    : ConsentDialog(title, verb, std::move(run), std::move(serverName), parent)
{
    qobject_cast<QVBoxLayout *>(layout())->insertStretch(1);
    layout()->setSizeConstraint(
        QLayout::SetNoConstraint); // fitHeight() decides: wrapped labels ask for too much
    // In a font with Chinese characters running text is narrow: an owner with a UUID and a thread must still fit beside its name.
    setMinimumWidth(std::max(latinWidth(fontMetrics(), 72), latinWidth(QFontMetrics(fixedLike(font())), 60)));
}

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

QString ActionDialog::keyProblem(const QByteArray &key) const
{
    return key.isEmpty() ? tr("Type the lock's key.") : QString();
}

QString ActionDialog::ownerProblem(const QByteArray &owner) const
{
    return owner.isEmpty() ? tr("Type an owner ID that no other client uses.") : QString();
}

QString ActionDialog::leaseProblem(const QString &text) const
{
    return Lease::fromSeconds(text.trimmed().toUtf8()) ? QString()
                                                       : tr("Type the lease in seconds, at least 0.001.");
}

void ActionDialog::allow(bool isPossible)
{
    m_isPossible = isPossible;
    showPossible();
}

void ActionDialog::showPossible()
{
    allowAct(m_isPossible && !isAsked());
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
        asked->consent = consent();
    m_asked = asked->key;
    freeze();
    showMessage(StatusColor::Muted, tr("Waiting for the server…"));
    // The dialog may be closed and gone before the answer.
    whenDone(this, m_run(*asked), [this](const Result<ActionResult> &result) { take(result); });
}

/// A sent request can be neither changed nor canceled.
void ActionDialog::freeze()
{
    allow(false);
    closeButton().setText(Texts::tr("&Close"));
    freezeConsent();
    for (QWidget *child : findChildren<QWidget *>(QString(), Qt::FindDirectChildrenOnly)) {
        if ((child->focusPolicy() & Qt::TabFocus) != 0)
            child->setEnabled(false);
    }
    // Enter pressed twice is no wish to leave.
    actButton().setDefault(true);
    setFocus();
}

void ActionDialog::take(const Result<ActionResult> &result)
{
    m_answered = true;
    showEnd(result ? toneOf(*result) : StatusColor::Danger,
            result ? textOf(*result) : describe(result.error(), m_serverName), printable(m_asked->bytes, 60));
}

} // namespace lockscope
