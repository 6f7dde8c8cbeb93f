// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QScrollArea>

class QGridLayout;
class QLabel;
class QPushButton;

namespace lockscope {

struct Scenario;

/// The scenarios as cards, and one for a custom setup (nullptr). Arrow keys go from card to card.
class ScenarioCards : public QScrollArea
{
    Q_OBJECT

public:
    explicit ScenarioCards(QWidget *parent = nullptr);

    /// Sets why no scenario may run; empty allows all.
    void forbid(const QString &reason);
    void focusContents(); ///< the card that had the focus last

signals:
    void runWanted(const lockscope::Scenario *scenario);
    void settingsWanted(const lockscope::Scenario *scenario);

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;

private:
    void addCard(const Scenario *scenario);
    void arrange();

    QLabel *m_forbidden;
    QGridLayout *m_grid;
    QList<QWidget *> m_cards; ///< each one's focus proxy is its first button
    QList<QPushButton *> m_runs;
    qsizetype m_chosen = 0;
    int m_columns = 0;
};

} // namespace lockscope
