// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/simulation/workermodel.h"

#include "core/base/printable.h"
#include "core/words/durations.h"
#include "ui/simulation/runtext.h"
#include "ui/widgets/plaintext.h"

#include <algorithm>

namespace lockscope {

void WorkerModel::show(const SimulationSnapshot &snapshot, const QList<QByteArray> &keys)
{
    const qsizetype before = m_workers.size();
    const qsizetype now = snapshot.workers.size();
    m_keys = keys;
    m_elapsed = snapshot.elapsed;
    if (before != now) {
        beginResetModel();
        m_workers = snapshot.workers;
        endResetModel();
        return;
    }
    for (qsizetype row = 0; row < now; ++row) {
        const bool isChanged = m_workers.at(row).state != snapshot.workers.at(row).state;
        m_workers[row] = snapshot.workers.at(row);
        if (isChanged) {
            const QModelIndex cell = index(static_cast<int>(row));
            emit dataChanged(cell, cell);
        }
    }
}

void WorkerModel::clear()
{
    show({}, {});
}

int WorkerModel::countOf(WorkerState state) const
{
    return static_cast<int>(
        std::count_if(m_workers.begin(), m_workers.end(),
                      [state](const WorkerView &worker) { return worker.state == state; }));
}

QString WorkerModel::story(int row) const
{
    const WorkerView &worker = m_workers.at(row);
    const QString state = lookOf(worker.state).word;
    const QString since = shortTime(std::max(microseconds(0), m_elapsed - worker.since), QLocale());
    QString text = worker.lock >= 0 && worker.lock < m_keys.size()
                       ? tr("%1: %2, %3, for %4", "worker: state, lock, time")
                             .arg(workerName(row), state, printable(m_keys.at(worker.lock), 40), since)
                       : tr("%1: %2 for %3", "worker: state, time").arg(workerName(row), state, since);
    if (worker.holds > 1)
        text += tr(", ×%1").arg(worker.holds);
    return text + tr("; acquired %n time(s)", nullptr, static_cast<int>(worker.acquired));
}

int WorkerModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_workers.size());
}

QVariant WorkerModel::data(const QModelIndex &index, int role) const
{
    if (!index.isValid() || !checkIndex(index))
        return {};
    const WorkerState state = m_workers.at(index.row()).state;
    switch (role) {
    case Qt::DisplayRole:
        return workerName(index.row());
    case Qt::AccessibleTextRole:
        return story(index.row());
    case Qt::ToolTipRole:
        return plainToolTip(story(index.row()) + QStringLiteral(". ") + lookOf(state).meaning);
    case StateRole:
        return QVariant::fromValue(static_cast<int>(state));
    default:
        return {};
    }
}

} // namespace lockscope
