// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/redis/environment.h"
#include "ui/widgets/palette.h"

#include <QWidget>

#include <chrono>
#include <optional>

namespace lockscope {

/// What has to be in sight of a server on which somebody may act.
struct ServerStanding
{
    QString name;
    Environment environment = Environment::Unset;
    bool isReadOnly = false;
    /// Of production: so long actions are let through; zero: they are not. Absent: nothing is to be unlocked.
    std::optional<std::chrono::milliseconds> unlockedFor;
    int alerts = 0; ///< that nobody has attended to

    /// "(2) orders — PRODUCTION (read-only)", as the window's title has it; with the number of alerts.
    QString title() const;
};

/// The server's name in the tool bar, with its environment and whether anything can be changed on it: in words, with a tint and a
/// padlock. Where production can be unlocked or locked it is a button, by mouse, keyboard and for assistive technologies.
class ServerLabel : public QWidget
{
    Q_OBJECT

public:
    explicit ServerLabel(QWidget *parent = nullptr);

    void setServer(const ServerStanding &standing);
    bool canTurn() const { return m_standing.unlockedFor.has_value(); }

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

signals:
    void turned(); ///< pressed, where production can be unlocked or locked

protected:
    void mouseReleaseEvent(QMouseEvent *event) override;
    void mouseDoubleClickEvent(QMouseEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    void paintEvent(QPaintEvent *event) override;

private:
    QFont nameFont() const;
    QString badge() const;
    int badgeWidth(const QFontMetrics &metrics) const;
    bool hasPadlock() const;
    StatusColor badgeColor() const;

    ServerStanding m_standing;
    bool m_isDoubleClick = false;
};

} // namespace lockscope
