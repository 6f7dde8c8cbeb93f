// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/redis/serveraddress.h"

#include <QByteArray>

#include <chrono>
#include <memory>

namespace lockscope {

/// Stands between clients and a real server, on a free loopback port and a thread of its own, and does to their bytes what
/// networks and bad servers do: to one command (strike), to all that flows (weather), or to every connection at once.
///
///     FaultProxy proxy(server.socketAddress());
///     proxy.strike("EVALSHA", {.kind = FaultProxy::Strike::CutReply, .at = 7});
///     Connection connection(proxy.address());       // the seventh byte of the next EVALSHA's reply is its last
///     proxy.setWeather({.delay = 50ms, .jitter = 20ms});
///     proxy.cutAll(FaultProxy::Cut::Reset);
///
/// It knows commands and replies by their framing, which it reads itself; bytes that are none of both pass as they are.
class FaultProxy
{
public:
    /// `server`: by TCP or a Unix socket; it need not be there yet. A client whose server can't be reached is reset.
    explicit FaultProxy(const ServerAddress &server);
    ~FaultProxy();
    FaultProxy(const FaultProxy &) = delete;
    FaultProxy &operator=(const FaultProxy &) = delete;

    ServerAddress address() const; ///< 127.0.0.1 and the port

    /// What happens to one command and its reply.
    struct Strike
    {
        enum Kind {
            Watch,          ///< nothing: only struck() is told how long they are
            CutRequest,     ///< the server gets the first `at` bytes, then both connections end
            CutReply,       ///< the server gets all of it, the client the first `at` bytes of the reply
            CorruptRequest, ///< byte `at` is changed by `mask`
            CorruptReply,
            Forge,     ///< the server carries it out, the client gets `bytes` instead
            Duplicate, ///< the client gets the reply twice
        };
        Kind kind = Watch;
        qsizetype at = 0;
        char mask = 1;      ///< XOR
        QByteArray bytes{}; ///< Forge
        bool reset = false; ///< RST where a connection is cut, not FIN
    };
    /// For the next command whose first word this is, on whatever connection.
    void strike(const QByteArray &word, const Strike &strike);
    /// What the last strike met: the lengths of the command and, once it was answered, of the reply; 0: not met.
    struct Struck
    {
        qsizetype requestBytes = 0;
        qsizetype replyBytes = 0;
    };
    Struck struck() const;

    /// What all bytes suffer, both ways, until it changes.
    struct Weather
    {
        std::chrono::milliseconds delay{0};
        std::chrono::milliseconds jitter{0}; ///< up to so much more, at random; order is kept
        int bytesPerSecond = 0;              ///< of each connection, each way; 0: no limit
        bool blackHole = false;              ///< nothing moves, nobody is told; new connections get no answer
        bool refuses = false;                ///< new connections are refused
    };
    void setWeather(const Weather &weather);

    enum class Cut {
        End,   ///< FIN, both ways
        Half,  ///< FIN to the client alone, which is still read
        Reset, ///< RST
    };
    void cutAll(Cut how);
    /// The next bytes that a server sends on each connection that is open now: one of them is changed.
    void corruptNext(char mask = 0x10);
    /// The next bytes that a server sends on each connection that is open now come twice.
    void duplicateNext();
    /// To every client, unasked.
    void inject(const QByteArray &bytes);

    int open() const;     ///< connections at the moment
    int accepted() const; ///< so far

private:
    class Private;
    std::unique_ptr<Private> d;
};

} // namespace lockscope
