// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/family/certainty.h"
#include "core/model/lock.h"
#include "core/redis/deployment/deployment.h"
#include "core/watch/nominatednames.h"
#include "core/watch/outsidenames.h"
#include "core/watch/permissionstatus.h"

#include <QObject>

#include <memory>
#include <optional>
#include <vector>

namespace lockscope {

/// How far a search has come.
struct SearchProgress
{
    double done = 0;     ///< from 0 to 1
    qint64 scanned = 0;  ///< keys
    qint64 keyspace = 0; ///< 0: not known
    qint64 found = 0;
    qint64 unreadable = 0; ///< keys whose content this login may not read
};

/// How a search ended.
struct SearchResult
{
    bool isComplete = false;    ///< every key was looked at; else it was cancelled, or failed
    std::optional<Error> error; ///< why it failed
    SearchProgress progress;
    PermissionStatus permissions{}; ///< why keys could not be read, and what stands beside others
    /// Keys that may be locks, or of another kind: what stands beside them may not be read.
    qint64 unreadCompanions = 0;
    /// Names that the default patterns do not find, and that may be of locks; of a search among all keys.
    Outside outside{};
};

/// What was found is certainly a lock of its family, or the queue of one; else it is likely one.
inline bool isCertainFind(const Lock &found)
{
    return found.problems.testFlag(Problem::Orphaned) || certaintyOf(found) == Certainty::Certain;
}

/// Finds locks by what they hold, whatever their names: walks once over all keys of a database and reads each, as the
/// scan reads those with a lock's name, with what stands beside it; in a cluster over those of every primary, side by side.
/// Only what is certain or likely is found: a plain token looks like any other text; and queues of fair locks that are gone
/// (Problem::Orphaned, without a holder). Started by the user alone. Keeps to a share of one core of each server.
class ContentSearch : public QObject
{
    Q_OBJECT

public:
    static constexpr double defaultShare = 0.05;

    explicit ContentSearch(const ServerAddress &address, double share = defaultShare,
                           QObject *parent = nullptr);
    /// Before start(): only among keys of these names.
    void setPatterns(const QList<QByteArray> &patterns)
    {
        m_names.setPatterns(patterns);
        m_isOfAll = false;
    }
    ~ContentSearch() override;

    void start() { m_deployment.open(); }
    /// Ends it at once; what was found stays true.
    void cancel();

signals:
    void found(const QList<lockscope::Lock> &locks);
    void progressed(const lockscope::SearchProgress &progress);
    /// Once.
    void ended(const lockscope::SearchResult &end);

private:
    class Part;

    void begin();
    void endIfDone();
    SearchProgress progress() const;
    void end(std::optional<Error> error);

    const double m_share;
    NominatedNames m_names{{"*"}};
    const NominatedNames m_listed{NominatedNames::defaultPatterns()}; ///< that a list reads
    bool m_isOfAll = true;
    Deployment m_deployment;
    std::vector<std::unique_ptr<Part>> m_parts;
    bool m_hasMoved = false; ///< slots went to other nodes meanwhile: keys may have been passed over
    bool m_isCanceled = false;
    bool m_hasEnded = false;
};

} // namespace lockscope

Q_DECLARE_METATYPE(lockscope::SearchProgress)
Q_DECLARE_METATYPE(lockscope::SearchResult)
