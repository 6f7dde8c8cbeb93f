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

/// Which moment of a recording is shown, and the ways to another: the slider, a time that is typed, from event to event, and by
/// itself.
class ReplayBar : public QWidget
{
    Q_OBJECT

public:
    /// Both must outlive this.
    ReplayBar(Replay &replay, MainActions &commands, QWidget *parent = nullptr);

    /// "Recording: incident — 03:12:05", as the window's title has it.
    QString title() const;
    /// Plays, or stops where it is.
    void turn();

signals:
    /// To the next event or the one before: of which events, somebody else knows.
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
    QString m_refusal; ///< of what was typed, until something else is
};

} // namespace lockscope
