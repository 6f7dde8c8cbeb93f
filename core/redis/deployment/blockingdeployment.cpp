// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/redis/deployment/blockingdeployment.h"

#include "core/redis/deployment/commandkey.h"
#include "core/redis/deployment/reachableaddress.h"
#include "core/redis/deployment/redirection.h"
#include "core/redis/deployment/sentinelview.h"

#include <algorithm>
#include <map>
#include <thread>
#include <utility>

namespace lockscope {

using namespace std::chrono_literals;
using SteadyClock = std::chrono::steady_clock;
using Replies = std::vector<Reply>;

namespace {

constexpr int maxHops = 5;
constexpr auto sentinelDeadline = 500ms; // each: the others are asked, too
constexpr auto pause = 25ms;             // what moves or fails over is looked for again

/// True for temporary errors: the command was not run.
bool isPassing(const Reply &reply)
{
    const ErrorKind kind = reply.isError() ? serverError(reply.text).kind : ErrorKind::ServerError;
    return kind == ErrorKind::TryAgain || kind == ErrorKind::ClusterDown;
}

} // namespace

BlockingDeployment::BlockingDeployment(const ServerAddress &address, const Options &options,
                                       std::stop_token stop)
    : BlockingConnection(address, options, stop),
      m_given(address),
      m_nodeOptions(options),
      m_stopping(std::move(stop))
{
    m_keepers.fill(-1);
}

/// Opens the latest choice of any Sentinel, if that server confirms its role.
Result<void> BlockingDeployment::openNamed()
{
    std::optional<SentinelView> best;
    ServerAddress teller;
    Error why(ErrorKind::SentinelNotReached);
    for (const NodeAddress &node : m_given.sentinels) {
        const ServerAddress at = m_given.sentinel(node);
        BlockingConnection sentinel(at,
                                    {.clientName = m_nodeOptions.clientName,
                                     .connectDeadline = sentinelDeadline,
                                     .commandDeadline = sentinelDeadline,
                                     .expectsSentinel = true},
                                    m_stopping);
        if (const Result<void> opened = sentinel.open(); !opened) {
            why = Error(requiresUserAction(opened.error().kind) ? opened.error().kind
                                                                : ErrorKind::SentinelNotReached,
                        opened.error());
            continue;
        }
        const Result<Replies> replies = sentinel.send(SentinelView::question(m_given.primaryName.toUtf8()));
        const Result<SentinelView> view =
            replies ? SentinelView::parse(*replies) : tl::unexpected(replies.error());
        if (!view)
            why = view.error().kind != ErrorKind::InvalidArgument
                      ? view.error()
                      : Error(ErrorKind::InvalidArgument,
                              Phrase(QT_TRANSLATE_NOOP("phrases", "The Sentinel at %1 does not know %2."),
                                     at.toDisplayString(), m_given.primaryName));
        else if (!best || view->epoch > best->epoch) {
            best = *view;
            teller = at;
        }
    }
    if (!best)
        return tl::unexpected(why);
    moveTo(reachableAddress(best->primary, m_given, teller));
    if (Result<void> opened = BlockingConnection::open(); !opened)
        return opened;
    if (!server().isReplica())
        return {};
    close();
    return failedWith(ErrorKind::NotConnected, QT_TRANSLATE_NOOP("phrases", "%1 is a replica"),
                      address().toDisplayString());
}

Result<void> BlockingDeployment::open()
{
    close();
    if (m_given.isBySentinels())
        return openNamed();
    moveTo(m_given);
    Result<void> opened = BlockingConnection::open();
    for (qsizetype i = 0; i < m_nodes.size() && !opened && !requiresUserAction(opened.error().kind); ++i) {
        moveTo(m_nodes[i]);
        opened = BlockingConnection::open();
    }
    if (!opened)
        return opened;
    m_isCluster = server().mode == "cluster";
    return m_isCluster ? learn() : opened;
}

void BlockingDeployment::close()
{
    for (const auto &[name, node] : m_others)
        m_commandsOfOthers += node->commands();
    m_others.clear();
    m_losesNext = false;
    BlockingConnection::close();
}

ServerAddress BlockingDeployment::addressOf(const NodeAddress &node) const
{
    return reachableAddress(node, m_given, address());
}

Result<void> BlockingDeployment::learn()
{
    CommandBatch question;
    question.add({"CLUSTER", "SLOTS"});
    question.add({"CLUSTER", "INFO"});
    const Result<Replies> replies = BlockingConnection::send(question);
    if (!replies)
        return tl::unexpected(replies.error());
    const Result<ClusterTopology> topology = ClusterTopology::parse((*replies)[0], (*replies)[1]);
    if (!topology)
        return tl::unexpected(topology.error());
    m_nodes.clear();
    for (const ClusterShard &shard : topology->shards) {
        for (size_t slot = 0; slot < slotCount; ++slot) {
            if (shard.slotSet.test(slot))
                m_keepers[slot] = static_cast<qint16>(m_nodes.size());
        }
        m_nodes.append(addressOf(shard.primary.address));
    }
    return {};
}

/// nullptr: not reachable now, perhaps during a failover.
BlockingConnection *BlockingDeployment::nodeAt(const ServerAddress &node)
{
    if (node == address())
        return BlockingConnection::isOpen() ? this : nullptr;
    std::unique_ptr<BlockingConnection> &other = m_others[node.toDisplayString()];
    if (!other)
        other = std::make_unique<BlockingConnection>(node, m_nodeOptions, m_stopping);
    return other->isOpen() || other->open() ? other.get() : nullptr;
}

ServerAddress BlockingDeployment::keeperOf(QByteArrayView command) const
{
    const CommandTarget target = targetOf(command);
    const int keeper =
        target.nodes == CommandTarget::Nodes::OfKey ? m_keepers[static_cast<size_t>(slotOf(target.key))] : -1;
    return keeper >= 0 && keeper < m_nodes.size() ? m_nodes[keeper] : address();
}

Result<Replies> BlockingDeployment::send(const CommandBatch &batch)
{
    if (!m_isCluster || !BlockingConnection::isOpen())
        return BlockingConnection::send(batch);
    const TimePoint deadline = SteadyClock::now() + m_nodeOptions.commandDeadline;
    std::vector<std::optional<Reply>> replies(static_cast<size_t>(batch.size()));
    for (int hops = 0;;) {
        std::map<QString, std::pair<ServerAddress, Places>> byNode;
        for (int i = 0; i < batch.size(); ++i) {
            if (replies[static_cast<size_t>(i)])
                continue;
            const ServerAddress keeper = keeperOf(batch.wire(i));
            auto &group = byNode[keeper.toDisplayString()];
            group.first = keeper;
            group.second.push_back(i);
        }
        if (byNode.empty())
            break;
        bool mustWait = false;
        const auto isAnswered = [](const std::optional<Reply> &reply) { return reply.has_value(); };
        for (const auto &[name, group] : byNode) {
            const Result<void> sent = sendTo(group.first, batch, group.second, replies);
            if (!sent && sent.error().kind != ErrorKind::NotConnected)
                return tl::unexpected(sent.error());
            mustWait = mustWait || !sent;
        }
        for (int i = 0; i < batch.size(); ++i) {
            std::optional<Reply> &reply = replies[static_cast<size_t>(i)];
            if (!reply || !reply->isError())
                continue;
            if (isPassing(*reply) && SteadyClock::now() < deadline) {
                reply.reset();
                mustWait = true;
            } else if (hops < maxHops * batch.size() && Redirection::parse(reply->text)) {
                ++hops;
                if (const Result<void> followed = follow(batch, i, reply); !followed)
                    return tl::unexpected(followed.error());
            }
        }
        if (!mustWait)
            continue;
        if (!waitABit(deadline))
            return tl::unexpected(Error(std::ranges::any_of(replies, isAnswered) ? ErrorKind::OutcomeUnknown
                                                                                 : ErrorKind::NotConnected,
                                        Phrase(QT_TRANSLATE_NOOP("phrases", "no answer in time"))));
        if (const Result<void> learned = learn(); !learned && !BlockingConnection::isOpen()) {
            if (const Result<void> opened = open(); !opened)
                return tl::unexpected(Error(std::ranges::any_of(replies, isAnswered)
                                                ? ErrorKind::OutcomeUnknown
                                                : ErrorKind::NotConnected,
                                            opened.error()));
        }
    }
    Replies all;
    all.reserve(replies.size());
    for (std::optional<Reply> &reply : replies)
        all.push_back(std::move(*reply));
    return all;
}

Result<void> BlockingDeployment::sendTo(const ServerAddress &to, const CommandBatch &batch,
                                        const Places &places, std::vector<std::optional<Reply>> &replies)
{
    BlockingConnection *node = nodeAt(to);
    if (!node)
        return tl::unexpected(Error(ErrorKind::NotConnected));
    CommandBatch part;
    for (const int place : places)
        part.add(batch, place);
    if (std::exchange(m_losesNext, false))
        node == this ? BlockingConnection::dropNextReply() : node->dropNextReply();
    Result<Replies> answers = node == this ? BlockingConnection::send(part) : node->send(part);
    if (!answers) {
        if (answers.error().kind == ErrorKind::OutcomeUnknown)
            close(); // as a lost connection, whichever of them it was
        return tl::unexpected(answers.error());
    }
    for (size_t i = 0; i < places.size(); ++i)
        replies[static_cast<size_t>(places[i])] = std::move((*answers)[i]);
    return {};
}

/// MOVED: sends to the named node from now on. ASK: sends there once.
Result<void> BlockingDeployment::follow(const CommandBatch &batch, int place, std::optional<Reply> &reply)
{
    const std::optional<Redirection> redirection = Redirection::parse(reply->text);
    if (!redirection)
        return {};
    const ServerAddress to = addressOf(redirection->to);
    if (redirection->kind == Redirection::Kind::Moved) {
        if (!m_nodes.contains(to))
            m_nodes.append(to);
        m_keepers[static_cast<size_t>(redirection->slot)] = static_cast<qint16>(m_nodes.indexOf(to));
        reply.reset();
        return {};
    }
    BlockingConnection *node = nodeAt(to);
    if (!node)
        return {}; // the answer stands: it was not run
    CommandBatch asking;
    asking.add({"ASKING"});
    asking.add(batch, place);
    Result<Replies> answers = node == this ? BlockingConnection::send(asking) : node->send(asking);
    if (!answers)
        return tl::unexpected(answers.error());
    reply = std::move(answers->back());
    return {};
}

bool BlockingDeployment::waitABit(TimePoint deadline) const
{
    if (SteadyClock::now() >= deadline || m_stopping.stop_requested())
        return false;
    std::this_thread::sleep_for(pause);
    return true;
}

qint64 BlockingDeployment::commands() const
{
    qint64 all = BlockingConnection::commands() + m_commandsOfOthers;
    for (const auto &[name, node] : m_others)
        all += node->commands();
    return all;
}

void BlockingDeployment::dropNextReply()
{
    m_isCluster ? void(m_losesNext = true) : BlockingConnection::dropNextReply();
}

} // namespace lockscope
