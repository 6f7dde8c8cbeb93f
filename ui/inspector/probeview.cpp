// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/inspector/probeview.h"

#include "core/base/printable.h"
#include "core/family/certainty.h"
#include "core/family/registry.h"
#include "core/redis/whendone.h"
#include "core/words/messages.h"
#include "core/words/phrases.h"
#include "ui/widgets/boxes.h"

#include <QToolButton>

namespace lockscope {

ProbeView::ProbeView(QWidget *parent)
    : QWidget(parent),
      m_grid(new PropertyGrid(this)),
      m_text(m_grid->addBelow(tr("Probe"))),
      m_button(new QToolButton(this))
{
    m_button->setText(tr("Run probe"));
    m_button->setFocusPolicy(Qt::StrongFocus);
    connect(m_button, &QToolButton::clicked, this, &ProbeView::run);
    setLayout(columnOf({m_grid, {m_button, 0, Qt::AlignLeft}}, 4, {}));
    hide();
}

void ProbeView::setProbe(const QString &command, Run run)
{
    m_command = command;
    m_run = std::move(run);
}

void ProbeView::showLock(const Lock &lock, bool gone)
{
    const QString command = m_command.isEmpty() ? QString::fromUtf8(specOf(lock.family).probe) : m_command;
    const bool canAsk = m_run && !command.isEmpty() && !gone && !lockscope::isHidden(lock);
    const auto request = canAsk ? probeRequest(command, lock) : tl::unexpected(Error());
    m_request = request ? std::optional(*request) : std::nullopt;
    const auto checked = canAsk ? checkProbe(command) : Result<void>();
    m_fault = checked ? QString() : inWords(checked.error());
    if (m_asked && m_asked->lock == lock.address && m_asked != m_request)
        m_asked.reset();
    showText();
}

void ProbeView::showText()
{
    setVisible(m_request || !m_fault.isEmpty());
    m_button->setVisible(m_request.has_value());
    m_button->setEnabled(!m_isRunning);
    if (!m_request)
        return m_grid->set(m_text, m_fault);
    const QString command = m_request->command(); // in full, before it is run
    const QString shown = printable(command.toUtf8(), command.size());
    m_grid->set(m_text, m_asked == m_request ? shown + u'\n' + m_answer : shown);
}

void ProbeView::run()
{
    m_asked = m_request;
    m_answer = tr("running…");
    m_isRunning = true;
    showText();
    whenDone(this, m_run(*m_request), [this](const Result<ProbeAnswer> &answer) {
        m_isRunning = false;
        m_answer = answer ? describe(*answer) : describe(answer.error(), {});
        showText();
    });
}

} // namespace lockscope
