// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/lanes/lanesource.h"

#include <QWidget>

namespace lockscope {

class LegendEntry;

/// The legend of a run's timeline; clicking an entry hides its part.
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
