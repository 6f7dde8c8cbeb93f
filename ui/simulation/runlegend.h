// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/lanes/lanesource.h"

#include <QWidget>

namespace lockscope {

class LegendEntry;

/// What bars, hatching and marks of a run's timeline mean; an entry that is pressed leaves its part out.
class RunLegend : public QWidget
{
    Q_OBJECT

public:
    explicit RunLegend(QWidget *parent = nullptr);

    LaneParts parts() const;

signals:
    void changed();

private:
    QList<LegendEntry *> m_entries;
};

} // namespace lockscope
