// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/redis/serveraddress.h"

#include <QByteArray>
#include <QByteArrayList>
#include <QList>
#include <QObject>
#include <QTcpServer>

#include <list>
#include <memory>

class QTcpSocket;

namespace lockscope {

/// A scripted TCP peer that plays a Redis server, good or bad, on a free loopback port, in the test's event loop.
///
///     FakePeer peer;                                  // accepts; answers a login and PING by itself
///     peer.on("GET", "$3\r\nabc\r\n");                // every GET
///     peer.once("GET", {"$3\r\nabc\r\n", 1});         // the next GET only, a byte at a time
///     peer.once("GET", Answer("$3\r\na").reset());    // half a reply, then RST
///     peer.once("CLIENT TRACKING", Answer().hold());  // silence from here on, until goOn()
///     peer.onConnect("SSH-2.0-OpenSSH\r\n");          // sent to each client as it connects
///     peer.setServer("6.2.14");                       // what INFO says
///     …
///     QTRY_COMPARE(peer.commands("GET"), (QList<QByteArrayList>{{"GET", "key"}}));
///
/// Names match whole words without case. Rules: the oldest matching once(), else the newest matching on(), else
/// the built-in answers to AUTH, SELECT, CLIENT, INFO and PING, else "-ERR unknown command".
class FakePeer : public QObject
{
    Q_OBJECT

public:
    /// The reaction to a command or a new connection. Steps run in order, also across pipelined commands.
    /// Without steps the command stays unanswered, which shifts later replies.
    class Answer
    {
    public:
        Answer() = default;
        Answer(const char *bytes) { send(bytes); }
        /// `chunk`: bytes per piece, each received separately in the same event loop; 0: one piece.
        Answer(const QByteArray &bytes, qsizetype chunk = 0) { send(bytes, chunk); }

        Answer &send(const QByteArray &bytes, qsizetype chunk = 0);
        Answer &hold() { return add({Step::Hold, {}}); }           ///< nothing more until goOn()
        Answer &close() { return add({Step::Close, {}}); }         ///< FIN, both directions
        Answer &halfClose() { return add({Step::HalfClose, {}}); } ///< FIN, but reads on
        Answer &reset() { return add({Step::Reset, {}}); }         ///< RST

    private:
        friend class FakePeer;
        struct Step
        {
            enum Kind { Send, Hold, Close, HalfClose, Reset } kind;
            QByteArray bytes;
        };
        Answer &add(Step step);
        QList<Step> m_steps;
    };

    FakePeer();
    ~FakePeer() override;

    ServerAddress address() const; ///< 127.0.0.1
    quint16 port() const { return m_port; }

    void on(const QByteArray &name, const Answer &answer) { m_rules.push_front({name, answer, false}); }
    void once(const QByteArray &name, const Answer &answer) { m_rules.push_back({name, answer, true}); }
    void onConnect(const Answer &greeting) { m_greeting = greeting; }
    void setServer(const QByteArray &version, const QByteArray &mode = "standalone",
                   const QByteArray &role = "master");

    void goOn();                     ///< ends every hold
    void push(const Answer &answer); ///< sent on every open connection
    void dropClients();              ///< RST to all of them
    void stop();                     ///< drops all and refuses connections
    void start();                    ///< listens again, on the same port

    int accepted() const { return m_accepted; } ///< total
    int open() const { return static_cast<int>(m_clients.size()); }
    const QByteArray &wire() const { return m_wire; } ///< all received bytes in order
    /// Returns all complete commands in order of arrival, or those that match `name`.
    const QList<QByteArrayList> &commands() const { return m_commands; }
    QList<QByteArrayList> commands(const QByteArray &name) const;

signals:
    void received(const QByteArrayList &command);

private:
    struct Rule
    {
        QByteArray name;
        Answer answer;
        bool once;
    };
    struct Client;

    void accept();
    void read(Client &client);
    void run(Client &client);
    Answer answerTo(const QByteArrayList &command);

    QTcpServer m_listener;
    quint16 m_port = 0;
    QByteArray m_info;
    Answer m_greeting;
    std::list<Rule> m_rules;
    std::list<std::unique_ptr<Client>> m_clients;
    int m_accepted = 0;
    QByteArray m_wire;
    QList<QByteArrayList> m_commands;
};

} // namespace lockscope
