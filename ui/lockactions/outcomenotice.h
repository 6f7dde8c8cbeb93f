// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/widgets/banner.h"

#include <QList>
#include <QTimer>

#include <functional>

namespace lockscope {

/// What came of actions that had no dialog, or whose dialogs were closed before the answer. It stays until the user has taken note
/// of it; only what went well without a dialog goes by itself, after a time in which it can be undone.
class OutcomeNotice : public Banner
{
    Q_OBJECT

public:
    explicit OutcomeNotice(QWidget *parent = nullptr);

    void add(StatusColor statusColor, const QString &outcome);
    /// `undo`: empty where there is no way back. Offered for the last one alone.
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
    QList<Entry> m_entries; ///< the last few, the latest first
    int m_more = 0;         ///< before those
    std::function<void()> m_undo;
    QTimer m_passing;
};

} // namespace lockscope
