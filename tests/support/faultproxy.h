// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/redis/serveraddress.h"

#include <QByteArray>

#include <chrono>
#include <memory>

namespace lockscope {

/// A proxy on a free loopback port and its own thread that injects the faults of networks and bad servers:
/// into one command (strike), all traffic (weather), or every connection.
///
///     FaultProxy proxy(server.socketAddress());
///     proxy.strike("EVALSHA", {.kind = FaultProxy::Strike::CutReply, .at = 7});
///     Connection connection(proxy.address());       // the seventh byte of the next EVALSHA's reply is its last
///     proxy.setWeather({.delay = 50ms, .jitter = 20ms});
///     proxy.cutAll(FaultProxy::Cut::Reset);
///
/// Parses the framing of commands and replies itself; other bytes pass unchanged.
class FaultProxy
{
public:
    /// `server`: TCP or Unix socket, possibly not running yet. Resets a client whose server is unreachable.
    explicit FaultProxy(const ServerAddress &server);
    ~FaultProxy();
    FaultProxy(const FaultProxy &) = delete;
    FaultProxy &operator=(const FaultProxy &) = delete;

    ServerAddress address() const; ///< 127.0.0.1

    /// A fault of one command or its reply.
    struct Strike
    {
        enum Kind {
            Watch,          ///< no fault: only measures for struck()
            CutRequest,     ///< the server gets the first `at` bytes, then both connections end
            CutReply,       ///< the server gets all of it, the client the first `at` bytes of the reply
            CorruptRequest, ///< byte `at` is changed by `mask`
            CorruptReply,
            Forge,     ///< the server runs it, the client gets `bytes`
            Duplicate, ///< the client gets the reply twice
        };
        Kind kind = Watch;
        qsizetype at = 0;
        char mask = 1;      ///< XOR
        QByteArray bytes{}; ///< Forge
        bool reset = false; ///< RST instead of FIN
    };
    /// Applies to the next command with this first word, on any connection.
    void strike(const QByteArray &word, const Strike &strike);
    /// Lengths of the last struck command and of its reply; 0: not seen.
    struct Struck
    {
        qsizetype requestBytes = 0;
        qsizetype replyBytes = 0;
    };
    Struck struck() const;

    /// Faults of all traffic in both directions.
    struct Weather
    {
        std::chrono::milliseconds delay{0};
        std::chrono::milliseconds jitter{0}; ///< random addition; order is kept
        int bytesPerSecond = 0;              ///< per connection and direction; 0: no limit
        bool blackHole = false;              ///< nothing moves; new connections get no answer
        bool refuses = false;                ///< refuses new connections
    };
    void setWeather(const Weather &weather);

    enum class Cut {
        End,   ///< FIN, both ways
        Half,  ///< FIN to the client, which is still read
        Reset, ///< RST
    };
    void cutAll(Cut how);
    /// Changes one of the next bytes sent by the server on each open connection.
    void corruptNext(char mask = 0x10);
    /// Duplicates the next bytes sent by the server on each open connection.
    void duplicateNext();
    /// Sends bytes to every client.
    void inject(const QByteArray &bytes);

    int open() const;     ///< current connections
    int accepted() const; ///< total

private:
    class Private;
    std::unique_ptr<Private> d;
};

} // namespace lockscope
