// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/keycommand.h"
#include "core/monitor/contentsearch.h"
#include "core/monitor/patternadvice.h"

#include <QElapsedTimer>
#include <QMap>

namespace lockscope {

/// All locks that are certain or likely, whatever their names, with patterns that would show them. Ctrl-C ends it with what was
/// found until then.
class SearchCommand : public KeyCommand
{
public:
    explicit SearchCommand(Options options);

private:
    void run() override;
    void interrupted() override;
    void showProgress(const SearchProgress &progress);
    void ended(const SearchResult &end);
    QByteArray json(const SearchResult &end) const;
    QString humanText(const SearchResult &end) const;
    QList<PatternAdvice> advice() const;

    ContentSearch m_search;
    QElapsedTimer m_running;
    QMap<LockKey, Lock> m_locks;
};

} // namespace lockscope
