// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAction>
#include <QFont>
#include <QList>
#include <QToolBar>

namespace lockscope {

/// A tool bar that shows texts while all buttons fit, otherwise icons. Actions without an icon keep their
/// text, high-priority ones as long as everything fits, and with room for their widestText.
class CommandBar : public QToolBar
{
    Q_OBJECT

public:
    explicit CommandBar(QWidget *parent = nullptr);

    static constexpr const char *widestText = "widestText"; ///< property of high-priority actions

protected:
    bool event(QEvent *event) override;

private:
    void fit();
    void setStyleOfUrgent(Qt::ToolButtonStyle style);

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
