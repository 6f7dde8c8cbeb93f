// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/redis/deployment/sentinelwatch.h"

#include "core/redis/deployment/reachableaddress.h"
#include "core/redis/whendone.h"

#include <algorithm>

namespace lockscope {

using namespace std::chrono_literals;
using std::chrono::milliseconds;

namespace {

constexpr auto patience = 300ms; // with those that have not answered, where others have
constexpr auto questionDeadline = 1s;
constexpr auto olderBelievedAfter = 10s;
constexpr size_t maxSentinels = 32;
constexpr qsizetype maxNames = 5;

} // namespace

/// One Sentinel with two connections, since a subscribed one cannot ask.
struct SentinelWatch::Node
{
    Node(const ServerAddress &at, const Connection::Options &toAsk, const Connection::Options &toHear)
        : questions(at, toAsk), events(at, toHear)
    {
    }

    Connection questions;
    Connection events;
    std::optional<Result<SentinelView>> answer;
    int asked = 0; ///< in this or an earlier round
};

SentinelWatch::SentinelWatch(const ServerAddress &given, const Connection::Options &options, QObject *parent)
    : QObject(parent),
      m_given(given),
      m_name(given.primaryName.toUtf8()),
      m_options(options),
      m_patience(this)
{
    m_patience.setSingleShot(true);
    connect(&m_patience, &QTimer::timeout, this, [this] { settle(true); });
    for (const NodeAddress &node : given.sentinels)
        add(given.sentinel(node));
}

SentinelWatch::~SentinelWatch()
{
    m_isOpen = m_isAsking = false; // what is still under way may end now
    for (const auto &node : m_nodes) {
        node->questions.disconnect(this);
        node->events.disconnect(this);
    }
}

void SentinelWatch::add(const ServerAddress &address)
{
    Connection::Options toAsk = m_options;
    toAsk.clientName += ":sentinel";
    toAsk.commandDeadline = questionDeadline;
    toAsk.readOnly = true;
    toAsk.expectsSentinel = true;
    Connection::Options toHear = toAsk;
    toHear.acceptsPush = true;
    Node *node = m_nodes.emplace_back(std::make_unique<Node>(address, toAsk, toHear)).get();
    node->questions.setParent(this); // so that they move to another thread with us
    node->events.setParent(this);
    connect(&node->questions, &Link::ready, this, [this, node] {
        if (m_isAsking)
            askNode(*node);
        else
            ask();
    });
    const auto lost = [this] { settle(false); };
    connect(&node->questions, &Link::connectionLost, this, lost);
    connect(&node->questions, &Link::connectionRefused, this, lost);
    connect(&node->events, &Link::ready, this, [this, node] { listen(*node); });
    connect(&node->events, &Connection::pushReceived, this, [this, node](const Reply &message) {
        if (message.elements.size() != 3 || message.elements[1].text != switchChannel)
            return;
        if (const auto primary = primaryIn(message.elements[2].text, m_name))
            emit switched(*primary, node->events.address());
        ask();
    });
    m_status.known = static_cast<int>(m_nodes.size());
    if (m_isOpen) {
        node->questions.open();
        node->events.open();
    }
}

void SentinelWatch::listen(Node &node)
{
    whenDone(this, node.events.send({"SUBSCRIBE", switchChannel}), [this](const Result<Reply> &subscribed) {
        if (subscribed) // it may have told before
            ask();
    });
}

void SentinelWatch::open()
{
    m_isOpen = true;
    for (const auto &node : m_nodes) {
        node->questions.open();
        if (m_options.reconnect) // else nobody stays to hear
            node->events.open();
    }
    ask();
}

void SentinelWatch::close()
{
    m_isOpen = false;
    m_isAsking = m_asksAgain = false;
    m_patience.stop();
    for (const auto &node : m_nodes) {
        node->questions.close();
        node->events.close();
    }
}

void SentinelWatch::retryNow()
{
    for (const auto &node : m_nodes) {
        node->questions.retryNow();
        node->events.retryNow();
    }
    m_epoch = -1; // whoever asks for it has looked, and takes what there is
    open();
}

void SentinelWatch::ask()
{
    if (!m_isOpen)
        return;
    if (m_isAsking) {
        m_asksAgain = true;
        return;
    }
    m_isAsking = true;
    m_asksAgain = false;
    ++m_round;
    for (const auto &node : m_nodes) {
        node->answer.reset();
        if (node->questions.state() == Link::State::Ready)
            askNode(*node);
    }
    m_patience.start(patience);
    // Whoever asks is not answered before it has asked.
    QMetaObject::invokeMethod(
        this, [this] { settle(false); }, Qt::QueuedConnection);
}

void SentinelWatch::askNode(Node &node)
{
    node.asked = m_round;
    whenDone(this, node.questions.send(SentinelView::question(m_name)),
             [this, &node, round = m_round](const Result<std::vector<Reply>> &replies) {
                 if (round != m_round || !m_isAsking)
                     return;
                 node.answer = replies ? SentinelView::parse(*replies)
                                       : Result<SentinelView>(tl::unexpected(replies.error()));
                 settle(false);
             });
}

void SentinelWatch::settle(bool isPatienceOver)
{
    if (!m_isAsking)
        return;
    bool isWaiting = false;
    bool hasView = false;
    for (const auto &node : m_nodes) {
        const Link::State state = node->questions.state();
        hasView = hasView || (node->answer && node->answer->has_value());
        isWaiting =
            isWaiting || (!node->answer && (state == Link::State::Ready || state == Link::State::Connecting));
    }
    const bool mayWait = !hasView || (!isPatienceOver && m_patience.isActive());
    if (!isWaiting || !mayWait)
        finishRound();
}

void SentinelWatch::finishRound()
{
    m_isAsking = false;
    m_patience.stop();
    if (m_asksAgain)
        return ask();
    const Node *best = nullptr;
    m_status.answering = 0;
    for (const auto &node : m_nodes) {
        if (!node->answer || !*node->answer)
            continue;
        ++m_status.answering;
        if (!best || (**node->answer).epoch > (**best->answer).epoch)
            best = node.get();
    }
    if (!best)
        return fail();
    const SentinelView view = **best->answer;
    const ServerAddress teller = best->questions.address();
    m_status.isDown = view.isDown;
    m_status.isFailingOver = view.isFailingOver;
    if (isOutdated(view)) {
        emit failed({ErrorKind::SentinelNotReached,
                     Phrase(QT_TRANSLATE_NOOP(
                         "phrases", "the Sentinels that answer do not know of the last failover"))});
        return;
    }
    if (view.epoch >= 0)
        m_epoch = view.epoch;
    learnOthers(view, teller);
    emit decided(view, teller);
}

/// False if most Sentinels have agreed on it for a while: the group may have been set up again.
bool SentinelWatch::isOutdated(const SentinelView &view)
{
    if (view.epoch < 0 || view.epoch >= m_epoch) {
        m_olderSince.invalidate();
        return false;
    }
    const auto agreeing = std::ranges::count_if(m_nodes, [&](const auto &node) {
        return node->answer && *node->answer && (**node->answer).primary == view.primary;
    });
    if (static_cast<size_t>(agreeing) * 2 <= m_nodes.size())
        m_olderSince.invalidate();
    else if (!m_olderSince.isValid())
        m_olderSince.start();
    return !m_olderSince.isValid() || !m_olderSince.hasExpired(milliseconds(olderBelievedAfter).count());
}

void SentinelWatch::learnOthers(const SentinelView &view, const ServerAddress &teller)
{
    for (const NodeAddress &other : view.sentinels) {
        const ServerAddress named = m_given.sentinel(other);
        const ServerAddress address = reachableAddress(other, named, teller);
        const bool isKnown = std::ranges::any_of(
            m_nodes, [&](const auto &node) { return node->questions.address() == address; });
        if (!isKnown && m_nodes.size() < maxSentinels && m_options.reconnect)
            add(address);
    }
}

/// Reports the error that the user can best fix.
void SentinelWatch::fail()
{
    for (const auto &node : m_nodes) {
        if (node->answer && !*node->answer && node->answer->error().kind == ErrorKind::InvalidArgument)
            return failUnknownName(*node);
    }
    QStringList names;
    Error cause;
    for (const auto &node : m_nodes) {
        const QString name = node->questions.address().toDisplayString();
        const Error why = node->answer ? node->answer->error() : node->questions.lastError();
        names.append(name);
        switch (why.kind) {
        case ErrorKind::InvalidArgument:
            emit failed(why);
            return;
        case ErrorKind::AuthRequired:
            emit failed({ErrorKind::SentinelRefused,
                         Phrase(QT_TRANSLATE_NOOP("phrases",
                                                  "The Sentinel at %1 requires a password. Use "
                                                  "--sentinel-askpass, LOCKSCOPE_SENTINEL_AUTH or the form."),
                                name)});
            return;
        case ErrorKind::WrongPassword:
            emit failed({ErrorKind::SentinelRefused,
                         Phrase(QT_TRANSLATE_NOOP(
                                    "phrases",
                                    "The Sentinel at %1 refused its own user name or password. Check both."),
                                name)});
            return;
        case ErrorKind::NoPermission:
            emit failed({ErrorKind::SentinelRefused,
                         Phrase(QT_TRANSLATE_NOOP("phrases", "This user may not query the Sentinel at %1. "
                                                             "Request +sentinel|master there. It said: “%2”"),
                                name, why.detail)});
            return;
        default:
            cause = why;
        }
    }
    const QString all = names.join(QStringLiteral(", "));
    emit failed({ErrorKind::SentinelNotReached,
                 cause.hasReason() ? Phrase("%1: %2", all, cause.because()) : Phrase("%1", all)});
}

/// It answers, but with other names.
void SentinelWatch::failUnknownName(Node &node)
{
    whenDone(
        this, node.questions.send({"SENTINEL", "MASTERS"}),
        [this, at = node.questions.address().toDisplayString()](const Result<Reply> &masters) {
            if (!m_isOpen)
                return;
            QStringList names;
            for (const Reply &master : masters ? masters->elements : std::vector<Reply>()) {
                if (master.elements.size() > 1 && master.elements[0].text == "name")
                    names.append(QString::fromUtf8(master.elements[1].text));
            }
            const QString told = names.first(std::min(maxNames, names.size())).join(QStringLiteral(", ")) +
                                 (names.size() > maxNames ? QStringLiteral(", …") : QString());
            emit failed({ErrorKind::InvalidArgument,
                         names.isEmpty()
                             ? Phrase(QT_TRANSLATE_NOOP("phrases", "The Sentinel at %1 does not know %2."),
                                      at, m_given.primaryName)
                             : Phrase(QT_TRANSLATE_NOOP("phrases",
                                                        "The Sentinel at %1 does not know %2. It knows: %3."),
                                      at, m_given.primaryName, told)});
        });
}

} // namespace lockscope
