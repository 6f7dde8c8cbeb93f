// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/inspector/probeview.h"

#include "core/base/printable.h"
#include "core/family/certainty.h"
#include "core/redis/whendone.h"
#include "core/words/messages.h"
#include "core/words/phrases.h"
#include "ui/widgets/boxes.h"
#include "ui/widgets/plaintext.h"

#include <QMenu>
#include <QToolButton>

#include <algorithm>
#include <utility>

namespace lockscope {

namespace {

constexpr qsizetype maxAsked = 20;

/// Whole: it is shown before it is run.
QString wholeText(const QString &command)
{
    return printable(command.toUtf8(), command.size());
}

} // namespace

ProbeView::ProbeView(QWidget *parent)
    : QWidget(parent),
      m_grid(new PropertyGrid(this)),
      m_text(m_grid->addBelow(tr("Probe"))),
      m_button(new QToolButton(this))
{
    m_button->setText(tr("Run probe"));
    m_button->setObjectName(QStringLiteral("runProbe"));
    m_button->setPopupMode(QToolButton::InstantPopup);
    m_button->setFocusPolicy(Qt::StrongFocus);
    connect(m_button, &QToolButton::clicked, this, [this] {
        if (m_possible.size() == 1)
            ask(m_possible.first());
    });
    setLayout(columnOf({m_grid, {m_button, 0, Qt::AlignLeft}}, 4, {}));
    hide();
}

void ProbeView::setProbe(const QString &command, Run run)
{
    m_ofServer = command;
    m_run = std::move(run);
}

void ProbeView::showLock(const Lock &lock, bool gone)
{
    m_command = m_run ? probeCommand(m_ofServer, lock.family) : QString();
    m_refusal.clear();
    QList<ProbeRequest> possible;
    if (!m_command.isEmpty() && !gone && !lockscope::isHidden(lock)) {
        if (const Result<void> checked = checkProbe(m_command); !checked)
            m_refusal = inWords(checked.error());
        for (const LockOwner &owner : lock.owners.first(std::min(maxAsked, lock.owners.size()))) {
            if (const auto request = probeRequest(m_command, lock, owner))
                possible.append(*request);
        }
    }
    if (m_asked && m_asked->lock == lock.address && !possible.contains(*m_asked))
        m_asked.reset();
    if (std::exchange(m_possible, possible) != possible)
        fillMenu();
    showText();
}

/// Several owners: each with its command.
void ProbeView::fillMenu()
{
    delete m_button->menu();
    m_button->setMenu(nullptr);
    if (m_possible.size() < 2)
        return;
    auto *menu = new QMenu(m_button);
    for (const ProbeRequest &request : std::as_const(m_possible))
        connect(menu->addAction(plainMenuText(wholeText(request.command))), &QAction::triggered, this,
                [this, request] { ask(request); });
    m_button->setMenu(menu);
}

void ProbeView::showText()
{
    setHidden(m_possible.isEmpty() && m_refusal.isEmpty());
    m_button->setHidden(m_possible.isEmpty());
    m_button->setEnabled(!m_isRunning);
    if (m_possible.isEmpty())
        return m_grid->set(m_text, m_refusal);
    const QString command = wholeText(m_possible.size() == 1 ? m_possible.first().command : m_command);
    setPlainToolTip(*m_button, command);
    m_grid->set(m_text, m_asked && m_possible.contains(*m_asked)
                            ? wholeText(m_asked->command) + u'\n' + m_answer
                            : command);
}

void ProbeView::ask(const ProbeRequest &request)
{
    m_asked = request;
    m_answer = tr("running…");
    m_isRunning = true;
    showText();
    whenDone(this, m_run(request), [this, request](const Result<ProbeAnswer> &answer) {
        m_isRunning = false;
        if (m_asked == request)
            m_answer = answer ? describe(*answer) : describe(answer.error(), {});
        showText();
    });
}

} // namespace lockscope
