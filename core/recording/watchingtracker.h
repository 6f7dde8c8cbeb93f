// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/recording/recorded.h"
#include "core/watch/allread.h"
#include "core/watch/watchsource.h"

namespace lockscope {

/// How well a source's locks are known, of all that it tells of that. On the source's thread.
class WatchingTracker : public QObject
{
    Q_OBJECT

public:
    /// `begin`: what was told before. `source` must outlive this.
    explicit WatchingTracker(const WatchSource &source, Watching begin = {}, QObject *parent = nullptr);

    const Watching &watching() const { return m_watching; }

signals:
    void changed();

private:
    void takeCluster(const ClusterStatus &status);

    Watching m_watching;
    AllRead m_read;
};

} // namespace lockscope
