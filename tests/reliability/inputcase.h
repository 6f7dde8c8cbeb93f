// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/redis/serveraddress.h"
#include "tests/support/redisserver.h"

#include <QByteArrayList>
#include <QTemporaryDir>

#include <chrono>
#include <functional>
#include <vector>

namespace lockscope {

class FakePeer;

/// Runs the program's parts on bad input, in the process of one class, and notes what they did.
class InputProbe
{
public:
    InputProbe();

    /// A session with these patterns: until its first scan is through, or for `most`. Returns the keys that it shows.
    QByteArrayList watch(const ServerAddress &server, const QByteArrayList &patterns = {"*"},
                         std::chrono::milliseconds most = std::chrono::seconds(8), bool untilSwept = true);
    /// lockscope-cli, with a time to end; what it prints has to be free of control characters. With the event loop running.
    Ran command(const QByteArrayList &words, const QStringList &environment = {},
                std::chrono::milliseconds most = std::chrono::seconds(15));
    /// The usual commands on a server: list, list --json, get.
    void commands(const QByteArrayList &where, const QByteArray &key);
    /// A part that blocks.
    void timed(const std::function<void()> &part);
    void check(bool holds, const QByteArray &otherwise);
    /// A redis-server with these commands carried out.
    RedisServer &server(const std::vector<QByteArrayList> &commands = {});
    QByteArrayList bySocket();

    const QTemporaryDir &directory() const { return m_directory; }
    /// Prints what was noted; the exit status of the process.
    int report();

private:
    void noteBlocked(std::chrono::steady_clock::duration time);

    QTemporaryDir m_directory;
    std::unique_ptr<RedisServer> m_server;
    double m_longestBlocked = 0; // ms
    double m_residentBefore = 0; // MB
    double m_commandBefore = 0;
    QByteArrayList m_flaws;
};

/// One class of bad input.
struct InputCase
{
    const char *id; ///< "B32"
    const char *what;
    std::function<void(InputProbe &)> run; ///< empty: concerns nothing that exists
    bool brief = false;                    ///< is part of the short form
};

const std::vector<InputCase> &inputCases();
// The parts of it.
std::vector<InputCase> nameCases();
std::vector<InputCase> contentCases();
std::vector<InputCase> replyCases();
std::vector<InputCase> surroundingsCases();

/// The class of this name, in this process; its exit status.
int runInputCase(const QByteArray &id);

} // namespace lockscope
