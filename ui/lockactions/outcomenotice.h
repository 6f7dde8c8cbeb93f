// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/widgets/banner.h"

#include <QList>
#include <QTimer>

#include <functional>

namespace lockscope {

/// Outcomes of actions without a dialog, or whose dialog was closed. Stays until dismissed; successful
/// actions without a dialog disappear after passingTime.
class OutcomeNotice : public Banner
{
    Q_OBJECT

public:
    explicit OutcomeNotice(QWidget *parent = nullptr);

    void add(StatusColor statusColor, const QString &outcome);
    /// `undo` is empty if impossible; offered for the last outcome only.
    void addPassing(StatusColor statusColor, const QString &outcome, const std::function<void()> &undo);

    static constexpr std::chrono::seconds passingTime{20};

private:
    void clear();
    void showAll();

    struct Entry
    {
        StatusColor statusColor;
        QString text;
        bool isPassing = false;
    };
    QList<Entry> m_entries; ///< latest first
    int m_more = 0;         ///< number of older outcomes
    std::function<void()> m_undo;
    QTimer m_passing;
};

} // namespace lockscope
