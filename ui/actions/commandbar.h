// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAction>
#include <QFont>
#include <QList>
#include <QToolBar>

namespace lockscope {

/// A tool bar whose buttons have their texts while all have room, and are icons alone where else some would be out of sight.
/// What has no icon keeps its text, and so does an action of high priority as long as all others are in sight with it.
class CommandBar : public QToolBar
{
    Q_OBJECT

public:
    explicit CommandBar(QWidget *parent = nullptr);

protected:
    bool event(QEvent *event) override;

private:
    void fit();
    void setStyleOfUrgent(Qt::ToolButtonStyle style);

    /// Of what the style depends on; the style changes none of it.
    struct Contents
    {
        int width = 0;
        QStringList texts;
        QList<QAction::Priority> priorities;
        QList<int> widths; ///< of widgets that are no buttons
        QFont font;
        bool operator==(const Contents &) const = default;
    };
    Contents contents() const;

    Contents m_fitted;
};

} // namespace lockscope
