// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/verify/historycheck.h"

#include <QHash>

#include <algorithm>

namespace lockscope {

std::vector<OperationEvent>
minimalEvents(std::vector<OperationEvent> events,
              const std::function<bool(const std::vector<OperationEvent> &)> &shows)
{
    // Less shows less: what could not be left out once can't be later, so one pass of each size is enough.
    for (size_t part = std::max<size_t>(events.size() / 2, 1); part > 0; part /= 2) {
        for (size_t at = 0; at < events.size();) {
            std::vector<OperationEvent> fewer(events.begin(), events.begin() + std::ptrdiff_t(at));
            const size_t rest = std::min(at + part, events.size());
            fewer.insert(fewer.end(), events.begin() + std::ptrdiff_t(rest), events.end());
            if (shows(fewer))
                events = std::move(fewer);
            else
                at = rest;
        }
    }
    return events;
}

std::vector<Candidate> weakened(const std::vector<LockOperation> &operations,
                                const std::vector<OperationEvent> &events, qint64 bound)
{
    const qint64 half = (bound + 1) / 2;
    std::vector<bool> hasInvoke(operations.size()), hasEnd(operations.size());
    for (const OperationEvent &event : events)
        (event.isEnd ? hasEnd : hasInvoke)[event.operation] = true;
    std::vector<Candidate> candidates;
    std::vector<size_t> numbers;
    QHash<int, qint64> known; // the last time of each process
    for (size_t i = 0; i < operations.size(); ++i) {
        const LockOperation &operation = operations[i];
        if (operation.outcome == LockOperation::Outcome::Failed)
            continue;
        qint64 &last =
            known.emplace(operation.process, known.value(operation.process, -LockOperation::noEnd)).value();
        if (hasInvoke[i])
            last = operation.invokedAt;
        Candidate candidate{operation, std::max(last - half, -LockOperation::noEnd)};
        candidate.isOrdered = operation.outcome == LockOperation::Outcome::Ok;
        candidate.isRequired = hasEnd[i] && candidate.isOrdered;
        if (candidate.isRequired) {
            last = operation.endedAt;
            candidate.to = operation.endedAt + half;
            candidate.queuedTo = std::min(operation.queuedAt + half, LockOperation::noEnd);
        }
        candidates.push_back(candidate);
        numbers.push_back(i);
    }
    known.clear(); // now the next time of each process
    for (size_t i = candidates.size(); i-- > 0;) {
        Candidate &candidate = candidates[i];
        const LockOperation &operation = candidate.operation;
        qint64 &next =
            known.emplace(operation.process, known.value(operation.process, LockOperation::noEnd)).value();
        if (!candidate.isRequired && candidate.isOrdered)
            candidate.to = std::min(next + half, LockOperation::noEnd);
        if (candidate.isRequired)
            next = operation.endedAt;
        if (hasInvoke[numbers[i]])
            next = operation.invokedAt;
    }
    return candidates;
}

} // namespace lockscope
