// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/watchedpatterns.h"

#include "ui/connect/patternsdialog.h"
#include "ui/widgets/dialogs.h"

#include <utility>

namespace lockscope {

namespace {

constexpr char simulatedLocks[] = "sim:*";

} // namespace

WatchedPatterns::WatchedPatterns(QList<QByteArray> own, bool areKept, QObject *parent)
    : QObject(parent), m_own(std::move(own)), m_areKept(areKept)
{
}

QList<QByteArray> WatchedPatterns::all() const
{
    QList<QByteArray> patterns = m_own;
    if (m_haveSimulation && !patterns.contains(simulatedLocks))
        patterns.append(simulatedLocks);
    return patterns;
}

void WatchedPatterns::choose(const QList<QByteArray> &own)
{
    m_own = own;
    emit chosen();
    emit changed();
}

void WatchedPatterns::add(const QList<QByteArray> &patterns)
{
    QList<QByteArray> own = m_own;
    for (const QByteArray &pattern : patterns) {
        if (!own.contains(pattern))
            own.append(pattern);
    }
    choose(own);
}

void WatchedPatterns::setSimulation(bool isWatched)
{
    if (std::exchange(m_haveSimulation, isWatched) != isWatched)
        emit changed();
}

void WatchedPatterns::edit(QWidget *window)
{
    auto *dialog = new PatternsDialog(m_own, m_areKept, window);
    connect(dialog, &PatternsDialog::chosen, this, &WatchedPatterns::choose);
    openDialog(dialog);
}

} // namespace lockscope
