// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/simulation/faultform.h"

#include "core/simulation/model/strategyspec.h"
#include "ui/simulation/fields.h"

#include <QCheckBox>
#include <QDoubleSpinBox>
#include <QFormLayout>
#include <QSpinBox>
#include <QToolButton>

namespace lockscope {

namespace {

bool splits(const Algorithm &algorithm)
{
    return specOf(algorithm.strategy).splitsAcquire;
}

} // namespace

FaultForm::FaultForm(QWidget *parent)
    : QWidget(parent), m_title(new QToolButton(this)), m_body(new QWidget(this)), m_form(formOn(m_body))
{
    m_title->setText(tr("Faults"));
    m_title->setObjectName(QStringLiteral("faults"));
    m_title->setCheckable(true);
    m_title->setAutoRaise(true);
    m_title->setFocusPolicy(Qt::StrongFocus);
    m_title->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    m_title->setToolTip(tr("Injected faults, and their share of the iterations"));
    m_crash = addRate("crashRate", tr("Crashes"),
                      tr("Iterations in which the worker crashes while it holds the lock"));
    m_pause = addRate("pauseRate", tr("Pauses"),
                      tr("Iterations in which the worker pauses while it holds the lock"));
    m_pauseTime = wholeNumber(0, 120'000, 0, tr("ms"), m_body);
    m_pauseTime->setSpecialValueText(tr("1.5 leases"));
    addRow(*m_form, tr("Pause length"), m_pauseTime,
           tr("Length of a pause; longer than the lease, the lock is lost"), tr("Pause length"));
    m_replyLoss = addRate("replyLossRate", tr("Lost replies"),
                          tr("Iterations in which the server acts, but its reply is lost"));
    m_splitCrash = addRate(
        "splitCrashRate", tr("Split crash"),
        tr("Iterations in which the worker crashes between SETNX and EXPIRE: the lock has no expiry"));
    m_releasePause = addRate(
        "releasePauseRate", tr("Slow release"),
        tr("Iterations in which the worker pauses in its release: between check and delete, or before "
           "a script, which does both in one step"));
    m_watchdogStop = addRate("watchdogStopRate", tr("Watchdog stops"),
                             tr("Iterations in which renewals stop while the worker continues"));
    addServerFault(ServerFault::Pause, tr("Server pauses"), tr("The private server pauses, then continues"));
    addServerFault(ServerFault::Restart, tr("Server restarts"),
                   tr("The private server is killed and started again, empty"));
    addServerFault(ServerFault::FlushAll, tr("Server is emptied"), tr("FLUSHALL: all keys are gone at once"));

    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(4);
    layout->addWidget(m_title);
    layout->addWidget(m_body);
    connect(m_title, &QToolButton::toggled, this, &FaultForm::unfold);
    connect(m_pauseTime, &QSpinBox::valueChanged, this, &FaultForm::changed);
    unfold(false);
    offerFor({}, false);
}

QDoubleSpinBox *FaultForm::addRate(const char *objectName, const QString &name, const QString &meaning)
{
    QDoubleSpinBox *rate = number(0, 100, 0, tr("%"), m_body);
    rate->setObjectName(QString::fromLatin1(objectName));
    rate->setSpecialValueText(tr("never"));
    addRow(*m_form, name, rate, meaning);
    connect(rate, &QDoubleSpinBox::valueChanged, this, &FaultForm::changed);
    return rate;
}

void FaultForm::addServerFault(ServerFault fault, const QString &name, const QString &meaning)
{
    auto *box = new QCheckBox(name, m_body);
    box->setToolTip(tr("%1. Only on a private server.").arg(meaning));
    m_form->addRow(box);
    m_server.append({fault, box});
    connect(box, &QCheckBox::toggled, this, &FaultForm::changed);
}

void FaultForm::unfold(bool open)
{
    m_title->setChecked(open);
    m_title->setArrowType(open ? Qt::DownArrow : Qt::RightArrow);
    m_body->setVisible(open);
}

void FaultForm::offerFor(const Algorithm &algorithm, bool watchdog)
{
    setRowShown(*m_form, m_splitCrash, splits(algorithm));
    setRowShown(*m_form, m_watchdogStop, watchdog);
}

void FaultForm::fill(Plan &plan) const
{
    const auto rate = [](const QDoubleSpinBox *box) { return box->value() / 100; };
    plan.crashRate = rate(m_crash);
    plan.pauseRate = rate(m_pause);
    plan.pause = milliseconds(m_pauseTime->value());
    plan.replyLossRate = rate(m_replyLoss);
    plan.splitCrashRate = splits(plan.algorithm) ? rate(m_splitCrash) : 0;
    plan.releasePauseRate = rate(m_releasePause);
    plan.watchdogStopRate = plan.watchdog ? rate(m_watchdogStop) : 0;
    plan.serverFaults.clear();
    for (const ServerBox &server : m_server) {
        if (server.box->isChecked())
            plan.serverFaults.append(server.fault);
    }
}

void FaultForm::show(const Plan &plan)
{
    m_crash->setValue(plan.crashRate * 100);
    m_pause->setValue(plan.pauseRate * 100);
    m_pauseTime->setValue(static_cast<int>(plan.pause.count()));
    m_replyLoss->setValue(plan.replyLossRate * 100);
    m_splitCrash->setValue(plan.splitCrashRate * 100);
    m_releasePause->setValue(plan.releasePauseRate * 100);
    m_watchdogStop->setValue(plan.watchdogStopRate * 100);
    for (const ServerBox &server : m_server)
        server.box->setChecked(plan.serverFaults.contains(server.fault));
    offerFor(plan.algorithm, plan.watchdog);
}

} // namespace lockscope
