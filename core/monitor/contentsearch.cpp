// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/monitor/contentsearch.h"

#include "core/family/certainty.h"
#include "core/monitor/nodesearch.h"

#include <algorithm>
#include <utility>

namespace lockscope {

bool isCertainFind(const Lock &found)
{
    return found.problems.testFlag(Problem::Orphaned) || certaintyOf(found) == Certainty::Certain;
}

/// What is searched of one server.
struct ContentSearch::Part
{
    Part(Shard &shard, double share) : search(shard, share, nullptr) {}

    NodeSearch search;
    SearchProgress progress;
    std::optional<SearchResult> end;
};

ContentSearch::ContentSearch(const ServerAddress &address, double share, QObject *parent)
    : QObject(parent),
      m_share(share),
      m_deployment(address, {.clientName = "lockscope-search", .readOnly = true, .reconnect = false}, this)
{
    Link &link = m_deployment.link();
    connect(&link, &Link::ready, this, &ContentSearch::begin);
    connect(&link, &Link::connectionRefused, this, [this](const Error &why) {
        if (m_parts.empty()) // else its part tells
            end(why);
    });
}

ContentSearch::~ContentSearch()
{
    m_hasEnded = true;
    m_parts.clear();
}

void ContentSearch::start()
{
    m_deployment.open();
}

void ContentSearch::cancel()
{
    m_isCanceled = true;
    if (m_parts.empty())
        return end(std::nullopt);
    for (size_t i = 0; i < m_parts.size(); ++i)
        m_parts[i]->search.cancel();
}

/// Every node has answered, or failed.
void ContentSearch::begin()
{
    if (m_hasEnded || !m_parts.empty())
        return;
    const QList<Shard *> shards = m_deployment.shards();
    for (Shard *shard : shards)
        addPart(*shard);
    connect(&m_deployment, &Deployment::shardsChanged, this, [this] { m_hasMoved = true; });
    for (size_t i = 0; i < m_parts.size() && !m_hasEnded; ++i)
        m_parts[i]->search.start();
}

void ContentSearch::addPart(Shard &shard)
{
    Part &part = *m_parts.emplace_back(std::make_unique<Part>(shard, m_share));
    part.search.setPatterns(m_patterns);
    connect(&part.search, &NodeSearch::found, this, &ContentSearch::found);
    connect(&part.search, &NodeSearch::progressed, this, [this, &part](const SearchProgress &progress) {
        part.progress = progress;
        emit progressed(this->progress());
    });
    connect(&part.search, &NodeSearch::ended, this,
            [this, &part](const SearchResult &end) { partEnded(part, end); });
}

SearchProgress ContentSearch::progress() const
{
    SearchProgress all;
    for (const auto &part : m_parts) {
        all.done += part->progress.done / static_cast<double>(m_parts.size());
        all.scanned += part->progress.scanned;
        all.keyspace += part->progress.keyspace;
        all.found += part->progress.found;
        all.unreadable += part->progress.unreadable;
    }
    return all;
}

void ContentSearch::partEnded(Part &part, const SearchResult &ended)
{
    part.end = ended;
    part.progress = ended.progress;
    if (std::ranges::all_of(m_parts, [](const auto &each) { return each->end.has_value(); }))
        end(std::nullopt);
}

void ContentSearch::end(std::optional<Error> error)
{
    if (std::exchange(m_hasEnded, true))
        return;
    SearchResult result;
    result.error = std::move(error);
    result.progress = progress();
    result.isComplete = !result.error && !m_isCanceled && !m_hasMoved;
    for (const auto &part : m_parts) {
        result.isComplete = result.isComplete && part->end->isComplete;
        if (!result.error)
            result.error = part->end->error;
        result.permissions.add(part->end->permissions);
        result.unreadCompanions += part->end->unreadCompanions;
    }
    emit this->ended(result);
    // Not from within one of its own signals.
    QMetaObject::invokeMethod(&m_deployment, &Deployment::close, Qt::QueuedConnection);
}

} // namespace lockscope
