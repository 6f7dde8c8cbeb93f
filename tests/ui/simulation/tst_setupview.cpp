// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/words/phrases.h"
#include "ui/simulation/setupview.h"

#include "ui/simulation/planform.h"
#include "ui/simulation/scenarioform.h"
#include "ui/widgets/palette.h"
#include "ui/widgets/theme.h"

#include <QAccessible>
#include <QCheckBox>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QLabel>
#include <QSpinBox>
#include <QtTest>

using namespace lockscope;
using namespace std::chrono_literals;

class SetupViewTest : public QObject
{
    Q_OBJECT

private slots:
    void init()
    {
        QTest::failOnWarning(
            QRegularExpression(QStringLiteral("^(?!This plugin does not support propagateSizeHints)")));
        m_view = std::make_unique<SetupView>();
        m_view->show();
    }
    void cleanup() { m_view.reset(); }

    void everyScenarioCanBeChosen()
    {
        QCOMPARE(scenarios().size(), 15U);
        for (const Scenario &scenario : scenarios()) {
            chooseScenario(scenario);
            QCOMPARE(m_view->setup().scenario, &scenario);
            QCOMPARE(find<QLabel>("purpose")->text(), inWords(scenario.purpose));
            QVERIFY(find<QLabel>("expectation")->text().contains(inWords(scenario.expectation)));
            QVERIFY2(m_view->validationError().isEmpty(), qPrintable(m_view->validationError()));
            const ScenarioSettings settings = m_view->setup().settings;
            QVERIFY(!settings.workers && !settings.rounds && !settings.duration && !settings.algorithm &&
                    !settings.processes);
        }
    }

    void onlySettingsThatMatterAreOffered()
    {
        auto *workers = m_view->findChild<QSpinBox *>(QStringLiteral("scenarioWorkers"));
        bool offered = false, hidden = false;
        for (const Scenario &scenario : scenarios()) {
            chooseScenario(scenario);
            if (workers->isHidden()) {
                hidden = true;
                continue;
            }
            offered = true;
            const int usual = maxWorkers(m_view->setup());
            workers->setValue(workers->value() + 3);
            QVERIFY2(m_view->setup().settings.workers == workers->value(), scenario.name.data());
            QVERIFY2(maxWorkers(m_view->setup()) != usual, scenario.name.data());
        }
        QVERIFY(offered && hidden);
    }

    /// The published tests are about certain algorithms, with any release.
    void aReleaseAloneCanBeChosen()
    {
        for (const char *name : {"one-winner", "sequence", "five-processes"}) {
            chooseScenario(*scenarioFromName(name));
            auto *release = find<QComboBox>("release");
            QVERIFY2(!release->isHidden() && release->isEnabled(), name);
            QCOMPARE(find<QComboBox>("strategy")->isHidden(), QByteArrayView(name) != "one-winner");
            release->setCurrentIndex(release->findData(int(ReleaseMethod::CheckThenDelete)));
            const ScenarioSettings settings = m_view->setup().settings;
            QCOMPARE(settings.release, ReleaseMethod::CheckThenDelete);
            QVERIFY(!settings.algorithm);
            QCOMPARE(actsOf(m_view->setup()).size(), actsOf({scenarioFromName(name), {}, {}}).size());
            SimulationSetup again = m_view->setup();
            m_view->choose(again);
            QCOMPARE(m_view->setup().settings.release, ReleaseMethod::CheckThenDelete);
        }
        chooseScenario(*scenarioFromName("herd"));
        QVERIFY(find<QComboBox>("release")->isHidden() || !find<QComboBox>("release")->isVisible());
    }

    /// A pause in the release goes with every release.
    void slowReleasesAreOfferedWithEveryRelease()
    {
        chooseOwn();
        auto *strategy = find<QComboBox>("strategy");
        auto *release = find<QComboBox>("release");
        auto *rate = find<QDoubleSpinBox>("releasePauseRate");
        for (int s = 0; s < strategy->count(); ++s) {
            strategy->setCurrentIndex(s);
            for (int r = 0; r < release->count(); ++r) {
                release->setCurrentIndex(r);
                QVERIFY(rate->isVisible());
                rate->setValue(10);
                QCOMPARE(m_view->setup().plan.releasePauseRate, 0.1);
                QVERIFY2(m_view->validationError().isEmpty(), qPrintable(m_view->validationError()));
            }
        }
    }

