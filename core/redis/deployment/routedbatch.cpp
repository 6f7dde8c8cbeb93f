// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/redis/deployment/routedbatch.h"

#include "core/redis/deployment/commandkey.h"
#include "core/redis/whendone.h"

#include <QRandomGenerator>

#include <algorithm>
#include <map>
#include <utility>

namespace lockscope {

using namespace std::chrono_literals;

namespace {

// What moves or fails over is there again in a moment. Whoever reads comes again by itself.
constexpr auto patienceOfActions = 3s;
constexpr auto patienceOfReads = 300ms;
constexpr auto firstWait = 50ms;
constexpr auto longestWait = 500ms;

Reply errorReply(QByteArray text)
{
    return {Reply::Type::Error, 0, std::move(text), {}};
}

/// In a server's format, to be classified like other errors.
Reply unreachable(const QString &node)
{
    return errorReply("NODEDOWN " + node.toUtf8());
}

bool isTransaction(const CommandBatch &batch)
{
    return batch.size() > 1 && batch.wire(0).contains("\r\nMULTI\r\n");
}

} // namespace

QFuture<RoutedBatch::Answer> RoutedBatch::send(Deployment &deployment, Shard &home, const CommandBatch &batch,
                                               std::chrono::milliseconds patience)
{
    auto *routed = new RoutedBatch(deployment, home, batch,
                                   patience); // NOLINT(cppcoreguidelines-owning-memory): deletes itself
    QFuture<Answer> future = routed->future();
    routed->start();
    return future;
}

RoutedBatch::RoutedBatch(Deployment &deployment, Shard &home, CommandBatch batch,
                         std::chrono::milliseconds patience)
    : PromiseTask(&deployment),
      m_deployment(deployment),
      m_home(&home),
      m_batch(std::move(batch)),
      m_parts(static_cast<size_t>(m_batch.size())),
      m_patienceWithOthers(patience),
      m_patience(m_batch.isReadOnly() ? std::chrono::milliseconds(patienceOfReads) : patienceOfActions)
{
}

RoutedBatch::~RoutedBatch()
{
    finish(failedWith(ErrorKind::OutcomeUnknown, QT_TRANSLATE_NOOP("phrases", "closed")));
}

void RoutedBatch::start()
{
    const bool staysWhole = isTransaction(m_batch);
    ++m_underWay; // so that what is answered at once does not end it
    for (int i = 0; i < m_batch.size(); ++i) {
        const CommandTarget target = targetOf(m_batch.wire(i));
        Part &part = m_parts[static_cast<size_t>(i)];
        part.to = &m_home->m_connection;
        if (staysWhole)
            continue;
        if (target.nodes == CommandTarget::Nodes::All)
            askEverywhere(i);
        else if (Shard *keeper =
                     target.nodes == CommandTarget::Nodes::OfKey ? m_deployment.shardOf(target.key) : nullptr)
            part.to = &keeper->m_connection;
        if (target.nodes == CommandTarget::Nodes::All || part.to != &m_home->m_connection)
            waitForOthers();
    }
    --m_underWay;
    sendRound();
}

void RoutedBatch::waitForOthers()
{
    if (!std::exchange(m_waitsForOthers, true) && m_batch.isReadOnly())
        QTimer::singleShot(m_patienceWithOthers, this, &RoutedBatch::giveUpOthers);
}

void RoutedBatch::giveUpOthers()
{
    if (isFinished())
        return;
    for (const auto &count : m_counts) {
        count->isWhole = count->waitsForAll = false;
        finishCount(*count);
    }
    for (Part &part : m_parts) {
        if (!part.reply && part.to != home())
            part.reply = unreachable(part.to ? part.to->address().toDisplayString() : QString());
    }
    finishIfDone();
}

void RoutedBatch::sendRound()
{
    std::map<Connection *, std::vector<int>> byNode;
    for (int i = 0; i < m_batch.size(); ++i) {
        Part &part = m_parts[static_cast<size_t>(i)];
        const bool isCounted = std::ranges::any_of(
            m_counts, [i](const std::unique_ptr<Count> &count) { return count->index == i; });
        if (part.reply || isCounted)
            continue;
        if (part.to)
            byNode[part.to].push_back(i);
        else
            part.reply = unreachable({});
    }
    m_underWay += static_cast<int>(byNode.size());
    for (const auto &[node, indices] : byNode)
        sendTo(*node, indices);
    if (m_underWay == 0)
        finishRound();
}

void RoutedBatch::sendTo(Connection &node, const std::vector<int> &indices)
{
    whenDecided(node, [this, to = QPointer(&node), indices] {
        if (!to)
            return take(indices, to, tl::unexpected(Error(ErrorKind::NotConnected)));
        CommandBatch batch;
        for (const int index : indices) {
            if (m_parts[static_cast<size_t>(index)].asks)
                batch.add({"ASKING"});
            batch.add(m_batch, index);
        }
        whenDone(this, to->send(batch),
                 [this, to, indices](const Answer &answer) { take(indices, to, answer); });
    });
}

/// A new node is still connecting. Reads do not wait for a lost one.
void RoutedBatch::whenDecided(Connection &node, std::function<void()> then)
{
    const bool mayWait = !m_batch.isReadOnly() || node.lastError() == Error();
    if (node.state() != Link::State::Connecting || !mayWait)
        return then();
    auto *context = new QObject(this); // NOLINT(cppcoreguidelines-owning-memory): a child, of this wait
    const auto decided = [context, then = std::move(then), isOver = std::make_shared<bool>(false)] {
        if (std::exchange(*isOver, true))
            return;
        context->deleteLater();
        then();
    };
    connect(&node, &Link::ready, context, decided);
    connect(&node, &Link::connectionLost, context, decided);
    connect(&node, &Link::connectionRefused, context, decided);
    connect(&node, &Link::closed, context, decided);
    connect(&node, &QObject::destroyed, context, decided);
}

void RoutedBatch::take(const std::vector<int> &indices, const QPointer<Connection> &node,
                       const Answer &answer)
{
    --m_underWay;
    const bool isHome = node && node == home();
    if (!answer && (isHome || !m_batch.isReadOnly()))
        return finish(answer);
    size_t at = 0;
    for (const int index : indices) {
        Part &part = m_parts[static_cast<size_t>(index)];
        at += part.asks ? 1 : 0;
        const size_t place = at++;
        if (part.reply) // given up meanwhile
            continue;
        if (!answer) {
            part.reply = unreachable(node ? node->address().toDisplayString() : QString());
            continue;
        }
        part.reply = (*answer)[place];
        if (part.reply->isError() && follow(part, node))
            part.reply.reset();
    }
    finishRound();
}

/// True if the command was not run and must be sent again.
bool RoutedBatch::follow(Part &part, const Connection *node)
{
    const ErrorKind kind = serverError(part.reply->text).kind;
    if (kind == ErrorKind::TryAgain || (kind == ErrorKind::ClusterDown && !m_batch.isReadOnly())) {
        m_mustWait = !m_patience.hasExpired();
        return m_mustWait;
    }
    const std::optional<Redirection> redirection = Redirection::parse(part.reply->text);
    if (!redirection || !node || part.hops++ >= maxHops)
        return false;
    Connection *to = m_deployment.connectionTo(redirection->to, node->address());
    if (!to)
        return false;
    part.to = to;
    part.asks = redirection->kind == Redirection::Kind::Ask;
    if (!part.asks)
        m_deployment.requestTopology();
    waitForOthers();
    return true;
}

void RoutedBatch::finishRound()
{
    if (isFinished() || finishIfDone() || m_underWay > 0)
        return;
    if (!std::exchange(m_mustWait, false))
        return sendRound();
    const auto longest =
        std::min<std::chrono::milliseconds>(firstWait * (1 << std::min(m_waits++, 8)), longestWait);
    const auto jitter = QRandomGenerator::global()->bounded(static_cast<int>(longest.count()) / 2 + 1);
    QTimer::singleShot(longest / 2 + std::chrono::milliseconds(jitter), this, &RoutedBatch::sendRound);
}

bool RoutedBatch::finishIfDone()
{
    if (!std::ranges::all_of(m_parts, [](const Part &part) { return part.reply.has_value(); }))
        return false;
    std::vector<Reply> replies;
    replies.reserve(m_parts.size());
    for (Part &part : m_parts)
        replies.push_back(std::move(*part.reply));
    finish(std::move(replies));
    return true;
}

void RoutedBatch::askEverywhere(int index)
{
    QList<Connection *> nodes = m_deployment.otherNodes();
    for (Shard *shard : m_deployment.shards())
        nodes.append(&shard->m_connection);
    Count &count = *m_counts.emplace_back(std::make_unique<Count>());
    count.index = index;
    count.isWhole = m_deployment.topology().isWhole;
    count.open = static_cast<int>(nodes.size());
    m_underWay += count.open;
    CommandBatch question;
    question.add(m_batch, index);
    for (Connection *node : nodes) {
        const bool isHome = node == &m_home->m_connection;
        whenDecided(*node, [this, to = QPointer(node), question, isHome, &count] {
            if (!to)
                return takeCount(count, isHome, tl::unexpected(Error(ErrorKind::NotConnected)));
            whenDone(this, to->send(question), [this, isHome, &count](const Answer &answer) {
                takeCount(count, isHome,
                          answer ? Result<Reply>(answer->front()) : tl::unexpected(answer.error()));
            });
        });
    }
}

void RoutedBatch::takeCount(Count &count, bool isHome, const Result<Reply> &reply)
{
    --m_underWay;
    --count.open;
    if (isHome && !reply)
        return finish(tl::unexpected(reply.error()));
    if (isHome)
        count.own = *reply;
    if (!reply || !reply->isArray() || reply->elements.size() % 2 != 0) {
        count.isWhole = false;
    } else {
        const std::vector<Reply> &parts = reply->elements;
        count.sums.resize(std::max(count.sums.size(), parts.size() / 2));
        for (size_t i = 1; i < parts.size(); i += 2)
            count.sums[i / 2] += std::max<qint64>(parts[i].integer, 0);
        if (count.names.size() < parts.size())
            count.names = parts;
    }
    finishCount(count);
    finishRound();
}

/// Finishes when all nodes have answered or, after the timeout, its own node has.
void RoutedBatch::finishCount(const Count &count)
{
    std::optional<Reply> &sum = m_parts[static_cast<size_t>(count.index)].reply;
    if (!sum && (count.open == 0 || (!count.waitsForAll && count.own)))
        sum = sumOf(count);
}

const Connection *RoutedBatch::home() const
{
    return m_home ? &m_home->m_connection : nullptr;
}

/// The reply as from a single node.
Reply RoutedBatch::sumOf(const Count &count)
{
    if (count.own && !count.own->isArray()) // refused
        return *count.own;
    Reply sum{Reply::Type::Array, 0, {}, count.names};
    for (size_t i = 1; i < sum.elements.size(); i += 2) {
        const qint64 total = count.sums[i / 2];
        // Nobody, and not all could be asked: that is not known.
        sum.elements[i] = total > 0 || count.isWhole ? Reply{Reply::Type::Integer, total, {}, {}} : Reply{};
    }
    return sum;
}

} // namespace lockscope
