// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/recording/replay.h"

#include <QWidget>

class QComboBox;
class QLineEdit;

namespace lockscope {

class ElidedLabel;
class MainActions;
class ScrubSlider;

/// The position in a recording and how to move it: slider, typed time, event steps and playback.
class ReplayBar : public QWidget
{
    Q_OBJECT

public:
    /// Both must outlive this.
    ReplayBar(Replay &replay, MainActions &commands, QWidget *parent = nullptr);

    /// Returns the window title: "Recording: incident — 03:12:05".
    QString title() const;
    void turn();

signals:
    /// Requests a step to the next or previous event of the events panel.
    void eventRequested(bool isForward);

private:
    void takeOutline();
    void showMoment();
    void showState();
    QString timeOfRecording() const;
    void goToTyped();
    int chosenSpeed() const;

    Replay &m_replay;
    MainActions &m_commands;
    ScrubSlider *m_slider;
    QLineEdit *m_time;
    QComboBox *m_speeds;
    ElidedLabel *m_state;
    QString m_refusal; ///< why the typed time was refused
};

} // namespace lockscope
