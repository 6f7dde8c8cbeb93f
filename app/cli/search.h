// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/command.h"
#include "app/cli/interrupt.h"
#include "core/monitor/deepsearch.h"

#include <QElapsedTimer>
#include <QMap>

namespace lockscope {

/// All locks that content proves, whatever their names, with patterns that would show them. Ctrl-C ends it with what was
/// found until then.
class Search : public Command
{
public:
    explicit Search(Options options);

private:
    void run() override;
    void showProgress(const SearchProgress &progress);
    void ended(const SearchEnd &end);
    void print(const SearchEnd &end);
    QString humanText(const SearchEnd &end) const;
    QList<PatternAdvice> advice() const;

    DeepSearch m_search;
    Interrupt m_interrupt;
    QElapsedTimer m_running;
    QMap<LockKey, Lock> m_locks;
};

} // namespace lockscope