    void theFirstOwnPlanCanRun()
    {
        chooseOwn();
        const SimulationSetup setup = m_view->setup();
        QVERIFY(!setup.scenario);
        QVERIFY(!setup.plan.validationError());
        QVERIFY(!needsPrivateServer(setup));
        QCOMPARE(setup.plan.workers, 8);
    }

    void onlyWhatFitsIsOffered()
    {
        chooseOwn();
        auto *strategy = find<QComboBox>("strategy");
        auto *release = find<QComboBox>("release");
        auto *wake = find<QComboBox>("wake");
        int combinations = 0;
        for (int s = 0; s < strategy->count(); ++s) {
            strategy->setCurrentIndex(s);
            for (int r = 0; r < release->count(); ++r) {
                for (int w = 0; w < wake->count(); ++w) {
                    release->setCurrentIndex(r);
                    wake->setCurrentIndex(w);
                    QVERIFY2(!m_view->setup().plan.validationError(),
                             qPrintable(strategy->currentText() + u' ' + release->currentText() + u' ' +
                                        wake->currentText() + u' ' + m_view->validationError()));
                    ++combinations;
                }
            }
        }
        QVERIFY(combinations > 20);
    }

    void aFlawIsASentence()
    {
        chooseOwn();
        find<QSpinBox>("workers")->setValue(2);
        find<QSpinBox>("processes")->setValue(5);
        QVERIFY(m_view->validationError().endsWith(u'.'));
        QVERIFY(find<QLabel>("simulationFlaw")->isVisible());
        find<QSpinBox>("processes")->setValue(2);
        QVERIFY2(m_view->validationError().isEmpty(), qPrintable(m_view->validationError()));
    }

    void rangesAreSane()
    {
        chooseOwn();
        for (QSpinBox *box : m_view->findChildren<QSpinBox *>()) {
            if (box->objectName() == QStringLiteral("processes") || !box->isVisible())
                continue;
            const int usual = box->value();
            for (const int edge : {box->minimum(), box->maximum()}) {
                box->setValue(edge);
                QVERIFY2(m_view->validationError().isEmpty(),
                         qPrintable(box->accessibleName() + u' ' + QString::number(edge) +
                                    m_view->validationError()));
            }
            box->setValue(usual);
        }
    }

    /// All are in sight, and what they are called is said in words.
    void faultsAreFitting()
    {
        chooseOwn();
        auto *crash = find<QDoubleSpinBox>("crashRate");
        auto *split = find<QDoubleSpinBox>("splitCrashRate");
        QVERIFY(crash->isVisible() && !split->isVisible());
        auto *strategy = find<QComboBox>("strategy");
        strategy->setCurrentIndex(strategy->findText(QStringLiteral("Token, SETNX then EXPIRE")));
        QTRY_VERIFY(split->isVisible());
        split->setValue(5);
        crash->setValue(10);
        QCOMPARE(m_view->setup().plan.splitCrashRate, 0.05);
        QCOMPARE(m_view->setup().plan.crashRate, 0.1);
        QVERIFY2(m_view->validationError().isEmpty(), qPrintable(m_view->validationError()));
        QVERIFY(needsPrivateServer(m_view->setup()));
        crash->setValue(99);
        QVERIFY(!m_view->validationError().isEmpty());
        crash->setValue(10);
        // Hidden again, it is no part of the plan.
        strategy->setCurrentIndex(0);
        QCOMPARE(m_view->setup().plan.splitCrashRate, 0.0);
        QVERIFY2(m_view->validationError().isEmpty(), qPrintable(m_view->validationError()));
    }

    void aPlanGoesInAndComesOut()
    {
        SimulationSetup setup;
        setup.plan.name = "handoff";
        setup.plan.algorithm.strategy = StrategyKind::Handoff;
        setup.plan.workers = 40;
        setup.plan.locks = 3;
        setup.plan.rounds = 7;
        setup.plan.mode = WaitMode::Timeout;
        setup.plan.timeout = 250ms;
        setup.plan.lease = 1500ms;
        setup.plan.hold = {HoldTime::Shape::Uniform, 500us, 2500us};
        setup.plan.reentry = 2;
        setup.plan.watchdog = true;
        setup.plan.crashRate = 0.02;
        setup.plan.pause = 300ms;
        setup.plan.serverFaults = {ServerFault::Restart};
        setup.plan.seed = 77;
        m_view->choose(setup);
        QCOMPARE(m_view->setup().plan, setup.plan);
        QVERIFY(!m_view->setup().scenario);

        SimulationSetup scenario;
        scenario.scenario = scenarioFromName("herd");
        scenario.settings.seed = 5;
        m_view->choose(scenario);
        QCOMPARE(m_view->setup().scenario, scenario.scenario);
        QCOMPARE(m_view->setup().settings.seed, 5U);
    }

