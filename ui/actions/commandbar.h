// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAction>
#include <QFont>
#include <QList>
#include <QToolBar>

class QToolButton;

namespace lockscope {

/// A tool bar of words beside icons. Commands that do not fit, the last ones first, are in the menu of a button
/// at its end.
class CommandBar : public QToolBar
{
    Q_OBJECT

public:
    explicit CommandBar(QWidget *parent = nullptr);

    /// Property of an action whose text changes: the widest it gets, for which there is room from the start.
    static constexpr const char *widestText = "widestText";

    /// Adds the button for the rest; call after all commands.
    void addMore();

protected:
    bool event(QEvent *event) override;

private:
    void fit();
    void reserve();

    struct Contents
    {
        int width = 0;
        QStringList texts;
        QList<int> widths; ///< widgets other than buttons
        QFont font;
        bool operator==(const Contents &) const = default;
    };
    Contents contents() const;

    QMenu *m_rest = nullptr;
    QAction *m_more = nullptr;
    Contents m_fitted;
};

} // namespace lockscope
