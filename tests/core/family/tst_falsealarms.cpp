// SPDX-License-Identifier: GPL-3.0-or-later
// What applications keep beside their locks, under names with "lock" in them: no family may claim any of it. Whoever
// acts on a false claim ends a session, or tells another's process that it lost a job.
#include "core/family/certainty.h"
#include "core/family/companionkeys.h"
#include "core/family/recognize.h"
#include "core/family/registry.h"
#include "core/family/shapes.h"

#include <QRandomGenerator>
#include <QUuid>
#include <QtTest>

using namespace lockscope;

namespace {

constexpr qint64 now = 1'763'756'015'123;
/// LOCKSCOPE_SEED draws others.
quint32 seed()
{
    constexpr int usual = 20251121;
    bool isSet = false;
    const int asked = qEnvironmentVariableIntValue("LOCKSCOPE_SEED", &isSet);
    return static_cast<quint32>(isSet ? asked : usual);
}
constexpr int ofEachKind = 250;

const QByteArray lower = "abcdefghijklmnopqrstuvwxyz0123456789";
const QByteArray hexDigits = "0123456789abcdef";
const QByteArray letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
const QByteArray url = letters + "-_";

/// Something of one kind, drawn.
class Draw
{
public:
    int number(int below) { return m_random.bounded(below); }
    QByteArray digits(int below) { return QByteArray::number(number(below)); }
    QByteArray text(const QByteArray &alphabet, int length)
    {
        QByteArray out;
        for (int i = 0; i < length; ++i)
            out += alphabet[number(static_cast<int>(alphabet.size()))];
        return out;
    }
    QByteArray bytes(int length)
    {
        QByteArray out;
        for (int i = 0; i < length; ++i)
            out += static_cast<char>(number(256));
        return out;
    }
    template <typename List>
    auto oneOf(const List &list)
    {
        return list[number(static_cast<int>(list.size()))];
    }
    /// Of version 4, or of version 1 with a time that is long ago.
    QByteArray uuid()
    {
        QByteArray hex = text(hexDigits, 32);
        hex[16] = "89ab"[number(4)];
        hex[12] = '4';
        if (number(3) == 0)
            hex.replace(12, 4, "11e" + text(hexDigits, 1)); // until 2016
        return hex.insert(20, '-').insert(16, '-').insert(12, '-').insert(8, '-');
    }
    QByteArray uuidHex() { return uuid().replace("-", ""); }

