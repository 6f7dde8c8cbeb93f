// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/replay/replaybar.h"

#include "core/base/printable.h"
#include "core/words/durations.h"
#include "core/words/recordingmessages.h"
#include "ui/actions/mainactions.h"
#include "ui/events/eventtext.h"
#include "ui/replay/replaytime.h"
#include "ui/replay/scrubslider.h"
#include "ui/widgets/boxes.h"
#include "ui/widgets/elidedlabel.h"
#include "ui/widgets/glyph.h"
#include "ui/widgets/measure.h"
#include "ui/widgets/propertygrid.h"

#include <QComboBox>
#include <QDateTime>
#include <QFileInfo>
#include <QLineEdit>
#include <QToolButton>

#include <array>

namespace lockscope {

namespace {

constexpr std::array<int, 3> replaySpeeds{1, 10, 60};
constexpr qsizetype longestName = 40;
constexpr int timeCharacters = 15;

QToolButton *buttonOf(QAction *action, QWidget *parent)
{
    auto *button = new QToolButton(parent);
    button->setDefaultAction(action);
    button->setToolButtonStyle(Qt::ToolButtonIconOnly);
    button->setAutoRaise(true);
    button->setFocusPolicy(Qt::TabFocus);
    return button;
}

} // namespace

ReplayBar::ReplayBar(Replay &replay, MainActions &commands, QWidget *parent)
    : QWidget(parent),
      m_replay(replay),
      m_commands(commands),
      m_slider(new ScrubSlider(this)),
      m_time(new QLineEdit(this)),
      m_speeds(new QComboBox(this)),
      m_state(new ElidedLabel(this))
{
    setAccessibleName(tr("Replay"));
    m_time->setAccessibleName(tr("Time shown"));
    m_time->setToolTip(tr("Type a time and press Enter: 03:12, 03:12:05, or 2026-01-31 03:12 (%1)")
                           .arg(commands.goToTime->shortcut().toString(QKeySequence::NativeText)));
    m_time->setFixedWidth(latinWidth(fontMetrics(), timeCharacters) + 24);
    for (const int speed : replaySpeeds)
        m_speeds->addItem(tr("%1×", "so many times as fast").arg(speed), speed);
    m_speeds->setAccessibleName(tr("Speed"));
    m_speeds->setToolTip(m_speeds->accessibleName());
    applyTextColor(m_state, StatusColor::Muted);
    auto *line = lineOf({buttonOf(commands.previousEvent, this),
                         buttonOf(commands.play, this),
                         buttonOf(commands.nextEvent, this),
                         m_speeds,
                         Space{4},
                         {m_slider, 1},
                         Space{4},
                         m_time},
                        4, {12, 6, 12, 2});
    auto *below = lineOf({{m_state, 1}}, usualSpacing, {16, 0, 12, 4});
    setLayout(columnOf({line, below}, 0, {}));

    connect(m_slider, &ScrubSlider::sought, &m_replay, &Replay::seek);
    connect(m_time, &QLineEdit::returnPressed, this, &ReplayBar::goToTyped);
    connect(m_time, &QLineEdit::editingFinished, this, [this] {
        if (m_time->hasFocus()) // Enter: a time that is none stays to be mended
            return;
        m_refusal.clear();
        showMoment();
    });
    connect(m_time, &QLineEdit::textEdited, this, [this] { m_refusal.clear(); });
    connect(m_speeds, &QComboBox::activated, this, [this] {
        if (m_replay.isPlaying())
            m_replay.play(chosenSpeed());
    });
    connect(commands.play, &QAction::triggered, this, &ReplayBar::turn);
    connect(commands.previousEvent, &QAction::triggered, this, [this] { emit eventRequested(false); });
    connect(commands.nextEvent, &QAction::triggered, this, [this] { emit eventRequested(true); });
    connect(commands.goToTime, &QAction::triggered, this, [this] {
        m_time->setFocus(Qt::ShortcutFocusReason);
        m_time->selectAll();
    });
    connect(&m_replay, &Replay::opened, this, &ReplayBar::takeOutline);
    connect(&m_replay, &Replay::partTold, this, &ReplayBar::showMoment);
    connect(&m_replay, &Replay::arrived, this, &ReplayBar::showMoment);
    connect(&m_replay, &Replay::playingChanged, this, [this](bool on) { m_commands.showPlaying(on); });
    m_commands.showPlaying(false);
}

void ReplayBar::takeOutline()
{
    m_slider->setOutline(m_replay.outline());
    showMoment();
}

QString ReplayBar::title() const
{
    const QString name = printable(QFileInfo(m_replay.path()).fileName().toUtf8(), longestName);
    const QString time =
        QDateTime::fromMSecsSinceEpoch(m_replay.wallNow()).toString(QStringLiteral("HH:mm:ss"));
    return tr("Recording: %1 — %2", "its name, and the time shown").arg(name, time);
}

void ReplayBar::turn()
{
    if (m_replay.isPlaying())
        m_replay.stop();
    else
        m_replay.play(chosenSpeed());
}

int ReplayBar::chosenSpeed() const
{
    return m_speeds->currentData().toInt();
}

void ReplayBar::showMoment()
{
    m_slider->showMoment(m_replay.moment());
    if (!m_time->hasFocus()) // somebody types
        m_time->setText(clockTimeText(m_replay.wallNow()));
    showState();
}

void ReplayBar::showState()
{
    if (!m_refusal.isEmpty())
        return m_state->setFullText(m_refusal);
    const ReplayOutline &outline = m_replay.outline();
    QStringList parts{tr("Not live")};
    parts << timeOfRecording();
    if (outline.isAnonymous)
        parts << tr("anonymous: keys, owners and hosts are hashes");
    if (m_replay.lack() != GapCause::None)
        parts << describe(m_replay.lack());
    if (m_replay.isHalfTold())
        parts << tr("reading this moment…");
    else if (!m_replay.isPastTold())
        parts << tr("reading what came before…");
    m_state->setFullText(parts.join(QStringLiteral(" · ")));
}

/// If the clock was set back, start and end do not give the duration.
QString ReplayBar::timeOfRecording() const
{
    const ReplayOutline &outline = m_replay.outline();
    const QString begin = timeText(outline.wallFromMs);
    const QString end = timeText(outline.wallToMs);
    const int setBacks = outline.clockSetBacks();
    if (setBacks == 0)
        return tr("%1 to %2", "times").arg(begin, end);
    return tr("%1 to %2, %3 long: the clock was set back %n time(s)", nullptr, setBacks)
        .arg(begin, end, describe(outline.length));
}

void ReplayBar::goToTyped()
{
    m_replay.stop();
    m_refusal.clear();
    const auto wallMs = typedTime(m_time->text(), m_replay.outline(), m_replay.wallNow());
    if (!wallMs)
        m_refusal = tr("Type a time such as 03:12 or 03:12:05.");
    else if (!hasTime(m_replay.outline(), *wallMs))
        m_refusal =
            tr("The recording covers %1 to %2.")
                .arg(timeText(m_replay.outline().wallFirstMs), timeText(m_replay.outline().wallLastMs));
    if (!m_refusal.isEmpty())
        return showState();
    m_replay.seekWall(*wallMs);
    m_slider->setFocus();
}

} // namespace lockscope
