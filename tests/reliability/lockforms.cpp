// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/reliability/lockforms.h"
#include "tests/support/familyliteral.h"

namespace lockscope {

namespace {

ActionRequest force(Family family, const QByteArray &key, const QList<LockOwner> &seen, bool only = false)
{
    ActionRequest request;
    request.action = Action::ForceExpire;
    request.family = family;
    request.key = LockKey(key);
    request.expected = seen;
    request.onlyExpected = only;
    request.seen = Lock{};
    request.seen->family = family;
    request.seen->owners = seen;
    return request;
}

QByteArray quoted(const QByteArray &word)
{
    QByteArray text = "'";
    for (const char c : word)
        text += "\\" + QByteArray::number(static_cast<uchar>(c)).rightJustified(3, '0');
    return text + '\'';
}

QByteArray call(const QByteArray &line)
{
    QByteArrayList words;
    for (const QByteArray &word : line.split(' '))
        words << quoted(word);
    return "redis.call(" + words.join(',') + ')';
}

QByteArray is(const QByteArray &line, const QByteArray &value)
{
    return call(line) + " == " + value;
}

/// A string whose value is the owner.
RaceForm value(const char *name, Family family, const QByteArray &key)
{
    return {name,
            force(family, key, {{OwnerId("t"), {}, 1}}),
            {"SET " + key + " t"},
            {key},
            {"SET " + key + " u"},
            is("GET " + key, "'t'"),
            is("GET " + key, "'u'")};
}

/// A hash with a field an owner.
RaceForm counted(const char *name, Family family, const QByteArray &old, const QByteArray &next)
{
    return {name,
            force(family, "l", {{OwnerId(old), "1", 1}}),
            {"HSET l " + old + " 1"},
            {"l"},
            {"HSET l " + next + " 1"},
            is("HGET l " + old, "'1'"),
            is("HGET l " + next, "'1'")};
}

} // namespace

QByteArray luaCalls(const QByteArrayList &lines)
{
    QByteArray lua;
    for (const QByteArray &line : lines)
        lua += call(line) + ' ';
    return lua;
}

QList<RaceForm> raceForms()
{
    const QByteArray first = "01234567-89ab-4def-8123-456789abcdef:1";
    const QByteArray second = "fedcba98-7654-4321-8fed-cba987654321:1";
    const QByteArray hex = "89abcdef0123456789abcdef0123456701234567";
    const QByteArray otherHex = "0123456789abcdef0123456789abcdef01234567";
    QList<RaceForm> forms{
        counted("reentrant", "reentrant"_family, "u:1", "u:2"),
        counted("redisson", "redisson"_family, first, second),
        counted("redisson-fenced", "redisson-fenced"_family, first, second),
        counted("handoff", "handoff"_family, "u:1", "u:2"),
        value("token", "token"_family, "l"),
        value("redis-py", "redis-py"_family, "l"),
        value("bullmq", "bullmq"_family, "l"),
        value("python-redis-lock", "python-redis-lock"_family, "lock:l"),
        counted("node-redisson", "node-redisson"_family, first.chopped(2) + ':' + second.chopped(2),
                second.chopped(2) + ':' + first.chopped(2)),
        value("simple-redis-mutex", "simple-redis-mutex"_family, "l"),
        value("spring-integration", "spring-integration"_family, "r:l"),
        value("redis-semaphore, a mutex", "redis-semaphore"_family, "l"),
    };
    RaceForm fair = counted("redisson-fair", "redisson-fair"_family, first, second);
    fair.old << "RPUSH redisson_lock_queue:{l} " + second
             << "ZADD redisson_lock_timeout:{l} 99999999999999 " + second;
    fair.keys << "redisson_lock_queue:{l}"
              << "redisson_lock_timeout:{l}";
    forms << fair;

    RaceForm again = counted("reentrant, one more hold", "reentrant"_family, "u:1", "u:1");
    again.next = {"HSET l u:1 2"};
    again.nextStands = is("HGET l u:1", "'2'");
    forms << again;

    const auto timeout = [](const QByteArray &owner) { return "{l}:" + owner + ":rwlock_timeout:1"; };
    forms << RaceForm{"redisson-read-write",
                      force("redisson-read-write"_family, "l", {{OwnerId("u:1"), "1", 1, HoldMode::Read}}),
                      {"HSET l mode read u:1 1", "SET " + timeout("u:1") + " 1"},
                      {"l", timeout("u:1"), timeout("u:2")},
                      {"HSET l mode read u:2 1", "SET " + timeout("u:2") + " 1"},
                      is("HGET l u:1", "'1'"),
                      is("HGET l u:2", "'1'") + " and " + is("EXISTS " + timeout("u:2"), "1")};
    forms << RaceForm{"redisson-multi",
                      force("redisson-multi"_family, "l", {{OwnerId("v:u:1"), "1", 1}}),
                      {"HSET l v u:1 v:u:1:lock_count 1 v:u:1:expire_time 9"},
                      {"l"},
                      {"HSET l v u:2 v:u:2:lock_count 1 v:u:2:expire_time 9"},
                      is("HGET l v", "'u:1'"),
                      is("HGET l v", "'u:2'") + " and " + is("HLEN l", "3")};
    forms << RaceForm{"redisson-latch",  force("redisson-latch"_family, "l", {{OwnerId("3"), {}, {}}}),
                      {"SET l 3"},       {"l"},
                      {"SET l 2"},       is("GET l", "'3'"),
                      is("GET l", "'2'")};
    forms << RaceForm{"redisson-semaphore, a permit",
                      force("redisson-semaphore"_family, "l", {{OwnerId("0123456789abcdef"), {}, 1}}, true),
                      {"SET l 3", "ZADD {l}:timeout 5 0123456789abcdef"},
                      {"l", "{l}:timeout"},
                      {"SET l 3", "ZADD {l}:timeout 5 fedcba9876543210"},
                      call("ZSCORE {l}:timeout 0123456789abcdef") + " ~= false",
                      call("ZSCORE {l}:timeout fedcba9876543210") + " ~= false and " + is("GET l", "'3'")};
    forms << RaceForm{"redlock4j",
                      force("redlock4j"_family, "l", {{OwnerId(hex), {}, 1}}),
                      {"SET l " + hex, "ZADD l:queue 1 " + hex + " 2 " + otherHex},
                      {"l", "l:queue"},
                      {"SET l " + otherHex, "ZADD l:queue 2 " + otherHex},
                      is("GET l", quoted(hex)),
                      is("GET l", quoted(otherHex)) + " and " + call("ZSCORE l:queue " + otherHex) +
                          " ~= false"};
    forms << RaceForm{"symfony",
                      force("symfony"_family, "l", {{OwnerId("t"), {}, 1, HoldMode::Read}}),
                      {"ZADD l 1 t"},
                      {"l"},
                      {"ZADD l 1 u"},
                      call("ZSCORE l t") + " ~= false",
                      call("ZSCORE l u") + " ~= false"};
    forms << RaceForm{"madelson, readers",
                      force("madelson"_family, "l.readers", {{OwnerId("t"), {}, 1}}),
                      {"SADD l.readers t"},
                      {"l.readers"},
                      {"SADD l.readers u"},
                      is("SISMEMBER l.readers t", "1"),
                      is("SISMEMBER l.readers u", "1")};
    forms << RaceForm{"redis-semaphore",
                      force("redis-semaphore"_family, "l", {{OwnerId("t"), {}, 1}}),
                      {"ZADD l 99999999999999 t"},
                      {"l"},
                      {"ZADD l 99999999999999 u"},
                      call("ZSCORE l t") + " ~= false",
                      call("ZSCORE l u") + " ~= false"};
    forms << RaceForm{"juicefs, an owner",
                      force("juicefs"_family, "lockf1", {{OwnerId("7_0F"), "R", 1, HoldMode::Read}}, true),
                      {"HSET lockf1 7_0F R 8_0F R"},
                      {"lockf1"},
                      {"HSET lockf1 7_0F W 8_0F R"},
                      is("HGET lockf1 7_0F", "'R'"),
                      is("HGET lockf1 7_0F", "'W'") + " and " + is("HGET lockf1 8_0F", "'R'")};
    forms << RaceForm{"juicefs, the last owner",
                      force("juicefs"_family, "lockf1", {{OwnerId("7_0F"), "R", 1, HoldMode::Read}}),
                      {"HSET lockf1 7_0F R", "SADD locked7 lockf1"},
                      {"lockf1", "locked7"},
                      {"HSET lockf1 7_0F W", "SADD locked7 lockf1"},
                      is("HGET lockf1 7_0F", "'R'"),
                      is("HGET lockf1 7_0F", "'W'") + " and " + is("SISMEMBER locked7 lockf1", "1")};
    const QByteArray holder = "web-1|1";
    const QByteArray otherHolder = "web-2|2";
    forms << RaceForm{"magento-session",
                      force("magento-session"_family, "sess_l", {{OwnerId(holder), holder, 1}}),
                      {"HSET sess_l lock 1 pid " + holder + " data d"},
                      {"sess_l"},
                      {"HSET sess_l lock 1 pid " + otherHolder + " data d"},
                      is("HGET sess_l lock", "'1'"),
                      is("HGET sess_l lock", "'1'") + " and " + is("HGET sess_l pid", quoted(otherHolder))};
    forms << RaceForm{
        "nextcloud, readers",          force("nextcloud"_family, "a/lockfiles/l", {{OwnerId("2"), {}, 2}}),
        {"SET a/lockfiles/l 2"},       {"a/lockfiles/l"},
        {"SET a/lockfiles/l 3"},       is("GET a/lockfiles/l", "'2'"),
        is("GET a/lockfiles/l", "'3'")};
    const QByteArray acquirer = "rql:acq:1/2/3/4/0123456789abcdef";
    const QByteArray otherAcquirer = "rql:acq:1/2/3/4/fedcba9876543210";
    forms << RaceForm{"redis-queued-locks",
                      force("redis-queued-locks"_family, "rql:lock:l", {{OwnerId(acquirer), acquirer, 1}}),
                      {"HSET rql:lock:l acq_id " + acquirer + " ts 1"},
                      {"rql:lock:l"},
                      {"HSET rql:lock:l acq_id " + otherAcquirer + " ts 2"},
                      is("HGET rql:lock:l acq_id", quoted(acquirer)),
                      is("HGET rql:lock:l acq_id", quoted(otherAcquirer))};
    const QByteArray digest = "uniquejobs:d";
    forms << RaceForm{
        "sidekiq-unique-jobs",
        force("sidekiq-unique-jobs"_family, digest + ":LOCKED", {{OwnerId("j"), {}, 1}}),
        {"HSET uniquejobs:d:LOCKED j {}", "ZADD uniquejobs:digests 1 uniquejobs:d", "SET uniquejobs:d j"},
        {"uniquejobs:d:LOCKED", "uniquejobs:digests", "uniquejobs:d"},
        {"HSET uniquejobs:d:LOCKED k {}", "ZADD uniquejobs:digests 1 uniquejobs:d", "SET uniquejobs:d k"},
        is("HEXISTS uniquejobs:d:LOCKED j", "1"),
        is("HEXISTS uniquejobs:d:LOCKED k", "1") + " and " + is("GET uniquejobs:d", "'k'")};
    return forms;
}

} // namespace lockscope
