// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/family/certainty.h"
#include "core/model/lock.h"
#include "core/redis/deployment/deployment.h"
#include "core/watch/keynamefilter.h"
#include "core/watch/permissionstatus.h"
#include "core/watch/unlistednames.h"

#include <QObject>

#include <memory>
#include <optional>
#include <vector>

namespace lockscope {

struct SearchProgress
{
    double done = 0; ///< from 0 to 1
    qint64 scanned = 0;
    qint64 keyspace = 0; ///< 0: unknown
    qint64 found = 0;
    qint64 unreadable = 0; ///< keys whose content this login may not read
};

struct SearchResult
{
    bool isComplete = false; ///< every key was read; otherwise it was canceled or failed
    std::optional<Error> error;
    SearchProgress progress;
    PermissionStatus permissions{}; ///< why keys or companion keys could not be read
    /// Keys that may be locks or have another family: their companion keys may not be read.
    qint64 unreadCompanions = 0;
    /// Names that may be locks', but match no default pattern; of a search among all keys.
    UnlistedNames outside{};
};

/// Certain for an orphaned queue, too. Ambiguous: only the content says who may hold it.
inline Certainty certaintyOfFind(const Lock &found)
{
    return found.problems.testFlag(Problem::Orphaned) ? Certainty::Certain : certaintyOf(found);
}

/// Finds locks by their content, whatever their names: scans all keys of a database once and reads each, with
/// companion keys, as a scan reads keys with a lock's name; in a cluster, on all primaries in parallel.
/// Reports certain and likely locks, orphaned queues (Problem::Orphaned, no owners), and ambiguous locks whose
/// content says who holds them; not plain tokens.
/// Started only by the user. Uses at most a share of one core of each server.
class ContentSearch : public QObject
{
    Q_OBJECT

public:
    static constexpr double defaultShare = 0.05;

    explicit ContentSearch(const ServerAddress &address, double share = defaultShare,
                           QObject *parent = nullptr);
    /// Limits the search to these names; before start().
    void setPatterns(const QList<QByteArray> &patterns)
    {
        m_names.setPatterns(patterns);
        m_isOfAll = false;
    }
    ~ContentSearch() override;

    void start() { m_deployment.open(); }
    /// Ends the search at once; results stay valid.
    void cancel();

signals:
    void found(const QList<lockscope::Lock> &locks);
    void progressed(const lockscope::SearchProgress &progress);
    /// Emitted once.
    void ended(const lockscope::SearchResult &end);

private:
    class Part;

    void begin();
    void endIfDone();
    SearchProgress progress() const;
    void end(std::optional<Error> error);

    const double m_share;
    KeyNameFilter m_names{{"*"}};
    const KeyNameFilter m_listed{KeyNameFilter::defaultPatterns()}; ///< names that a list reads
    bool m_isOfAll = true;
    Deployment m_deployment;
    std::vector<std::unique_ptr<Part>> m_parts;
    bool m_hasMoved = false; ///< slots moved to other nodes: keys may have been missed
    bool m_isCanceled = false;
    bool m_hasEnded = false;
};

} // namespace lockscope

Q_DECLARE_METATYPE(lockscope::SearchProgress)
Q_DECLARE_METATYPE(lockscope::SearchResult)
