// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/simulation/scenarioform.h"

#include "core/words/phrases.h"
#include "core/words/texts.h"
#include "ui/simulation/fields.h"
#include "ui/simulation/planform.h"
#include "ui/widgets/boxes.h"
#include "ui/widgets/fonts.h"
#include "ui/widgets/propertygrid.h"

#include <QFormLayout>
#include <QLabel>
#include <QSignalBlocker>
#include <QSpinBox>

#include <algorithm>

namespace lockscope {

namespace {

using std::chrono::seconds;

constexpr double storyScale = 1.25;

int wholeSeconds(milliseconds time)
{
    return static_cast<int>(std::chrono::ceil<seconds>(time).count());
}

} // namespace

ScenarioForm::ScenarioForm(QWidget *parent)
    : QWidget(parent),
      m_purpose(plainLabel(this)),
      m_expectation(plainLabel(this)),
      m_private(plainLabel(this)),
      m_algorithm(new FieldForm({PlanField::Part::Algorithm}, this)),
      m_rows(new QWidget(this)),
      m_form(formOn(m_rows)),
      m_workers(wholeNumber(1, 256, 1, {}, this)),
      m_processes(wholeNumber(1, 16, 1, {}, this)),
      m_rounds(wholeNumber(1, 1000, 1, {}, this)),
      m_seconds(wholeNumber(1, 600, 1, tr("s"), this)),
      m_seed(wholeNumber(1, maxSeed, 1, {}, this))
{
    m_purpose->setObjectName(QStringLiteral("purpose"));
    m_expectation->setObjectName(QStringLiteral("expectation"));
    m_workers->setObjectName(QStringLiteral("scenarioWorkers"));
    m_private->setText(tr("Runs on a private server only."));
    QFont large = font();
    large.setPointSizeF(large.pointSizeF() * storyScale);
    for (QLabel *story : {m_purpose, m_expectation})
        story->setFont(large);
    addRow(*m_form, Texts::tr("Workers"), m_workers, {});
    addRow(*m_form, Texts::tr("Processes"), m_processes, {});
    addRow(*m_form, Texts::tr("Rounds"), m_rounds, tr("All workers start each round together"));
    addRow(*m_form, Texts::tr("Duration"), m_seconds, {});
    addRow(*m_form, Texts::tr("Seed"), m_seed, {});
    auto *fields = lineOf({{m_algorithm, 1}, {m_rows, 1}, Stretch{1}}, 24);
    setLayout(columnOf({m_purpose, m_expectation, Space{6}, m_private, Space{6}, fields}, 6, {}));
    for (QSpinBox *box : {m_workers, m_processes, m_rounds, m_seconds, m_seed})
        connect(box, &QSpinBox::valueChanged, this, &ScenarioForm::changed);
    connect(m_algorithm, &FieldForm::changed, this, &ScenarioForm::changed);
    applyTextColor(m_purpose, StatusColor::Muted);
    applyBannerStyle(m_private, StatusColor::Warning);
}

void ScenarioForm::setScenario(const Scenario &scenario)
{
    m_scenario = &scenario;
    const QList<ScenarioPhase> acts = scenario.acts({});
    m_usual = acts.value(0).plan;
    m_purpose->setText(inWords(scenario.purpose));
    m_expectation->setText(Texts::tr("Expected: %1").arg(inWords(scenario.expectation)));
    m_private->setVisible(
        std::ranges::any_of(acts, [](const ScenarioPhase &act) { return needsPrivateServer(act.plan); }));
    m_algorithm->setVisible(scenario.freedom != ConfigurablePart::Fixed);
    m_algorithm->offerOnly(scenario.freedom == ConfigurablePart::Release ? "release" : nullptr);
    m_form->setRowVisible(m_workers, uses(scenario, &ScenarioSettings::workers));
    m_form->setRowVisible(m_processes, uses(scenario, &ScenarioSettings::processes));
    m_form->setRowVisible(m_rounds, uses(scenario, &ScenarioSettings::rounds));
    m_form->setRowVisible(m_seconds, uses(scenario, &ScenarioSettings::duration));
    setSettings({});
}

void ScenarioForm::setSettings(const ScenarioSettings &settings)
{
    {
        const QSignalBlocker quiet(this);
        Plan shown;
        shown.algorithm = settings.algorithm.value_or(m_usual.algorithm);
        if (settings.release)
            shown.algorithm.release = *settings.release;
        m_algorithm->setPlan(shown);
        m_workers->setValue(settings.workers.value_or(m_usual.workers));
        m_processes->setValue(settings.processes.value_or(m_usual.processes));
        m_rounds->setValue(settings.rounds.value_or(m_usual.rounds.value_or(1)));
        m_seconds->setValue(wholeSeconds(settings.duration.value_or(m_usual.duration)));
        m_seed->setValue(static_cast<int>(settings.seed));
    }
    emit changed();
}

ScenarioSettings ScenarioForm::settings() const
{
    ScenarioSettings settings;
    const Algorithm chosen = m_algorithm->plan().algorithm;
    Algorithm otherRelease = m_usual.algorithm;
    otherRelease.release = chosen.release;
    if (m_scenario->freedom != ConfigurablePart::Fixed && chosen != m_usual.algorithm) {
        // A release alone goes with every algorithm that the scenario has by itself.
        if (chosen == otherRelease)
            settings.release = chosen.release;
        else
            settings.algorithm = chosen;
    }
    if (m_workers->value() != m_usual.workers)
        settings.workers = m_workers->value();
    if (m_processes->value() != m_usual.processes)
        settings.processes = m_processes->value();
    if (m_rounds->value() != m_usual.rounds.value_or(1))
        settings.rounds = m_rounds->value();
    if (m_seconds->value() != wholeSeconds(m_usual.duration))
        settings.duration = seconds(m_seconds->value());
    settings.seed = static_cast<quint32>(m_seed->value());
    return settings;
}

} // namespace lockscope
