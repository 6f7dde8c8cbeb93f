// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/redis/environment.h"
#include "ui/widgets/palette.h"

#include <QWidget>

#include <chrono>
#include <optional>

namespace lockscope {

struct ServerStanding
{
    QString name;
    Environment environment = Environment::Unset;
    bool isReadOnly = false;
    /// Production only: time until actions are blocked again; zero: blocked. Absent: no unlocking.
    std::optional<std::chrono::milliseconds> unlockedFor;
    int alerts = 0; ///< unacknowledged

    /// Returns the window title "(2) orders — PRODUCTION (read-only)", with the number of alerts.
    QString title() const;
};

/// The server's name in the tool bar, with its environment and read-only state as text, tint and padlock.
/// Where production can be unlocked it is a button for mouse, keyboard and assistive technologies.
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
    void turned(); ///< clicked; emitted only if canTurn()

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
