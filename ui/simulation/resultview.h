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

class ResultView : public QWidget
{
    Q_OBJECT

public:
    explicit ResultView(QWidget *parent = nullptr);

    /// Shows the expectation of a starting run; empty for a custom setup.
    void expect(const QString &expectation);
    void showFindings(const Findings &findings, const QList<QByteArray> &keys);
    /// Shows a report; a custom setup has no scenario.
    void show(const ScenarioReport &report);
    void showFailure(const QString &why);
    void showMessage(bool good, const QString &text);

    const std::optional<ScenarioReport> &report() const
    {
        return m_report;
    }                     ///< absent until the last run has completed
    QString text() const; ///< one label per line

signals:
    void exportWanted();
    /// Requests a moment of one of the report's runs; -1: the current run.
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
    void addComparisons(const Verdict &verdict);
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
    QList<StoryLabel *> m_oldStories; ///< previous labels, during a rebuild
    VerdictLine *m_count = nullptr;
    std::optional<ScenarioReport> m_report;
};

/// Writes a report to a file completely or not at all: as text if the name ends in ".txt", otherwise as JSON.
/// Returns the error for the user; empty on success.
QString writeReport(const ScenarioReport &report, const QString &path);

} // namespace lockscope
