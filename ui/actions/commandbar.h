// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAction>
#include <QFont>
#include <QList>
#include <QToolBar>

namespace lockscope {

/// A tool bar that shows texts while all buttons fit, otherwise icons. Actions without an icon keep their
/// text, high-priority ones as long as everything fits. A button with text is as wide as its action's
/// widestText, so that a count moves nothing.
class CommandBar : public QToolBar
{
    Q_OBJECT

public:
    explicit CommandBar(QWidget *parent = nullptr);

    /// Name of an action's property: a text for which its button has room.
    static constexpr const char *widestText = "widestText";

protected:
    bool event(QEvent *event) override;

private:
    void fit();
    void setStyleOfUrgent(Qt::ToolButtonStyle style);
    void reserve();

    struct Contents
    {
        int width = 0;
        QStringList texts;
        QList<QAction::Priority> priorities;
        QList<int> widths; ///< widgets other than buttons
        QFont font;
        bool operator==(const Contents &) const = default;
    };
    Contents contents() const;

    Contents m_fitted;
};

} // namespace lockscope
