// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/nonlocks.h"

#include "core/family/shapes.h"
#include <QDateTime>
#include <QTimeZone>

#include <algorithm>
#include <array>

namespace lockscope {

namespace {

using Fields = QList<std::pair<QByteArray, QByteArray>>;
using Scores = QList<std::pair<QByteArray, double>>;

const QByteArray small = "abcdefghijklmnopqrstuvwxyz";
const QByteArray hexDigits = "0123456789abcdef";
const QByteArray letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

KeyContent string(const QByteArray &value)
{
    return StringContent{value, value.size() < 1024};
}

/// Draws one key.
class Draw
{
public:
    Draw(std::mt19937 &random, qint64 nowMs) : now(nowMs), m_random(random) {}

    const qint64 now;

    int below(int limit) { return static_cast<int>(m_random() % static_cast<quint32>(limit)); }
    QByteArray number(int limit) { return QByteArray::number(1 + below(limit)); }
    QByteArray text(const QByteArray &alphabet, int length)
    {
        QByteArray out;
        for (int i = 0; i < length; ++i)
            out += alphabet[below(static_cast<int>(alphabet.size()))];
        return out;
    }
    QByteArray bytes(int length)
    {
        QByteArray out;
        for (int i = 0; i < length; ++i)
            out += static_cast<char>(below(256));
        return out;
    }
    QByteArray hex(int length) { return text(hexDigits, length); }
    QByteArray oneOf(const QByteArrayList &list) { return list[below(static_cast<int>(list.size()))]; }
    QByteArray hexUuid(char version)
    {
        QByteArray out = hex(32);
        out[12] = version;
        out[16] = 'a';
        return out;
    }
    QByteArray uuid() { return hexUuid('4').insert(20, '-').insert(16, '-').insert(12, '-').insert(8, '-'); }
    /// Of version 1, drawn within the last hour.
    QByteArray timedHex()
    {
        const quint64 ticks = (quint64(now - below(3'600'000)) * 10'000) + 0x01B21DD213814000;
        const auto part = [&](quint64 value, int digits) {
            return QByteArray::number(value, 16).rightJustified(digits, '0');
        };
        return part(ticks & 0xffffffff, 8) + part(ticks >> 32 & 0xffff, 4) + '1' +
               part(ticks >> 48 & 0xfff, 3) + "9c" + hex(2) + "0242ac120002";
    }
    QByteArray date()
    {
        return QDateTime::fromSecsSinceEpoch(1'700'000'000 + below(90'000'000), QTimeZone::utc())
            .toString(Qt::ISODate)
            .toLatin1();
    }
    QByteArray sentence(int words)
    {
        static const QByteArrayList list{"the",   "door",    "of",   "house", "was",    "opened",
                                         "by",    "someone", "last", "time",  "report", "about",
                                         "stock", "and",     "its",  "prices"};
        QByteArray out;
        for (int i = 0; i < words; ++i)
            out += (i ? " " : "") + oneOf(list);
        return out;
    }
    /// Half of them name a lock, the rest only sound so.
    QByteArray name()
    {
        static const QByteArrayList locks{
            "lock:", "app:lock:", "door:lock:", "lock_", "mutex:stats:", "locks:"};
        static const QByteArrayList others{
            "clock:", "block:", "unlock:", "flock:", "blockchain:", "lockout:"};
        return oneOf(below(2) ? locks : others) + text(small, 5) + ':' + number(100'000);
    }
    QByteArray lockName() { return oneOf({"lock:", "app:lock:", "lock_"}) + text(small, 6) + number(10'000); }

private:
    std::mt19937 &m_random;
};

/// What is drawn of a kind.
struct Drawn
{
    QByteArray key;
    KeyContent content;
    milliseconds ttl{0}; ///< 0: none
};

enum Fate : bool { MayShow, Document };

struct Kind
{
    const char *name;
    Fate fate;
    Drawn (*draw)(Draw &);
};

/// Some have an end.
milliseconds perhaps(Draw &draw)
{
    return milliseconds(draw.below(2) ? 1000 + draw.below(86'400'000) : 0);
}
milliseconds always(Draw &draw)
{
    return milliseconds(1000 + draw.below(86'400'000));
}

KeyContent tableOf(Draw &draw, const QByteArrayList &fields, int limit)
{
    HashContent hash;
    for (const QByteArray &field : fields)
        hash.fields.append({field, draw.number(limit)});
    return hash;
}

// clang-format off
constexpr std::array kindTable{
    Kind{"hyperloglog", Document, [](Draw &d) { return Drawn{d.name(), string(QByteArray("HYLL\x01\0\0\0", 8) + d.bytes(40)), perhaps(d)}; }},
    Kind{"bitmap", Document, [](Draw &d) { return Drawn{d.name(), string('\0' + d.bytes(30)), perhaps(d)}; }},
    Kind{"protobuf", Document, [](Draw &d) { return Drawn{d.name(), string("\x08\x96\x01\x12\x07testing\x1a" + d.bytes(8)), perhaps(d)}; }},
    Kind{"gzip", Document, [](Draw &d) { return Drawn{d.name(), string("\x1f\x8b\x08" + d.bytes(50)), perhaps(d)}; }},
    Kind{"messagepack", Document, [](Draw &d) { return Drawn{d.name(), string("\x82\xa2id\xcd" + d.bytes(2) + "\xa4name\xa3" + d.text(small, 3)), perhaps(d)}; }},
    Kind{"java object", Document, [](Draw &d) { return Drawn{d.name(), string(QByteArray("\xac\xed\0\x05sr\0", 7) + d.bytes(40)), perhaps(d)}; }},
    Kind{"pickled dict", Document, [](Draw &d) { return Drawn{d.name(), string(QByteArray("\x80\x04\x95\x0a\0\0\0\0\0\0\0}\x94\x8c\x02id\x94K", 19) + d.bytes(1) + "s."), perhaps(d)}; }},
    Kind{"pickled text", Document, [](Draw &d) { return Drawn{d.name(), string(QByteArray("\x80\x02X\x1b\0\0\0", 7) + "the door of Ann's house 12" + d.text(small, 1) + QByteArray("q\0.", 3)), perhaps(d)}; }},
    Kind{"packed text", Document, [](Draw &d) { return Drawn{d.name(), string("\xb4" + d.text(small, 9) + ' ' + d.text(small, 10)), perhaps(d)}; }},
    Kind{"packed array", Document, [](Draw &d) { return Drawn{d.name(), string("\x92\xa3" + d.text(small, 3) + "\xa4" + d.text(small, 4)), perhaps(d)}; }},
    Kind{"igbinary array", Document, [](Draw &d) { return Drawn{d.name(), string(QByteArray("\0\0\0\x02\x14\x01\x11\x02id\x06", 11) + d.bytes(1)), perhaps(d)}; }},
    Kind{"java text, done", Document, [](Draw &d) { return Drawn{d.name(), string(QByteArray("\xac\xed\0\x05t\0\x04" "done", 11)), perhaps(d)}; }},
    Kind{"java text, cut", Document, [](Draw &d) { return Drawn{d.name(), string(QByteArray("\xac\xed\0\x05t\0\x24", 7) + d.text(small, 35)), perhaps(d)}; }},
    Kind{"json user", Document, [](Draw &d) { return Drawn{d.name(), string(R"({"user":)" + d.number(9000) + R"(,"roles":["admin"],"address":{"city":"Ulm"}})"), perhaps(d)}; }},
    Kind{"json flat, endless", Document, [](Draw &d) { return Drawn{d.name(), string(R"({"theme":"dark","size":)" + d.number(40) + R"(,"locked":true})")}; }},
    Kind{"json array", Document, [](Draw &d) { return Drawn{d.name(), string('[' + d.number(9000) + R"(,")" + d.uuid() + R"("])"), perhaps(d)}; }},
    Kind{"json sentence", Document, [](Draw &d) { return Drawn{d.name(), string('"' + d.sentence(5) + '"'), perhaps(d)}; }},
    Kind{"json, large", Document, [](Draw &d) { return Drawn{d.name(), string(R"({"id":1,"text":")" + d.text(letters, 600) + R"("})"), perhaps(d)}; }},
    Kind{"package-lock", Document, [](Draw &d) { return Drawn{"cache:" + d.hex(6) + "/package-lock.json", string(d.hex(40)), perhaps(d)}; }},
    Kind{"lock file", Document, [](Draw &d) { return Drawn{"files:" + d.text(small, 5) + '/' + d.oneOf({"yarn.lock", "poetry.lock", "Cargo.lock"}), string(d.uuid()), perhaps(d)}; }},
    Kind{"lines", Document, [](Draw &d) { return Drawn{d.name(), string("name: " + d.text(small, 5) + "\nversion: 3\n"), perhaps(d)}; }},
    Kind{"not held", Document, [](Draw &d) { return Drawn{d.lockName(), string(d.oneOf({"unlocked", "free", "open", "released", "none", "null", "idle"})), perhaps(d)}; }},
    Kind{"nought", Document, [](Draw &d) { return Drawn{d.lockName(), string(d.oneOf({"0", "false", "off", "no"})), perhaps(d)}; }},
    Kind{"state", Document, [](Draw &d) { return Drawn{d.name(), string(d.oneOf({"jammed", "closed", "enabled", "on", "done", "failed", "online", "canary"})), perhaps(d)}; }},
    Kind{"flag", MayShow, [](Draw &d) { return Drawn{d.name(), string(d.oneOf({"1", "true", "yes"}))}; }},
    Kind{"door", MayShow, [](Draw &d) { return Drawn{"smart:door:" + d.number(99) + ":lock", string(d.oneOf({"locked", "busy"}))}; }},
    Kind{"counter", Document, [](Draw &d) { return Drawn{d.name(), string(QByteArray::number(2 + d.below(90'000)))}; }},
    Kind{"negative counter", Document, [](Draw &d) { return Drawn{d.name(), string('-' + d.number(900)), perhaps(d)}; }},
    Kind{"rate limit", Document, [](Draw &d) { return Drawn{"block:rate:" + d.number(9000), string(QByteArray::number(2 + d.below(900))), always(d)}; }},
    Kind{"price", Document, [](Draw &d) { return Drawn{d.name(), string(d.number(900) + '.' + d.number(89)), perhaps(d)}; }},
    Kind{"share", Document, [](Draw &d) { return Drawn{d.name(), string(d.number(100) + '%'), perhaps(d)}; }},
    Kind{"place", Document, [](Draw &d) { return Drawn{d.name(), string("52." + d.number(9999) + ",13." + d.number(9999)), perhaps(d)}; }},
    Kind{"address", Document, [](Draw &d) { return Drawn{d.name(), string("10.0." + d.number(200) + '.' + d.number(200)), perhaps(d)}; }},
    Kind{"date", MayShow, [](Draw &d) { return Drawn{d.name(), string(d.below(2) ? d.date() : d.date().first(10)), perhaps(d)}; }},
    Kind{"moment", MayShow, [](Draw &d) { return Drawn{d.name(), string(QByteArray::number(d.now / 1000 - d.below(100'000))), perhaps(d)}; }},
    Kind{"note", MayShow, [](Draw &d) { return Drawn{d.name(), string(d.sentence(5)), perhaps(d)}; }},
    Kind{"article", Document, [](Draw &d) { return Drawn{d.name(), string(d.sentence(30)), perhaps(d)}; }},
    Kind{"book", Document, [](Draw &d) { return Drawn{d.name(), string(d.sentence(400)), perhaps(d)}; }},
    Kind{"html", Document, [](Draw &d) { return Drawn{d.name(), string("<html><body>" + d.number(99) + "</body></html>"), perhaps(d)}; }},
    Kind{"xml", Document, [](Draw &d) { return Drawn{d.name(), string("<?xml version=\"1.0\"?><a id=\"" + d.number(9) + "\"/>"), perhaps(d)}; }},
    Kind{"web token", Document, [](Draw &d) { return Drawn{d.name(), string("eyJhbGciOiJIUzI1NiJ9." + d.text(letters, 60) + '.' + d.text(letters, 43)), perhaps(d)}; }},
    Kind{"php object", Document, [](Draw &d) { return Drawn{d.name(), string("O:8:\"stdClass\":1:{s:2:\"id\";i:" + d.number(99) + ";}"), perhaps(d)}; }},
    Kind{"php number", Document, [](Draw &d) { return Drawn{d.name(), string(d.oneOf({"b:1;", "i:17;", "N;", "d:0.5;"}).replace("N;", "a:0:{}")), perhaps(d)}; }},
    Kind{"etag", Document, [](Draw &d) { return Drawn{d.name(), string("W/\"" + d.hex(20) + '"'), perhaps(d)}; }},
    Kind{"link", Document, [](Draw &d) { return Drawn{d.name(), string("https://example.org/clock/" + d.hex(4) + "?t=" + d.number(99)), perhaps(d)}; }},
    Kind{"query", MayShow, [](Draw &d) { return Drawn{d.name(), string("page=" + d.number(99) + "&sort=name"), perhaps(d)}; }},
    Kind{"mail address", MayShow, [](Draw &d) { return Drawn{d.name(), string("ann" + d.number(99) + "@example.org"), perhaps(d)}; }},
    Kind{"version", MayShow, [](Draw &d) { return Drawn{d.name(), string('v' + d.number(9) + '.' + d.number(20) + ".0"), perhaps(d)}; }},
    Kind{"zone", MayShow, [](Draw &d) { return Drawn{d.name(), string(d.oneOf({"Europe/Berlin", "en_US", "gold", "dark"})), perhaps(d)}; }},
    Kind{"user", MayShow, [](Draw &d) { return Drawn{d.name(), string("user-" + d.number(99)), perhaps(d)}; }},
    Kind{"color", MayShow, [](Draw &d) { return Drawn{d.name(), string('#' + d.hex(6)), perhaps(d)}; }},
    Kind{"path", MayShow, [](Draw &d) { return Drawn{d.name(), string("/var/lib/app" + d.number(9) + "/data"), perhaps(d)}; }},
    Kind{"session", MayShow, [](Draw &d) { return Drawn{d.name(), string(d.text(small, 26)), always(d)}; }},
    Kind{"request, version 1", MayShow, [](Draw &d) { return Drawn{d.oneOf({"lock:trace:", "app:lock:", "qo_", ":1:", "redlock:"}) + d.number(90'000), string(d.timedHex()), always(d)}; }},
    Kind{"order number", MayShow, [](Draw &d) { return Drawn{d.lockName(), string("order_" + d.number(900) + '_' + d.hexUuid('4')), always(d)}; }},
    Kind{"csrf", MayShow, [](Draw &d) { return Drawn{d.lockName(), string(d.bytes(16).toBase64()), always(d)}; }},
    Kind{"api key", MayShow, [](Draw &d) { return Drawn{"lock:" + d.text(small, 5), string(d.bytes(18).toBase64()), always(d)}; }},
    Kind{"short id", MayShow, [](Draw &d) { return Drawn{d.lockName(), string(d.bytes(16).toBase64(QByteArray::Base64UrlEncoding | QByteArray::OmitTrailingEquals)), always(d)}; }},
    Kind{"added by", MayShow, [](Draw &d) { return Drawn{d.name(), string("ADDED:2026-11-" + QByteArray::number(10 + d.below(20)) + "T10:00 by bob@example.com"), perhaps(d)}; }},
    Kind{"added at", MayShow, [](Draw &d) { return Drawn{"notes:" + d.lockName(), string("ADDED:2026-11-21T10:00:0" + QByteArray::number(d.below(10)) + ".000Z@example.com"), always(d)}; }},
    Kind{"uuid of a mutex", MayShow, [](Draw &d) { return Drawn{"mutex:" + d.number(9000), string(d.uuid()), milliseconds(3'600'000 + d.below(86'400'000))}; }},
    Kind{"digest for writing", MayShow, [](Draw &d) { return Drawn{"doc:" + d.number(9000) + ":write", string(d.hex(40)), milliseconds(d.below(2) ? 3'600'000 : 0)}; }},
    Kind{"laravel cache", MayShow, [](Draw &d) { return Drawn{"laravel_database_laravel_cache:" + d.text(small, 6), string("aB3" + d.text(letters, 13)), perhaps(d)}; }},
    Kind{"settings", Document, [](Draw &d) { return Drawn{d.name(), HashContent{Fields{{"theme", "dark"}, {"language", "de"}, {"size", d.number(40)}}}, perhaps(d)}; }},
    Kind{"statistics", Document, [](Draw &d) { return Drawn{d.name(), tableOf(d, {"visits", "clicks", "orders"}, 9000), perhaps(d)}; }},
    Kind{"days", Document, [](Draw &d) { return Drawn{d.name(), tableOf(d, {"2026-11-20", "2026-11-21", "2026-11-22"}, 9000), perhaps(d)}; }},
    Kind{"votes", Document, [](Draw &d) { return Drawn{d.name(), tableOf(d, {"user:7", "user:8", "user:9"}, 90), perhaps(d)}; }},
    Kind{"record", Document, [](Draw &d) { return Drawn{d.name(), HashContent{Fields{{"id", d.number(900)}, {"name", "Ann"}, {"city", "Ulm"}}}, perhaps(d)}; }},
    Kind{"switches", Document, [](Draw &d) { return Drawn{d.name(), HashContent{Fields{{"beta", "1"}, {"search", "0"}, {"chat", "1"}}}, perhaps(d)}; }},
    Kind{"cart", Document, [](Draw &d) { return Drawn{d.name(), tableOf(d, {d.uuid(), d.uuid(), "sku"}, 9), perhaps(d)}; }},
    Kind{"visits of one", MayShow, [](Draw &d) { return Drawn{d.name(), tableOf(d, {d.uuid() + ':' + d.number(90)}, 900)}; }},
    Kind{"visits of many", Document, [](Draw &d) { return Drawn{d.name(), tableOf(d, {d.uuid() + ':' + d.number(90), d.uuid() + ':' + d.number(90)}, 900)}; }},
    Kind{"device", Document, [](Draw &d) { return Drawn{d.name(), HashContent{Fields{{"mode", "read"}, {"device", d.uuid()}, {"firmware", "4.1"}}}, perhaps(d)}; }},
    Kind{"modes", MayShow, [](Draw &d) { return Drawn{d.name(), HashContent{Fields{{"mode", "read"}, {d.uuid() + ':' + d.number(90), d.number(90)}}}}; }},
    Kind{"nonces", MayShow, [](Draw &d) { return Drawn{d.name(), SortedSetContent{Scores{{d.bytes(32).toBase64(), double(d.now - 60'000)}, {d.bytes(32).toBase64(), double(d.now - 5000)}}}, milliseconds(d.below(2) ? 86'400'000 : 0)}; }},
    Kind{"leaders", Document, [](Draw &d) { return Drawn{d.name(), SortedSetContent{Scores{{"ann", 5}, {"bob", 70}}}, perhaps(d)}; }},
    Kind{"window", Document, [](Draw &d) { return Drawn{d.name(), SortedSetContent{Scores{{d.uuid(), double(d.now - 900)}, {d.uuid(), double(d.now)}}}, milliseconds(60'000)}; }},
    Kind{"seats", Document, [](Draw &d) { return Drawn{"semaphore:seats:" + d.number(900), SortedSetContent{Scores{{d.uuid(), 5}, {d.uuid(), 6}}}, perhaps(d)}; }},
    Kind{"blocked", Document, [](Draw &d) { return Drawn{d.name(), SetContent{{"192.0.2." + d.number(200), "198.51.100." + d.number(200)}}, perhaps(d)}; }},
    Kind{"queue", Document, [](Draw &d) { return Drawn{d.name(), OtherContent{}, perhaps(d)}; }},
};
// clang-format on

QByteArrayList writing(const QByteArray &key, const KeyContent &content)
{
    QByteArrayList command;
    if (const auto *value = std::get_if<StringContent>(&content)) {
        command = {"SET", key, value->value};
    } else if (const auto *hash = std::get_if<HashContent>(&content)) {
        command = {"HSET", key};
        for (const auto &[field, count] : hash->fields)
            command << field << count;
    } else if (const auto *sorted = std::get_if<SortedSetContent>(&content)) {
        command = {"ZADD", key};
        for (const auto &[member, score] : sorted->members)
            command << QByteArray::number(score, 'f', 0) << member;
    } else if (const auto *set = std::get_if<SetContent>(&content)) {
        command = QByteArrayList{"SADD", key} + set->members;
    } else {
        command = {"RPUSH", key, "a", "b"};
    }
    return command;
}

SampleKey sampleKey(const char *kind, const QByteArray &key, const KeyContent &content, milliseconds ttl,
                    bool isDocument)
{
    return {kind,       LockKey(key),
            content,    ttl > milliseconds(0) ? CompactOptional(ttl) : CompactOptional<milliseconds>(),
            isDocument, writing(key, content)};
}

} // namespace

NonLocks::NonLocks(quint32 seed, qint64 nowMs) : m_random(seed), m_nowMs(nowMs) {}

int NonLocks::kinds()
{
    return static_cast<int>(kindTable.size());
}

SampleKey NonLocks::next()
{
    const Kind &kind = kindTable.at(static_cast<size_t>(m_number++) % kindTable.size());
    Draw draw(m_random, m_nowMs);
    const Drawn drawn = kind.draw(draw);
    return sampleKey(kind.name, drawn.key, drawn.content, drawn.ttl, kind.fate == Document);
}

QList<SampleKey> homeMadeLocks(qint64 nowMs)
{
    const QByteArray uuid = "2f1c64a0-9d7e-4c55-8a43-0b6c1f2e7d10";
    const QByteArray seconds = QByteArray::number(nowMs / 1000);
    constexpr milliseconds none(0);
    constexpr milliseconds lease(30'000);
    const auto text = [](const char *kind, const QByteArray &value, milliseconds ttl,
                         const QByteArray &key = "lock:report") {
        return sampleKey(kind, key, string(value), ttl, false);
    };
    const auto hash = [](const char *kind, const Fields &fields, milliseconds ttl) {
        return sampleKey(kind, "lock:report", HashContent{fields}, ttl, false);
    };
    return {
        text("one", "1", lease),
        text("one without an end", "1", none),
        text("true", "true", lease),
        text("mutex", "mutex", lease),
        text("locked", "LOCKED", lease),
        text("process", "4711", lease),
        text("seconds", seconds, lease),
        text("milliseconds", QByteArray::number(nowMs), lease),
        text("uuid", uuid, lease),
        text("uuid without an end", uuid, none),
        text("uuid under another name", uuid, lease, "orders:running"),
        text("host and process", "web-1:4711", lease),
        text("host, process and time", "web-1.example.org/4711/" + seconds, lease),
        text("user", "ann@example.org", lease),
        text("words", "locked by ann", lease),
        text("pairs", "host=web-1;pid=4711", lease),
        text("a codec's quotes", "\"" + uuid + "\"", lease),
        text("guid in braces", '{' + uuid + '}', lease),
        text("drawn", "01ARZ3NDEKTSV4RRFFQ69G5FAV", lease),
        text("fraction", "0.6491170210265926", lease),
        text("record", R"({"owner":"web-1","pid":4711})", lease),
        text("record without an end", R"({"owner":"web-1","acquired_at":"2026-11-21T10:00:00Z"})", none),
        text("record of anything, with a lease", R"({"id":17,"v":2})", lease),
        text("record of a host", R"({"hostname":"web-1"})", none),
        text("php string", "s:7:\"worker1\";", lease),
        text("java string", QByteArray("\xac\xed\0\x05t\0$", 7) + uuid, lease),
        text("pickled string, protocol 2", QByteArray("\x80\x02X$\0\0\0", 7) + uuid + QByteArray("q\0.", 3),
             lease),
        text("pickled string, protocol 4",
             QByteArray("\x80\x04\x95(\0\0\0\0\0\0\0\x8c$", 13) + uuid + "\x94.", lease),
        text("pickled string, protocol 5",
             QByteArray("\x80\x05\x95\x0c\0\0\0\0\0\0\0\x8c\x08", 13) + "worker-1\x94.", lease),
        text("pickled bytes",
             QByteArray("\x80\x03"
                        "C\x08worker-1q\0.",
                        15),
             lease),
        text("packed string", "\xa8worker-1", lease),
        text("packed string, longer", "\xd9$" + uuid, lease),
        text("igbinary string", QByteArray("\0\0\0\x02\x11\x10yj7MiGl2Ucw7Y5cC", 22), lease),
        hash("counted", {{"worker-1", "2"}}, lease),
        hash("counted, any name", {{"ann", "1"}}, lease),
        hash("record of an owner", {{"owner", "web-1"}, {"acquired_at", seconds}}, lease),
        hash("record of an owner without an end", {{"owner", "web-1"}, {"reason", "nightly"}}, none),
        hash("record of a process", {{"pid", "4711"}, {"hostname", "web-1"}}, lease),
    };
}

bool mayBeRandomBytes(const SampleKey &sample)
{
    const auto *string = std::get_if<StringContent>(&sample.content);
    return string && sample.ttl && namesALock(sample.key.bytes) && string->value.size() >= 16 &&
           string->value.size() <= 64;
}

Lock lockFrom(const SampleKey &sample, qint64 nowMs)
{
    Lock lock;
    lock.address.key = sample.key;
    lock.type = std::holds_alternative<StringContent>(sample.content)      ? KeyType::String
                : std::holds_alternative<HashContent>(sample.content)      ? KeyType::Hash
                : std::holds_alternative<SortedSetContent>(sample.content) ? KeyType::SortedSet
                : std::holds_alternative<SetContent>(sample.content)       ? KeyType::Set
                                                                           : KeyType::Other;
    lock.ttl = sample.ttl;
    lock.readAt = Clock::now();
    if (lock.ttl)
        lock.deadline = Deadline::fromPttl(*lock.ttl, lock.readAt, lock.readAt);
    takeRecognition(lock, recognize(sample.key, sample.content, lock.ttl, nowMs));
    return lock;
}

} // namespace lockscope