    QByteArray name(const QByteArray &what)
    {
        static const QByteArrayList words{"block",      "lock",        "clock",    "blocked-users", "lockout",
                                          "unlock",     "clockwork",   "locker",   "blockchain",    "flock",
                                          "Block",      "lock_screen", "lockdown", "deadlock",      "padlock",
                                          "wall-clock", "blocklist",   "interlock"};
        switch (number(4)) {
        case 0:
            return oneOf(words) + ':' + what + ':' + digits(100'000);
        case 1:
            return what + ':' + oneOf(words) + ':' + digits(100'000);
        case 2:
            return "app:" + digits(9) + ':' + oneOf(words) + '-' + what;
        default:
            return what + '_' + text(lower, 6) + ':' + oneOf(words);
        }
    }

private:
    QRandomGenerator m_random{seed()};
};

/// 16 bytes as base64, where no name says lock. Where one does, nothing tells them from what redsync and bsm/redislock
/// write.
KeyContent digest(Draw &draw)
{
    const QByteArray bytes = draw.bytes(16);
    return StringContent{
        draw.number(2) ? bytes.toBase64()
                       : bytes.toBase64(QByteArray::Base64UrlEncoding | QByteArray::OmitTrailingEquals)};
}

QByteArray json(Draw &draw)
{
    const QByteArray user = draw.digits(100'000);
    switch (draw.number(4)) {
    case 0:
        return "{\"id\":" + user + ",\"token\":\"" + draw.uuid() + "\",\"locked\":true}";
    case 1:
        return "[" + user + ",\"" + draw.uuidHex() + "\"]";
    case 2:
        return '"' + draw.uuid() + '"';
    default:
        return "{ \"host\": \"web-1\", \"pid\": " + user + " }";
    }
}

QByteArray sessionValue(Draw &draw)
{
    switch (draw.number(6)) {
    case 0: // a signed one
        return "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9." + draw.text(url, 60) + '.' + draw.text(url, 43);
    case 1:
        return "s:" + draw.text(url, 32) + '.' + draw.bytes(32).toBase64();
    case 2:
        return draw.text(lower, 26);
    case 3:
        return draw.text(letters, 32);
    case 4:
        return draw.bytes(20).toBase64();
    default:
        return "user_" + draw.digits(1000) + '_' + draw.bytes(16).toHex();
    }
}

KeyContent idempotencyKey(Draw &draw)
{
    const QByteArrayList values{"processed",
                                "pending",
                                draw.uuid(),
                                draw.uuidHex(),
                                draw.bytes(32).toHex(),
                                draw.bytes(20).toHex(),
                                "ch_" + draw.text(letters, 24),
                                draw.text(letters, 21),
                                "req-" + draw.uuid(),
                                draw.uuid() + ":pending",
                                draw.text(url, 23),
                                draw.bytes(32).toBase64()};
    return StringContent{draw.oneOf(values)};
}

KeyContent counter(Draw &draw)
{
    const QByteArrayList values{draw.digits(10),
                                draw.digits(1'000'000'000),
                                "0",
                                "-3",
                                "1.5",
                                QByteArray::number(now - draw.number(1'000'000)),
                                "1763756015"};
    return StringContent{draw.oneOf(values)};
}

KeyContent cacheEntry(Draw &draw)
{
    const QByteArrayList values{"<html><body>a</body></html>",
                                "O:8:\"stdClass\":0:{}",
                                "b:1;",
                                draw.bytes(64),
                                draw.bytes(16),
                                "s:5:\"hello\";",
                                "\x1f\x8b" + draw.bytes(30),
                                "W/\"" + draw.text(letters, 22) + '"',
                                "Mon, 21 Nov 2025 20:13:35 GMT",
                                "2025-11-21T20:13:35Z",
                                "https://example.org/a@b",
                                "ann@example.org",
                                "10.0.0." + draw.digits(255),
                                "web-1:" + draw.digits(65'000),
                                "v1." + draw.digits(20) + ".0"};
    return StringContent{draw.oneOf(values)};
}

KeyContent featureFlag(Draw &draw)
{
    return StringContent{
        draw.oneOf(QByteArrayList{"1", "0", "true", "false", "on", "off", "enabled", "canary", "50%"})};
}

KeyContent userRecord(Draw &draw)
{
    HashContent hash;
    hash.fields = {{"id", draw.digits(100'000)},
                   {"age", draw.digits(90)},
                   {"visits", draw.digits(1000)},
                   {"name", "Ann"},
                   {"token", draw.uuid()},
                   {"locked", draw.digits(2)},
                   {"mode", draw.number(2) ? "read" : "dark"},
                   {draw.uuid(), draw.digits(9)}};
    hash.fields = hash.fields.mid(draw.number(3), 1 + draw.number(5));
    return hash;
}

KeyContent cart(Draw &draw)
{
    HashContent hash;
    for (int i = draw.number(6); i >= 0; --i)
        hash.fields.append({draw.number(2) ? draw.uuid() : "sku:" + draw.digits(1000), draw.digits(9)});
    return hash;
}

/// Fields as Redisson names its owners, but too many of them.
KeyContent statistics(Draw &draw)
{
    HashContent hash;
    for (int i = 5 + draw.number(20); i > 0; --i)
        hash.fields.append({draw.uuid() + ':' + draw.digits(100), draw.digits(1000)});
    return hash;
}

KeyContent accounts(Draw &draw)
{
    HashContent hash;
    for (int i = draw.number(4); i >= 0; --i)
        hash.fields.append({draw.bytes(12).toHex(), QByteArray::number(now / 1000 - draw.number(1000))});
    return hash;
}

KeyContent leaders(Draw &draw)
{
    SortedSetContent set;
    const int kind = draw.number(5);
    for (int i = draw.number(8); i >= 0; --i) {
        const QByteArrayList members{"player" + draw.digits(1000), draw.uuid(), draw.bytes(32).toBase64(),
                                     "user_" + draw.digits(1000) + '_' + draw.bytes(16).toHex(),
                                     draw.bytes(20).toHex()};
        set.members.append(
            {members[kind], draw.number(2) ? draw.number(10'000) : static_cast<double>(now - 5e9)});
    }
    std::ranges::sort(set.members, {}, [](const auto &m) { return m.second; });
    return set;
}

KeyContent group(Draw &draw)
{
    return SetContent{{draw.uuid(), "user_" + draw.digits(1000), draw.bytes(20).toHex()}};
}

using Kind = KeyContent (*)(Draw &);

} // namespace

class TestFalseAlarms : public QObject
{
    Q_OBJECT

private slots:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }

    void claimsNothing_data()
    {
        QTest::addColumn<Kind>("kind");
        const auto row = [](const char *name, Kind kind) { QTest::newRow(name) << kind; };
        row("session", [](Draw &draw) -> KeyContent { return StringContent{sessionValue(draw)}; });
        row("uuid", [](Draw &draw) -> KeyContent { return StringContent{draw.uuid()}; });
        row("uuid-hex", [](Draw &draw) -> KeyContent { return StringContent{draw.uuidHex()}; });
        row("digest", digest);
        row("json", [](Draw &draw) -> KeyContent { return StringContent{json(draw)}; });
        row("idempotency", idempotencyKey);
        row("counter", counter);
        row("cache", cacheEntry);
        row("flag", featureFlag);
        row("user", userRecord);
        row("cart", cart);
        row("statistics", statistics);
        row("accounts", accounts);
        row("leaders", leaders);
        row("members", group);
    }

    void claimsNothing()
    {
        QFETCH(const Kind, kind);
        Draw draw;
        for (int i = 0; i < ofEachKind; ++i) {
            LockKey key(draw.name(QTest::currentDataTag()));
            while (kind == digest && namesALock(key.bytes))
                key = LockKey(draw.name(QTest::currentDataTag()));
            const KeyContent content = kind(draw);
            const CompactOptional<milliseconds> ttl =
                draw.number(3) ? CompactOptional(milliseconds(1 + draw.number(3'600'000)))
                               : CompactOptional<milliseconds>();
            const Recognition found = recognize(key, content, ttl, now);
            const FamilySpec &facts = specOf(found.family);
            QByteArray what = key.bytes + " is said to be " + facts.name;
            if (!found.owners.isEmpty())
                what += " of " + found.owners[0].owner.bytes;
            QVERIFY2(certaintyOf(found.family, found.evidence) == Certainty::Ambiguous, what.constData());
            QVERIFY2(found.attachedTo.isEmpty(), what.constData());
            QVERIFY2(!isCompanion(key.bytes), what.constData());
        }
    }
};

QTEST_GUILESS_MAIN(TestFalseAlarms)
#include "tst_falsealarms.moc"
