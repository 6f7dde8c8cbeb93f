// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/simulation/workermodel.h"

#include <QWidget>

class QListView;
class QToolButton;

namespace lockscope {

class ElidedLabel;
class StateCounts;

/// The workers as a grid of glyphs, with actions for the chosen one.
class WorkersView : public QWidget
{
    Q_OBJECT

public:
    explicit WorkersView(QWidget *parent = nullptr);

    void show(const SimulationSnapshot &snapshot, const QList<QByteArray> &keys);
    void clear();
    void setActive(bool active);

    const WorkerModel &model() const { return *m_model; }
    void choose(int worker);
    int chosen() const; ///< -1 if none
    QString story() const;

    // Outcome of killHolderWanted().
    void showKilled(int worker);
    void showNobodyKilled();

signals:
    void killWanted(int worker);
    void killHolderWanted();
    void pauseWanted(int worker, bool paused);

private:
    void showChosen();
    void showMessage(const QString &text);

    WorkerModel *m_model;
    StateCounts *m_counts;
    QListView *m_list;
    ElidedLabel *m_story;
    QToolButton *m_kill;
    QToolButton *m_pause;
    QToolButton *m_killHolder;
    QString m_said; ///< shown instead of the chosen worker's story
    bool m_active = false;
};

} // namespace lockscope
