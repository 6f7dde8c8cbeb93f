// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/redis/deployment/sentinelview.h"

#include <algorithm>
#include <array>

namespace lockscope {

namespace {

constexpr qsizetype maxServers = 64; // of each kind: more are not believed

QByteArray textOf(const Reply &map, QByteArrayView name)
{
    const Reply *value = valueOf(map, name);
    return value ? value->text : QByteArray();
}

/// Without a host no node can be reached.
std::optional<NodeAddress> addressFrom(const QByteArray &host, const QByteArray &port)
{
    auto address = NodeAddress::from(host, port.toInt());
    return address && !address->host.isEmpty() ? address : std::nullopt;
}

std::optional<NodeAddress> addressIn(const Reply &map)
{
    return addressFrom(textOf(map, "ip"), textOf(map, "port"));
}

std::optional<NodeAddress> addressOf(const Reply &pair)
{
    return pair.elements.size() == 2 ? addressFrom(pair.elements[0].text, pair.elements[1].text)
                                     : std::nullopt;
}

bool hasFlag(const Reply &server, QByteArrayView flag)
{
    return textOf(server, "flags").split(',').contains(flag);
}

bool isUsable(const Reply &replica)
{
    return std::ranges::none_of(std::array<QByteArrayView, 3>{"s_down", "o_down", "disconnected"},
                                [&](QByteArrayView flag) { return hasFlag(replica, flag); }) &&
           textOf(replica, "master-link-status") == "ok";
}

Error makesNoSense()
{
    return {ErrorKind::UnexpectedReply,
            Phrase(QT_TRANSLATE_NOOP("phrases", "unexpected reply to %1"), QByteArray("SENTINEL"))};
}

} // namespace

CommandBatch SentinelView::question(const QByteArray &name)
{
    CommandBatch batch;
    batch.add({"SENTINEL", "GET-MASTER-ADDR-BY-NAME", name}); // for those who may ask nothing else
    batch.add({"SENTINEL", "MASTER", name});
    batch.add({"SENTINEL", "SENTINELS", name});
    batch.add({"SENTINEL", "SLAVES", name}); // the name before 5.0, which all understand
    return batch;
}

Result<SentinelView> SentinelView::parse(std::span<const Reply> replies)
{
    if (replies.size() != 4)
        return tl::unexpected(makesNoSense());
    const Reply &named = replies[0];
    const Reply &master = replies[1];
    if (named.isNil() || (master.isError() && master.text.contains("No such master")))
        return tl::unexpected(Error(ErrorKind::InvalidArgument));
    if (named.isError() && master.isError())
        return tl::unexpected(serverError(master.text));
    const std::optional<NodeAddress> primary = master.isError() ? addressOf(named) : addressIn(master);
    if (!primary)
        return tl::unexpected(makesNoSense());
    SentinelView view;
    view.primary = *primary;
    bool isNumber = false;
    const qint64 epoch = textOf(master, "config-epoch").toLongLong(&isNumber);
    view.epoch = isNumber ? epoch : -1;
    view.isDown = hasFlag(master, "s_down");
    view.isAgreedDown = hasFlag(master, "o_down");
    view.isFailingOver = hasFlag(master, "failover_in_progress");
    for (const Reply &other : replies[2].elements) {
        if (const auto address = addressIn(other); address && view.sentinels.size() < maxServers)
            view.sentinels.append(*address);
    }
    for (const Reply &replica : replies[3].elements) {
        if (const auto address = addressIn(replica); address && view.replicas.size() < maxServers)
            view.replicas.append(
                {*address, lockscope::isUsable(replica), textOf(replica, "slave-repl-offset").toLongLong()});
    }
    return view;
}

std::optional<NodeAddress> primaryIn(const QByteArray &switchMessage, const QByteArray &name)
{
    // "name old-host old-port new-host new-port"
    const QList<QByteArray> words = switchMessage.split(' ');
    if (words.size() != 5 || words[0] != name)
        return std::nullopt;
    return addressFrom(words[3], words[4]);
}

} // namespace lockscope
