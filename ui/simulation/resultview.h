// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/simulation/scenario/scenario.h"
#include "ui/widgets/palette.h"

#include <QWidget>

#include <functional>

class QLabel;
class QPushButton;
class QScrollArea;
class QVBoxLayout;

namespace lockscope {

class StoryLabel;
class VerdictLine;

/// What came out of a run, beside what was expected of it.
class ResultView : public QWidget
{
    Q_OBJECT

public:
    explicit ResultView(QWidget *parent = nullptr);

    /// Of a run that begins: what is expected of it; empty for an own set-up.
    void expect(const QString &expectation);
    /// What was found while it runs.
    void showFindings(const Findings &findings, const QList<QByteArray> &keys);
    /// An own set-up is a report without a scenario.
    void show(const ScenarioReport &report);
    void showFailure(const QString &why);
    /// Says something about the last export.
    void showMessage(bool good, const QString &text);

    const std::optional<ScenarioReport> &report() const
    {
        return m_report;
    }                     ///< of the last run, once it has ended
    QString text() const; ///< all that is shown, a label a line

signals:
    void exportWanted();
    /// A sentence's moment, in one of the report's runs; -1: of the run that goes on.
    void momentWanted(int run, std::chrono::microseconds at);

protected:
    void changeEvent(QEvent *event) override;

private:
    void clear();
    void addStory(const QString &text, const std::function<void()> &whenActivated);
    void rebuild();
    QLabel *addText(const QString &text, const QString &objectName = {});
    void addTitle(const QString &text);
    VerdictLine *addPoint(bool good, const QString &text);
    void addExpectation();
    void addVerdict(const ScenarioReport &report);
    void addFindings(const Findings &findings, const QList<QByteArray> &keys, int run = -1);
    void addFigures(const ScenarioPhase &act, const Report &report, int run);

    QScrollArea *m_scroll;
    QWidget *m_body;
    QVBoxLayout *m_column;
    QLabel *m_said;
    StatusColor m_messageColor = StatusColor::Good;
    QPushButton *m_export;
    QString m_expectation;
    QString m_failure;
    Findings m_findings;
    QList<QByteArray> m_keys;
    bool m_running = false;
    QList<StoryLabel *> m_stories;
    QList<StoryLabel *> m_oldStories; ///< of before, while it is built anew
    VerdictLine *m_count = nullptr;   ///< how many violations, while it runs
    std::optional<ScenarioReport> m_report;
};

/// Writes a run's report to a file, whole or not at all: as text for people where the name ends in ".txt", as JSON
/// otherwise. Returns what went wrong, for the user; empty: it is written.
QString writeReport(const ScenarioReport &report, const QString &path);

} // namespace lockscope
