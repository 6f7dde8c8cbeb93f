// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/simulation/planform.h"

#include "ui/simulation/algorithmform.h"
#include "ui/simulation/faultform.h"
#include "ui/simulation/fields.h"
#include "ui/simulation/runtext.h"
#include "ui/simulation/seedfield.h"
#include "ui/widgets/plaintext.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QFormLayout>
#include <QSpinBox>

namespace lockscope {

namespace {

enum End { AfterTime, AfterRounds };

using Shape = HoldTime::Shape;

} // namespace

PlanForm::PlanForm(QWidget *parent)
    : QWidget(parent),
      m_algorithm(new AlgorithmForm(this)),
      m_rows(new QWidget(this)),
      m_form(formOn(m_rows)),
      m_mode(choice(this)),
      m_timeout(wholeNumber(1, 60'000, 1000, tr("ms"), this)),
      m_workers(wholeNumber(1, 256, 8, {}, this)),
      m_processes(wholeNumber(1, 16, 1, {}, this)),
      m_locks(wholeNumber(1, 64, 1, {}, this)),
      m_end(choice(this)),
      m_seconds(wholeNumber(1, 600, 10, tr("s"), this)),
      m_rounds(wholeNumber(1, 1000, 20, {}, this)),
      m_lease(wholeNumber(50, 60'000, 2000, tr("ms"), this)),
      m_holdShape(choice(this)),
      m_hold(number(0, 10'000, 1, tr("ms"), this)),
      m_holdMost(number(0, 10'000, 5, tr("ms"), this)),
      m_reentry(wholeNumber(1, 16, 1, {}, this)),
      m_watchdog(new QCheckBox(tr("Watchdog"), this)),
      m_seed(new SeedField(this)),
      m_faults(new FaultForm(this))
{
    m_workers->setObjectName(QStringLiteral("workers"));
    m_processes->setObjectName(QStringLiteral("processes"));
    m_locks->setObjectName(QStringLiteral("locks"));
    m_seconds->setObjectName(QStringLiteral("seconds"));
    m_rounds->setObjectName(QStringLiteral("rounds"));
    m_lease->setObjectName(QStringLiteral("lease"));
    m_hold->setObjectName(QStringLiteral("hold"));
    addRows();
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(5);
    layout->addWidget(m_algorithm);
    layout->addWidget(m_rows);
    layout->addWidget(m_faults);
    Plan first;
    first.duration = std::chrono::seconds(10);
    setPlan(first);
    tellChanges();
}

void PlanForm::addRows()
{
    for (const WaitMode mode : {WaitMode::Block, WaitMode::Timeout, WaitMode::Try}) {
        m_mode->addItem(QString::fromLatin1(waitModeName(mode)), int(mode));
        m_mode->setItemData(m_mode->count() - 1, plainToolTip(meaningOf(mode)), Qt::ToolTipRole);
    }
    m_end->addItem(tr("a time"), AfterTime);
    m_end->addItem(tr("rounds"), AfterRounds);
    m_holdShape->addItem(tr("constant"), int(Shape::Fixed));
    m_holdShape->addItem(tr("uniform"), int(Shape::Uniform));
    m_holdShape->addItem(tr("exponential"), int(Shape::Exponential));
    QFormLayout &form = *m_form;
    addRow(form, tr("Lock waits"), m_mode, tr("What a worker does while another worker holds the lock"));
    addRow(form, tr("at most"), m_timeout, tr("Wait time before a worker gives up"), tr("Wait timeout"));
    addRow(form, tr("Workers"), m_workers, tr("Number of workers; each has its own connections"));
    addRow(form, tr("Processes"), m_processes, tr("Number of processes that run the workers"));
    addRow(form, tr("Locks"), m_locks, tr("Number of locks; each iteration acquires one"));
    addRow(form, tr("Ends after"), m_end,
           tr("A time: workers run freely. Rounds: all workers start together, one iteration each"));
    addRow(form, tr("Duration"), m_seconds, tr("Duration of the run"), tr("Duration"));
    addRow(form, tr("Number of rounds"), m_rounds, tr("Number of rounds"), tr("Number of rounds"));
    addRow(form, tr("Lease"), m_lease, tr("Time after which an unrenewed lock expires"));
    addRow(form, tr("Hold time"), m_holdShape, tr("Time in the critical section"));
    addRow(form, tr("Mean hold time"), m_hold,
           tr("The time; for exponential the mean, for uniform the minimum"), tr("Mean hold time"));
    addRow(form, tr("Maximum hold time"), m_holdMost, tr("Maximum hold time"), tr("Maximum hold time"));
    addRow(form, tr("Re-entry"), m_reentry,
           tr("Number of times a worker acquires the same lock (re-entry levels)"));
    m_watchdog->setToolTip(tr("Renews the lock after each third of the lease while the worker runs"));
    form.addRow(m_watchdog);
    addRow(form, tr("Seed"), m_seed, tr("The same seed makes the same random choices"));
}

void PlanForm::tellChanges()
{
    const auto tell = [this] {
        showFitting();
        emit changed();
    };
    connect(m_algorithm, &AlgorithmForm::changed, this, tell);
    connect(m_faults, &FaultForm::changed, this, tell);
    connect(m_seed, &SeedField::changed, this, tell);
    connect(m_watchdog, &QCheckBox::toggled, this, tell);
    for (QComboBox *box : {m_mode, m_end, m_holdShape})
        connect(box, &QComboBox::currentIndexChanged, this, tell);
    for (QSpinBox *box :
         {m_timeout, m_workers, m_processes, m_locks, m_seconds, m_rounds, m_lease, m_reentry})
        connect(box, &QSpinBox::valueChanged, this, tell);
    for (QDoubleSpinBox *box : {m_hold, m_holdMost})
        connect(box, &QDoubleSpinBox::valueChanged, this, tell);
}

void PlanForm::showFitting()
{
    const Algorithm algorithm = m_algorithm->algorithm();
    const bool isByRounds = m_end->currentData().toInt() == AfterRounds;
    const auto mode = WaitMode(m_mode->currentData().toInt());
    m_mode->setToolTip(plainToolTip(meaningOf(mode)));
    setRowShown(*m_form, m_timeout, mode == WaitMode::Timeout);
    setRowShown(*m_form, m_seconds, !isByRounds);
    setRowShown(*m_form, m_rounds, isByRounds);
    setRowShown(*m_form, m_holdMost, Shape(m_holdShape->currentData().toInt()) == Shape::Uniform);
    setRowShown(*m_form, m_reentry, isReentrant(algorithm.strategy));
    // A lease of whole seconds: what the server would round is not offered.
    const int leastLease = hasWholeSecondLease(algorithm.strategy) ? 1000 : 50;
    m_lease->setMinimum(leastLease);
    m_lease->setSingleStep(leastLease);
    m_faults->offerFor(algorithm, m_watchdog->isChecked());
}

Plan PlanForm::plan() const
{
    const auto microsecondsOf = [](const QDoubleSpinBox *box) {
        return microseconds(std::llround(box->value() * 1000));
    };
    Plan plan;
    plan.algorithm = m_algorithm->algorithm();
    plan.name = strategyName(plan.algorithm.strategy);
    plan.mode = WaitMode(m_mode->currentData().toInt());
    plan.timeout = milliseconds(m_timeout->value());
    plan.workers = m_workers->value();
    plan.processes = m_processes->value();
    plan.locks = m_locks->value();
    if (m_end->currentData().toInt() == AfterRounds)
        plan.rounds = m_rounds->value();
    plan.duration = std::chrono::seconds(m_seconds->value());
    plan.lease = milliseconds(m_lease->value());
    plan.hold.shape = Shape(m_holdShape->currentData().toInt());
    plan.hold.low = microsecondsOf(m_hold);
    plan.hold.high = plan.hold.shape == Shape::Uniform ? microsecondsOf(m_holdMost) : plan.hold.low;
    plan.reentry = isReentrant(plan.algorithm.strategy) ? m_reentry->value() : 1;
    plan.watchdog = m_watchdog->isChecked();
    plan.seed = m_seed->seed();
    m_faults->fill(plan);
    return plan;
}

void PlanForm::setPlan(const Plan &plan)
{
    const auto select = [](QComboBox *box, int value) {
        box->setCurrentIndex(std::max(0, box->findData(value)));
    };
    const auto showMs = [](QDoubleSpinBox *box, microseconds time) {
        box->setValue(static_cast<double>(time.count()) / 1000);
    };
    m_algorithm->setAlgorithm(plan.algorithm);
    select(m_mode, int(plan.mode));
    m_timeout->setValue(static_cast<int>(plan.timeout.count()));
    m_workers->setValue(plan.workers);
    m_processes->setValue(plan.processes);
    m_locks->setValue(plan.locks);
    select(m_end, plan.rounds ? AfterRounds : AfterTime);
    if (plan.rounds)
        m_rounds->setValue(*plan.rounds);
    m_seconds->setValue(static_cast<int>(std::chrono::ceil<std::chrono::seconds>(plan.duration).count()));
    m_lease->setValue(static_cast<int>(plan.lease.count()));
    select(m_holdShape, int(plan.hold.shape));
    showMs(m_hold, plan.hold.low);
    showMs(m_holdMost, plan.hold.high);
    m_reentry->setValue(plan.reentry);
    m_watchdog->setChecked(plan.watchdog);
    m_seed->setSeed(plan.seed);
    m_faults->show(plan);
    showFitting();
}

} // namespace lockscope
