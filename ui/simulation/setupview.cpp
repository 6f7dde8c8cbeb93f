// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/simulation/setupview.h"

#include "core/words/phrases.h"
#include "ui/simulation/planform.h"
#include "ui/simulation/scenarioform.h"
#include "ui/widgets/boxes.h"
#include "ui/widgets/propertygrid.h"

#include <QLabel>
#include <QScrollArea>

namespace lockscope {

SetupView::SetupView(QWidget *parent)
    : QWidget(parent),
      m_scenario(new ScenarioForm(this)),
      m_plan(
          new FieldForm({PlanField::Part::Algorithm, PlanField::Part::Setup, PlanField::Part::Faults}, this)),
      m_validationError(plainLabel(this))
{
    m_validationError->setObjectName(QStringLiteral("simulationFlaw"));
    applyTextColor(m_validationError, StatusColor::Danger);
    auto *scroll = new QScrollArea(this);
    scroll->setObjectName(QStringLiteral("scrolled"));
    scroll->setFocusPolicy(Qt::NoFocus);
    auto *inner = new QWidget(scroll);
    inner->setLayout(
        columnOf({m_validationError, m_scenario, m_plan, Stretch{}}, usualSpacing, {12, 4, 12, 8}));
    scroll->setWidget(inner);
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    setLayout(columnOf({scroll}, 0, {}));

    m_plan->setObjectName(QStringLiteral("plan"));
    Plan first;
    first.duration = std::chrono::seconds(10);
    m_plan->setPlan(first);
    connect(m_scenario, &ScenarioForm::changed, this, &SetupView::showValidationError);
    connect(m_plan, &FieldForm::changed, this, &SetupView::showValidationError);
    choose(nullptr);
}

SimulationSetup SetupView::setup() const
{
    SimulationSetup setup;
    setup.scenario = m_chosen;
    if (m_chosen) {
        setup.settings = m_scenario->settings();
    } else {
        setup.plan = m_plan->plan();
        setup.plan.name = nameOf(setup.plan.algorithm.strategy);
    }
    return setup;
}

void SetupView::choose(const SimulationSetup &setup)
{
    choose(setup.scenario);
    if (setup.scenario)
        m_scenario->setSettings(setup.settings);
    else
        m_plan->setPlan(setup.plan);
}

void SetupView::choose(const Scenario *scenario)
{
    m_chosen = scenario;
    if (scenario)
        m_scenario->setScenario(*scenario);
    m_scenario->setVisible(scenario != nullptr);
    m_plan->setVisible(!scenario);
    showValidationError();
}

void SetupView::forbid(const QString &reason)
{
    m_forbidden = reason;
    showValidationError();
}

QString SetupView::validationError() const
{
    return m_validationError->text();
}

void SetupView::focusContents()
{
    for (QWidget *next = nextInFocusChain(); next != this; next = next->nextInFocusChain()) {
        if (isAncestorOf(next) && next->isVisible() && next->isEnabled() &&
            (next->focusPolicy() & Qt::TabFocus))
            return next->setFocus(Qt::ShortcutFocusReason);
    }
}

void SetupView::showValidationError()
{
    const QString text = !m_forbidden.isEmpty()
                             ? m_forbidden
                             : inWords(lockscope::validationError(setup()).value_or(Phrase()));
    m_validationError->setText(text);
    m_validationError->setHidden(text.isEmpty());
    emit changed();
}

} // namespace lockscope
