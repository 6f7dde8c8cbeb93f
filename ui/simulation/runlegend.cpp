// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/simulation/runlegend.h"

#include "core/words/texts.h"
#include "ui/lanes/legendentry.h"

#include <QHBoxLayout>

namespace lockscope {

RunLegend::RunLegend(QWidget *parent) : QWidget(parent)
{
    auto *line = new QHBoxLayout(this);
    line->setContentsMargins(0, 0, 0, 0);
    line->setSpacing(2);
    const auto add = [&](LanePart part, const QString &word, const QString &meaning) {
        auto *entry = new LegendEntry(part, word, meaning, this);
        connect(entry, &LegendEntry::toggled, this, &RunLegend::changed);
        m_entries.append(entry);
        line->addWidget(entry);
    };
    add(LanePart::Holds, tr("Holding"),
        tr("Top lane: as the referee saw it. Below: as the worker believes. Other colors: paused, crashed, "
           "disconnected."));
    add(LanePart::Waits, tr("Waiting"), tr("Waiting for a lock; each line is a refused attempt."));
    add(LanePart::Overlaps, tr("Overlap"), tr("More than one worker is in the critical section."));
    add(LanePart::Leases, Texts::tr("Lease"), tr("Time left, as the worker knows it."));
    add(LanePart::Renewals, tr("Renewed"), tr("The lease was renewed."));
    add(LanePart::Messages, tr("Wake-up"),
        tr("From a release to the worker that it woke; zoom in if hidden."));
    add(LanePart::Endings, Texts::tr("Events"),
        tr("Cross: crash. Hourglass: lease expired (gray: worker gone). Open padlock: lock gone. Clock: "
           "timed out. Dash: refused. Bolt: foreign release. Triangle: stale write. Octagon: overlap. "
           "Infinity: no expiry."));
}

LaneParts RunLegend::parts() const
{
    LaneParts parts = LanePart::Unknown;
    for (const LegendEntry *entry : m_entries)
        parts.setFlag(entry->part(), entry->isChecked());
    return parts;
}

} // namespace lockscope