    void theFirstFieldGetsTheFocus()
    {
        chooseOwn();
        m_view->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(m_view.get()));
        m_view->focusContents();
        QCOMPARE(QApplication::focusWidget(), find<QComboBox>("strategy"));
    }

    /// Names for the command line are not shown.
    void choicesAreCalledByTheirTitles()
    {
        chooseOwn();
        for (const char *name : {"strategy", "release", "wake", "mode"}) {
            const auto *box = find<QComboBox>(name);
            for (int i = 0; i < box->count(); ++i)
                QVERIFY2(box->itemText(i).at(0).isUpper(), qPrintable(box->itemText(i)));
        }
        QCOMPARE(phaseTitle(Phrase::verbatim(QStringLiteral("token-set"))),
                 QStringLiteral("Token, SET NX PX"));
        QCOMPARE(phaseTitle(Phrase::verbatim(QStringLiteral("unchecked-delete"))),
                 QStringLiteral("Delete without check"));
        QCOMPARE(phaseTitle(Phrase("alone")), QStringLiteral("alone"));
    }

    void everyFieldIsNamedOnce()
    {
        chooseOwn();
        QStringList names;
        for (QWidget *field :
             m_view->findChild<FieldForm *>(QStringLiteral("plan"))->findChildren<QWidget *>()) {
            const bool isField = qobject_cast<QAbstractSpinBox *>(field) || qobject_cast<QComboBox *>(field);
            if (!isField)
                continue;
            const QString name = labelOf(field);
            QVERIFY2(!name.isEmpty() && !names.contains(name), qPrintable(name));
            names << name;
            // A combo box tells its choice instead, and is named by its label alone.
            if (!qobject_cast<QComboBox *>(field))
                QCOMPARE(QAccessible::queryAccessibleInterface(field)->text(QAccessible::Name), name);
        }
        for (const char *spoken : {"Wait timeout", "Duration", "Rounds", "Hold time", "Maximum hold time",
                                   "Pause length", "Poll interval"})
            QVERIFY2(names.contains(QString::fromLatin1(spoken)), spoken);
    }

    void itsColorsFollowTheTheme()
    {
        applyTheme(Theme::Light);
        m_view->forbid(QStringLiteral("Read-only."));
        const auto *flaw = find<QLabel>("simulationFlaw");
        QTRY_COMPARE(flaw->palette().color(QPalette::WindowText),
                     textColor(StatusColor::Danger, lightPalette()));
        applyTheme(Theme::Dark);
        QTRY_COMPARE(flaw->palette().color(QPalette::WindowText),
                     textColor(StatusColor::Danger, darkPalette()));
        applyTheme(Theme::Light);
    }

    void whatIsForbiddenSaysWhy()
    {
        m_view->forbid(QStringLiteral("Read-only."));
        QCOMPARE(m_view->validationError(), QStringLiteral("Read-only."));
    }

private:
    /// What is said before a field: the name of the label that goes with it.
    static QString labelOf(QWidget *field)
    {
        for (const auto &[label, relation] : QAccessible::queryAccessibleInterface(field)->relations()) {
            if (relation.testFlag(QAccessible::Label))
                return label->text(QAccessible::Name);
        }
        return {};
    }
    template <typename Widget>
    Widget *find(const char *name) const
    {
        // The scenario's and the own plan's fields share some names: the one that belongs to what is chosen.
        for (auto *widget : m_view->findChildren<Widget *>(QString::fromLatin1(name))) {
            const bool isOfPlan =
                m_view->findChild<FieldForm *>(QStringLiteral("plan"))->isAncestorOf(widget);
            const bool isOfScenario = m_view->findChild<ScenarioForm *>()->isAncestorOf(widget);
            if (m_view->setup().scenario ? !isOfPlan : !isOfScenario)
                return widget;
        }
        qFatal("no %s", name);
    }
    void chooseScenario(const Scenario &scenario) { m_view->choose(&scenario); }
    void chooseOwn() { m_view->choose(nullptr); }

    std::unique_ptr<SetupView> m_view;
};

QTEST_MAIN(SetupViewTest)
#include "tst_setupview.moc"
