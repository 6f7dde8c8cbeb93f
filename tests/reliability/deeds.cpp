// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/reliability/deeds.h"

#include "core/act/actionnames.h"
#include "tests/reliability/lockforms.h"
#include "tests/support/familyliteral.h"

namespace lockscope {

using namespace std::chrono_literals;

namespace {

ActionRequest request(Action action, Family family, const QByteArray &owner)
{
    ActionRequest request;
    request.action = action;
    request.family = family;
    request.key = LockKey("lock:a");
    request.owner = OwnerId(owner);
    request.lease = Lease::fromMilliseconds(90s);
    const bool counts = family != "token"_family;
    request.expected = {{OwnerId(owner), counts ? "1" : "", 1}};
    return request;
}

/// "calls=3,…,failed_calls=1" of a command.
int figure(QByteArrayView stats, QByteArrayView command, QByteArrayView name)
{
    qsizetype at = stats.indexOf("cmdstat_" + command.toByteArray() + ':');
    if (at < 0)
        return 0;
    QByteArrayView line = stats.sliced(at);
    line = line.first(line.indexOf('\r'));
    at = line.indexOf(name);
    if (at < 0)
        return 0;
    QByteArrayView number = line.sliced(at + name.size());
    if (const qsizetype end = number.indexOf(','); end >= 0)
        number = number.first(end);
    return number.toInt();
}

} // namespace

QList<Deed> deeds()
{
    const QByteArray redisson = "7c9e6679-7425-40de-944b-e07fc1f90ae7:3";
    const QByteArrayList acquire{"acquire", "lock:a", "--owner", "me", "--lease", "90"};
    const QByteArrayList force{"force-expire", "lock:a", "--expect-owner", "me"};
    return {
        {"acquire", request(Action::Acquire, "reentrant"_family, "me"), {}, acquire},
        {"re-enter",
         request(Action::Acquire, "reentrant"_family, "me"),
         {"HSET lock:a me 1", "PEXPIRE lock:a 30000"},
         acquire},
        {"unwind",
         request(Action::Release, "reentrant"_family, "me"),
         {"HSET lock:a me 2"},
         {"release", "lock:a", "--owner", "me"}},
        {"acquire a token",
         request(Action::Acquire, "token"_family, "me"),
         {},
         acquire + QByteArrayList{"--family", "token"}},
        {"release a token",
         request(Action::Release, "token"_family, "me"),
         {"SET lock:a me"},
         {"release", "lock:a", "--owner", "me"}},
        {"extend",
         request(Action::Extend, "token"_family, "me"),
         {"SET lock:a me PX 30000"},
         {"extend", "lock:a", "--owner", "me", "--lease", "90"}},
        {"force-expire", request(Action::ForceExpire, "reentrant"_family, "me"), {"HSET lock:a me 1"}, force},
        {"force-expire a token",
         request(Action::ForceExpire, "token"_family, "me"),
         {"SET lock:a me"},
         force},
        {"force-expire Redisson's",
         request(Action::ForceExpire, "redisson"_family, redisson),
         {"HSET lock:a " + redisson + " 1"},
         {}},
        {"remove a waiter",
         request(Action::RemoveWaiter, "redisson-fair"_family, "w"),
         {"HSET lock:a " + redisson + " 1", "RPUSH redisson_lock_queue:{lock:a} w",
          "ZADD redisson_lock_timeout:{lock:a} 99999999999999 w"},
         {}},
    };
}

QByteArrayList forgedReplies()
{
    return {"+QUEUED\r\n",
            "+OK\r\n",
            "$-1\r\n",
            "*-1\r\n",
            "*0\r\n",
            ":1\r\n",
            ":0\r\n",
            "$8\r\nacquired\r\n",
            "*1\r\n$8\r\nacquired\r\n",
            "*4\r\n$8\r\nbcquired\r\n:1\r\n:30000\r\n$0\r\n\r\n",
            "*4\r\n$9\r\nnonsense!\r\n:1\r\n:30000\r\n$0\r\n\r\n",
            "*4\r\n$-1\r\n:1\r\n:30000\r\n$0\r\n\r\n",
            "*4\r\n$8\r\nacquired\r\n$1\r\n1\r\n:30000\r\n$0\r\n\r\n",
            "*3\r\n:1\r\n:1\r\n:1\r\n",
            "*2\r\n$8\r\nacquired\r\n:1\r\n",
            "*4\r\n*1\r\n$8\r\nacquired\r\n:1\r\n:30000\r\n$0\r\n\r\n",
            "*4\r\n$5\r\nqueue\r\n:1\r\n:30000\r\n$0\r\n\r\n",
            "*3\r\n$7\r\nmessage\r\n$20\r\n__redis__:invalidate\r\n$1\r\nx\r\n",
            "-ERR something went wrong after the write\r\n",
            "-\r\n",
            "%1\r\n+outcome\r\n+acquired\r\n",
            "HTTP/1.1 400 Bad Request\r\n\r\n",
            "\r\n",
            "\x16\x03\x01\x02",
            "*1000000000\r\n",
            "$9223372036854775807\r\n",
            "*1\r\n*1\r\n*1\r\n*1\r\n*1\r\n*1\r\n*1\r\n*1\r\n*1\r\n:1\r\n"};
}

Witness::Witness()
    : m_server({QStringLiteral("--enable-debug-command"), QStringLiteral("yes")}),
      m_eye(m_server.socketAddress(), {.clientName = "witness", .commandDeadline = 20s})
{
    if (!m_eye.open())
        qFatal("the witness sees nothing");
}

bool Witness::prepare(const Deed &deed)
{
    const QByteArray lua = luaCalls(QByteArrayList{"FLUSHALL"} + deed.before) + "return 1";
    const bool done = m_eye.send({"EVAL", lua, "0"}).has_value();
    m_before = picture();
    return done && m_eye.send({"CONFIG", "RESETSTAT"}).has_value();
}

/// The keys with their values, and how far away the end of the one that is acted on is: a longer lease is a change as well.
QByteArray Witness::picture()
{
    // What the proxy has given to the server before now is carried out in the turn of its loop that answers this.
    m_eye.send({"PING"});
    const Result<Reply> digest = m_eye.send({"DEBUG", "DIGEST"});
    const Result<Reply> ttl = m_eye.send({"PTTL", "lock:a"});
    if (!digest || !ttl)
        qFatal("the witness sees nothing");
    return digest->text + (ttl->integer > 60'000 ? " long" : ttl->integer > 0 ? " short" : " none");
}

int Witness::executed()
{
    m_eye.send({"PING"});
    const Result<Reply> stats = m_eye.send({"INFO", "commandstats"});
    int count = 0;
    for (const char *command : {"evalsha", "eval"})
        count += figure(stats->text, command, "calls=") - figure(stats->text, command, "failed_calls=");
    return count;
}

bool Witness::hasChanged()
{
    return picture() != m_before;
}

bool Witness::exists(const LockKey &key)
{
    const Result<Reply> reply = m_eye.send({"EXISTS", key.bytes});
    return reply && reply->integer == 1;
}

QByteArray flawIn(const Told &told, Witness &witness, const Deed &deed)
{
    const int executed = witness.executed();
    const bool changed = witness.hasChanged();
    if (executed > 1)
        return "carried out " + QByteArray::number(executed) + " times";
    if (told.audited != told.outcome)
        return "told " + told.outcome + ", audited " + told.audited;
    if (!told.wellRecorded)
        return "not two records";
    if (told.outcome == "unknown") {
        // A look may have come before the server carried it out, but what it found was there or not at some moment.
        const bool now = witness.exists(deed.request.key);
        if (told.foundKey && *told.foundKey != now && !changed)
            return "the look found what never was";
        return {};
    }
    const std::optional<Outcome> outcome = outcomeName.valueOf(told.outcome);
    if (outcome && succeeded(*outcome))
        return executed == 1 && changed ? QByteArray() : "told " + told.outcome + " though nothing was done";
    return changed ? "told \"" + told.outcome + "\" though it was done" : QByteArray();
}

} // namespace lockscope
