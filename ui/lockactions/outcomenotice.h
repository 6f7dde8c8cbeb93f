// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/widgets/banner.h"

#include <QList>

namespace lockscope {

/// What came of actions whose dialogs were closed before the answer. It stays until the user has taken note of it.
class OutcomeNotice : public Banner
{
    Q_OBJECT

public:
    explicit OutcomeNotice(QWidget *parent = nullptr);

    void add(StatusColor statusColor, const QString &outcome);

private:
    void clear();
    void showAll();

    struct Entry
    {
        StatusColor statusColor;
        QString text;
    };
    QList<Entry> m_entries; ///< the last few, the latest first
    int m_more = 0;         ///< before those
};

} // namespace lockscope
