// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/simulation/setupview.h"

#include "core/words/phrases.h"
#include "core/words/simulationmessages.h"
#include "ui/simulation/fields.h"
#include "ui/simulation/planform.h"
#include "ui/simulation/scenarioform.h"
#include "ui/widgets/boxes.h"
#include "ui/widgets/glyph.h"
#include "ui/widgets/measure.h"
#include "ui/widgets/plaintext.h"
#include "ui/widgets/propertygrid.h"

#include <QComboBox>
#include <QEvent>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>

namespace lockscope {

namespace {

constexpr int setupMargin = 12;

const Scenario *scenarioAt(const QComboBox &choice)
{
    return scenarioFromName(choice.currentData().toByteArray());
}

} // namespace

SetupView::SetupView(QWidget *parent)
    : QWidget(parent),
      m_choice(choice(this)),
      m_scenario(new ScenarioForm(this)),
      m_plan(
          new FieldForm({PlanField::Part::Algorithm, PlanField::Part::Setup, PlanField::Part::Faults}, this)),
      m_scroll(new QScrollArea(this)),
      m_validationError(plainLabel(this)),
      m_start(new QPushButton(tr("St&art"), this)),
      m_stop(new QPushButton(tr("St&op"), this))
{
    m_choice->setObjectName(QStringLiteral("simulationChoice"));
    for (const Scenario &scenario : scenarios()) {
        m_choice->addItem(scenarioCaption(scenario), scenario.name.toByteArray());
        m_choice->setItemData(m_choice->count() - 1, plainToolTip(inWords(scenario.purpose)),
                              Qt::ToolTipRole);
    }
    m_choice->insertSeparator(m_choice->count());
    m_choice->addItem(tr("Custom setup"));
    m_choice->setMaxVisibleItems(m_choice->count());
    m_start->setObjectName(QStringLiteral("startSimulation"));
    m_start->setIcon(glyphIcon(Glyph::Play));
    m_stop->setObjectName(QStringLiteral("stopSimulation"));
    m_stop->setIcon(glyphIcon(Glyph::Stop));
    m_validationError->setObjectName(QStringLiteral("simulationFlaw"));
    applyTextColor(m_validationError, StatusColor::Danger);

    m_scroll->setObjectName(QStringLiteral("scrolled"));
    m_scroll->setAccessibleName(tr("Setup"));
    auto *inner = new QWidget(m_scroll);
    inner->setLayout(
        columnOf({m_scenario, m_plan, Stretch{}}, usualSpacing, {setupMargin, 4, setupMargin, 8}));
    m_scroll->setWidget(inner);
    m_scroll->setWidgetResizable(true);
    m_scroll->setFrameShape(QFrame::NoFrame);
    m_scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    auto *buttons = lineOf({{m_start, 1}, {m_stop, 1}});
    auto *foot = columnOf({m_validationError, buttons}, usualSpacing, {setupMargin, 6, setupMargin, 8});
    // Where a combo box tells its choice as its name, only a label in sight can say what is chosen.
    auto *choiceName = new QLabel(tr("Scenario"), this);
    choiceName->setTextFormat(Qt::PlainText);
    choiceName->setBuddy(m_choice);
    auto *head = columnOf({choiceName, m_choice}, 2, {setupMargin, 8, setupMargin, 4});
    setLayout(columnOf({head, {m_scroll, 1}, foot}, 0, {}));
    setMinimumWidth(latinWidth(fontMetrics(), 34));

    m_plan->setObjectName(QStringLiteral("plan"));
    Plan first;
    first.duration = std::chrono::seconds(10);
    m_plan->setPlan(first);
    connect(m_choice, &QComboBox::currentIndexChanged, this, &SetupView::showChoice);
    connect(m_scenario, &ScenarioForm::changed, this, &SetupView::showValidationError);
    connect(m_plan, &FieldForm::changed, this, &SetupView::showValidationError);
    connect(m_start, &QPushButton::clicked, this, &SetupView::startWanted);
    connect(m_stop, &QPushButton::clicked, this, &SetupView::stopWanted);
    showChoice();
}

SimulationSetup SetupView::setup() const
{
    SimulationSetup setup;
    setup.scenario = scenarioAt(*m_choice);
    if (setup.scenario) {
        setup.settings = m_scenario->settings();
    } else {
        setup.plan = m_plan->plan();
        setup.plan.name = nameOf(setup.plan.algorithm.strategy);
    }
    return setup;
}

void SetupView::choose(const SimulationSetup &setup)
{
    m_choice->setCurrentIndex(setup.scenario ? m_choice->findData(setup.scenario->name.toByteArray())
                                             : m_choice->count() - 1);
    if (setup.scenario)
        m_scenario->setSettings(setup.settings);
    else
        m_plan->setPlan(setup.plan);
}

void SetupView::setRunning(bool running)
{
    const QWidget *focused = window()->focusWidget();
    const bool wasHere = focused && isAncestorOf(focused);
    m_running = running;
    m_choice->setEnabled(!running);
    m_scenario->setChangeable(!running);
    m_plan->setEnabled(!running);
    showValidationError();
    // What had the focus can't keep it, and the next widget may stand anywhere.
    if (wasHere && !focused->isEnabled())
        (running ? m_stop : m_start)->setFocus(Qt::OtherFocusReason);
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
    QWidget *first = m_running ? static_cast<QWidget *>(m_stop) : m_choice;
    first->setFocus(Qt::ShortcutFocusReason);
}

void SetupView::showChoice()
{
    const Scenario *scenario = scenarioAt(*m_choice);
    if (scenario)
        m_scenario->setScenario(*scenario);
    m_scenario->setVisible(scenario != nullptr);
    m_plan->setVisible(!scenario);
    m_scroll->ensureVisible(0, 0);
    showValidationError();
}

void SetupView::showValidationError()
{
    const QString text = !m_forbidden.isEmpty()
                             ? m_forbidden
                             : inWords(lockscope::validationError(setup()).value_or(Phrase()));
    m_validationError->setText(text);
    m_validationError->setHidden(text.isEmpty());
    m_start->setEnabled(text.isEmpty() && !m_running);
    m_start->setToolTip(text.isEmpty() ? tr("Start the simulation") : plainToolTip(text));
    m_stop->setEnabled(m_running);
    m_stop->setToolTip(tr("Stop the run and show the results so far"));
}

} // namespace lockscope
