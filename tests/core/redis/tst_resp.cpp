// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/redis/resp.h"

#include <QRandomGenerator>
#include <QtTest>

using namespace lockscope;

namespace {

/// A reply as one line of text, so that expected trees can be read.
QByteArray picture(const Reply &reply)
{
    switch (reply.type) {
    case Reply::Type::Nil:
        return "nil";
    case Reply::Type::Integer:
        return QByteArray::number(reply.integer);
    case Reply::Type::Text:
        return '"' + reply.text.toPercentEncoding(" :") + '"';
    case Reply::Type::Status:
        return '+' + reply.text;
    case Reply::Type::Error:
        return '-' + reply.text;
    case Reply::Type::Array:
    case Reply::Type::Push: {
        QByteArrayList parts;
        for (const Reply &element : reply.elements)
            parts += picture(element);
        return (reply.isPush() ? ">[" : "[") + parts.join(' ') + ']';
    }
    }
    return {};
}

/// Every reply in `reader` by now; ends with "!" and the reason where the stream is refused.
QByteArrayList drain(RespReader &reader)
{
    QByteArrayList pictures;
    for (;;) {
        const Result<std::optional<Reply>> next = reader.next();
        if (!next) {
            if (next.error().kind != ErrorKind::ProtocolError)
                pictures += "wrong kind";
            return pictures += '!' + next.error().text();
        }
        if (!*next)
            return pictures;
        pictures += picture(**next);
    }
}

constexpr RespLimits small{
    .bulkBytes = 100, .replyBytes = 400, .replyElements = 20, .lineBytes = 50, .depth = 3};

} // namespace

class TestResp : public QObject
{
    Q_OBJECT

private slots:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }

    void decodes_data()
    {
        QTest::addColumn<RespVersion>("version");
        QTest::addColumn<QByteArray>("wire");
        QTest::addColumn<QByteArrayList>("expected");

        QTest::newRow("status") << RespVersion::Resp2 << QByteArray("+OK\r\n") << QByteArrayList{"+OK"};
        QTest::newRow("error") << RespVersion::Resp2 << QByteArray("-NOPERM no\r\n")
                               << QByteArrayList{"-NOPERM no"};
        QTest::newRow("integers") << RespVersion::Resp2 << QByteArray(":1\r\n:-9223372036854775808\r\n")
                                  << QByteArrayList{"1", "-9223372036854775808"};
        QTest::newRow("bulk") << RespVersion::Resp2 << QByteArray("$5\r\na\r\nb$\r\n")
                              << QByteArrayList{"\"a%0D%0Ab%24\""};
        QTest::newRow("zero byte") << RespVersion::Resp2 << QByteArray("$1\r\n\0\r\n", 7)
                                   << QByteArrayList{"\"%00\""};
        QTest::newRow("empty bulk and nils")
            << RespVersion::Resp2 << QByteArray("$0\r\n\r\n$-1\r\n*-1\r\n*0\r\n")
            << QByteArrayList{"\"\"", "nil", "nil", "[]"};
        QTest::newRow("nested") << RespVersion::Resp2
                                << QByteArray("*3\r\n:1\r\n*2\r\n$1\r\na\r\n*1\r\n$-1\r\n-ERR x\r\n:7\r\n")
                                << QByteArrayList{"[1 [\"a\" [nil]] -ERR x]", "7"};

        const auto row = [](const char *name, const QByteArray &wire, const QByteArrayList &expected) {
            QTest::newRow(name) << RespVersion::Resp3 << wire << expected;
        };
        row("RESP3: what RESP2 has",
            "+OK\r\n-ERR x\r\n:-5\r\n$3\r\na\r\n\r\n*2\r\n:1\r\n$-1\r\n*-1\r\n*0\r\n",
            {"+OK", "-ERR x", "-5", "\"a%0D%0A\"", "[1 nil]", "nil", "[]"});
        row("null", "_\r\n", {"nil"});
        row("booleans", "#t\r\n#f\r\n", {"1", "0"});
        row("doubles", ",1.5\r\n,-3\r\n,1e10\r\n,inf\r\n,-inf\r\n,nan\r\n",
            {"\"1.5\"", "\"-3\"", "\"1e10\"", "\"inf\"", "\"-inf\"", "\"nan\""});
        row("big numbers", "(3492890328409238509324850943850943825024385\r\n(-12\r\n(+1\r\n",
            {"\"3492890328409238509324850943850943825024385\"", "\"-12\"", "\"%2B1\""});
        row("verbatim", "=15\r\ntxt:Some string\r\n=4\r\nmkd:\r\n=7\r\ntxt:\r\n:\r\n",
            {"\"Some string\"", "\"\"", "\"%0D%0A:\""});
        row("bulk errors", "!21\r\nSYNTAX invalid syntax\r\n!7\r\nERR\r\na\n\r\n!0\r\n\r\n:1\r\n",
            {"-SYNTAX invalid syntax", "-ERR  a ", "-", "1"});
        row("map", "%2\r\n+first\r\n:1\r\n$6\r\nsecond\r\n,2\r\n%0\r\n",
            {"[+first 1 \"second\" \"2\"]", "[]"});
        row("set", "~3\r\n:1\r\n#t\r\n_\r\n~0\r\n", {"[1 1 nil]", "[]"});
        row("pushes between replies",
            "+a\r\n>2\r\n$10\r\ninvalidate\r\n*1\r\n$1\r\nk\r\n>2\r\n$10\r\ninvalidate\r\n_\r\n*1\r\n:1\r\n>"
            "0\r\n+b\r\n",
            {"+a", ">[\"invalidate\" [\"k\"]]", ">[\"invalidate\" nil]", "[1]", ">[]", "+b"});
        row("nested", "%1\r\n~1\r\n%1\r\n#f\r\n*2\r\n_\r\n=5\r\ntxt:x\r\n!3\r\nERR\r\n:7\r\n",
            {"[[[0 [nil \"x\"]]] -ERR]", "7"});
        row("attributes",
            "|1\r\n+ttl\r\n:3600\r\n*3\r\n:1\r\n|2\r\n$2\r\n\r\n\r\n%1\r\n+a\r\n*1\r\n=5\r\ntxt:y\r\n!"
            "1\r\nz\r\n_\r\n:2\r\n|0\r\n:3\r\n+end\r\n",
            {"[1 2 3]", "+end"});
        row("attributes of attributes", "|1\r\n|1\r\n+a\r\n:1\r\n+b\r\n:2\r\n|1\r\n+c\r\n:3\r\n:4\r\n",
            {"4"});
        row("an attribute of a push", "|1\r\n+a\r\n:1\r\n>1\r\n+x\r\n+OK\r\n", {">[+x]", "+OK"});
    }

    /// Whatever way the bytes arrive, the same replies come out.
    void decodes()
    {
        QFETCH(RespVersion, version);
        QFETCH(QByteArray, wire);
        QFETCH(QByteArrayList, expected);
        for (qsizetype split = 0; split <= wire.size(); ++split) {
            RespReader reader({}, version);
            reader.feed(wire.first(split));
            QByteArrayList got = drain(reader);
            reader.feed(wire.sliced(split));
            got += drain(reader);
            QCOMPARE(got, expected);
        }
        RespReader reader({}, version);
        QByteArrayList got;
        for (const char &c : wire) {
            reader.feed(QByteArrayView(&c, 1));
            got += drain(reader);
        }
        QCOMPARE(got, expected);
    }

    void refuses_data()
    {
        QTest::addColumn<RespVersion>("version");
        QTest::addColumn<QByteArray>("wire");
        QTest::addColumn<QByteArray>("reason");

        QTest::newRow("HTTP") << RespVersion::Resp2 << QByteArray("HTTP/1.1 400 Bad Request\r\n")
                              << QByteArray("unknown reply type: byte 72");
        QTest::newRow("SSH") << RespVersion::Resp2 << QByteArray("SSH-2.0\r\n")
                             << QByteArray("unknown reply type: byte 83");
        QTest::newRow("TLS alert") << RespVersion::Resp2 << QByteArray("\x15\x03\x03")
                                   << QByteArray("unknown reply type: byte 21");
        for (const char type : QByteArrayView("%~>_#,(=!|"))
            QTest::addRow("RESP3 in RESP2: %c", type)
                << RespVersion::Resp2 << type + QByteArray("1\r\n")
                << QByteArray("unknown reply type: byte " + QByteArray::number(type));
        QTest::newRow("empty line") << RespVersion::Resp2 << QByteArray("\r\n")
                                    << QByteArray("unknown reply type: byte 13");
        QTest::newRow("huge bulk") << RespVersion::Resp2 << QByteArray("$9223372036854775807\r\n")
                                   << QByteArray("was announced");
        QTest::newRow("bulk over the limit")
            << RespVersion::Resp2 << QByteArray("$101\r\n") << QByteArray("101 bytes was announced");
        QTest::newRow("length too long for 64 bits")
            << RespVersion::Resp2 << QByteArray("$92233720368547758070\r\n") << QByteArray("invalid length");
        QTest::newRow("length with junk")
            << RespVersion::Resp2 << QByteArray("$1x\r\n") << QByteArray("invalid length");
        QTest::newRow("no length") << RespVersion::Resp2 << QByteArray("$\r\n")
                                   << QByteArray("invalid length");
        QTest::newRow("length -2") << RespVersion::Resp2 << QByteArray("*-2\r\n")
                                   << QByteArray("invalid length");
        QTest::newRow("bare line feed")
            << RespVersion::Resp2 << QByteArray("$1\na\r\n") << QByteArray("invalid length");
        // The decoder would go on to the next CR LF, and find an array without limits where we saw a value.
        QTest::newRow("bare line feed after a status")
            << RespVersion::Resp2 << QByteArray("+a\n$13\r\n*1000000000\r\n\r\n") << QByteArray("CR LF");
        QTest::newRow("bare line feed after an integer")
            << RespVersion::Resp2 << QByteArray(":1\n:2\r\n") << QByteArray("CR LF");
        QTest::newRow("huge array") << RespVersion::Resp2 << QByteArray("*1000000000\r\n")
                                    << QByteArray("elements was announced");
        QTest::newRow("huge array inside")
            << RespVersion::Resp2 << QByteArray("*2\r\n*9223372036854775807\r\n")
            << QByteArray("elements was announced");
        QTest::newRow("many elements in sum")
            << RespVersion::Resp2
            << QByteArray("*2\r\n*15\r\n") + QByteArray(":1\r\n").repeated(15) + "*15\r\n"
            << QByteArray("elements was announced");
        QTest::newRow("deep") << RespVersion::Resp2 << QByteArray("*1\r\n*1\r\n*1\r\n*1\r\n")
                              << QByteArray("deeper than 3");
        QTest::newRow("long line") << RespVersion::Resp2 << '+' + QByteArray(60, 'x')
                                   << QByteArray("longer than 50");
        QTest::newRow("wrong terminator")
            << RespVersion::Resp2 << QByteArray("$1\r\naXX") << QByteArray("wrong length");
        QTest::newRow("half a wrong terminator")
            << RespVersion::Resp2 << QByteArray("$1\r\na\rX") << QByteArray("wrong length");
        QTest::newRow("large in sum")
            << RespVersion::Resp2
            << QByteArray("*5\r\n") + (QByteArray("$90\r\n") + QByteArray(90, 'x') + "\r\n").repeated(5)
            << QByteArray("larger than 400");
        QTest::newRow("integer that is none")
            << RespVersion::Resp2 << QByteArray(":abc\r\n") << QByteArray("Bad integer");

        const auto row = [](const char *name, const QByteArray &wire, const char *reason) {
            QTest::newRow(name) << RespVersion::Resp3 << wire << QByteArray(reason);
        };
        row("RESP3: HTTP", "HTTP/1.1 400 Bad Request\r\n", "unknown reply type: byte 72");
        row("streamed string", "$?\r\n;4\r\nHell\r\n;0\r\n", "invalid length");
        row("streamed array", "*?\r\n:1\r\n.\r\n", "invalid length");
        row("streamed set", "~?\r\n", "invalid length");
        row("streamed map", "%?\r\n", "invalid length");
        row("streamed push", ">?\r\n", "invalid length");
        row("a chunk", ";4\r\nHell\r\n", "unknown reply type: byte 59");
        row("the end of what was streamed", ".\r\n", "unknown reply type: byte 46");
        for (const char type : QByteArrayView("%~>|=!"))
            QTest::addRow("length -1 of %c", type)
                << RespVersion::Resp3 << type + QByteArray("-1\r\n") << QByteArray("invalid length");
        row("a null with something", "_x\r\n", "Bad integer");
        row("a boolean that is none", "#true\r\n", "Bad integer");
        row("an empty boolean", "#\r\n", "Bad integer");
        row("a double that is none", ",1.5x\r\n", "Bad integer");
        row("an empty double", ",\r\n", "Bad integer");
        row("a big number that is none", "(12e4\r\n", "Bad integer");
        row("a sign alone", "(-\r\n", "Bad integer");
        row("bare line feed after a null", "_\n\r\n", "CR LF");
        row("bare line feed after a double", ",1\n5\r\n", "CR LF");
        row("bare line feed after a length", "%1\n:1\r\n", "invalid length");
        row("verbatim without room for its type", "=3\r\ntxt\r\n", "wrong length");
        row("verbatim without its type", "=5\r\nhello\r\n", "wrong length");
        row("verbatim with a wrong terminator", "=5\r\ntxt:xXX", "wrong length");
        row("verbatim over the limit", "=101\r\n", "101 bytes was announced");
        row("bulk error with a wrong terminator", "!1\r\na\rX", "wrong length");
        row("bulk error over a line's limit", "!51\r\n", "51 bytes was announced");
        row("long big number", '(' + QByteArray(60, '1'), "longer than 50");
        row("push inside an array", "*1\r\n>1\r\n:1\r\n", "unknown reply type: byte 62");
        row("push inside a push", ">1\r\n>1\r\n:1\r\n", "unknown reply type: byte 62");
        row("push inside an attribute", "|1\r\n>1\r\n:1\r\n", "unknown reply type: byte 62");
        row("huge map", "%9223372036854775807\r\n", "elements was announced");
        row("map over the limit", "%11\r\n", "elements was announced");
        row("attribute over the limit", "|11\r\n", "elements was announced");
        row("huge set inside", "*2\r\n~9223372036854775807\r\n", "elements was announced");
        row("many elements in sum, attributes too", "|5\r\n" + QByteArray("_\r\n").repeated(10) + "~11\r\n",
            "elements was announced");
        row("deep in RESP3", "%1\r\n~1\r\n*1\r\n~1\r\n", "deeper than 3");
        row("deep in an attribute", "|1\r\n~1\r\n*1\r\n|1\r\n", "deeper than 3");
        row("attributes without end", QByteArray("|0\r\n").repeated(101), "larger than 400");
        row("large in attributes",
            "|5\r\n" + QByteArray("$90\r\n" + QByteArray(90, 'x') + "\r\n").repeated(5), "larger than 400");
    }

    void refuses()
    {
        QFETCH(RespVersion, version);
        QFETCH(QByteArray, wire);
        QFETCH(QByteArray, reason);
        const QByteArray good = "+before\r\n";
        for (const qsizetype chunk : {good.size() + wire.size(), qsizetype(1), qsizetype(3)}) {
            RespReader reader(small, version);
            QByteArrayList got;
            const QByteArray all = good + wire;
            for (qsizetype i = 0; i < all.size(); i += chunk) {
                reader.feed(QByteArrayView(all).sliced(i).first(std::min(chunk, all.size() - i)));
                got += drain(reader);
                if (!got.isEmpty() && got.last().startsWith('!'))
                    break;
            }
            QVERIFY2(got.size() == 2, got.join(' ').constData());
            QCOMPARE(got[0], "+before");
            QVERIFY2(got[1].contains(reason), got[1].constData());
        }
    }

    void limitsCountPerReply()
    {
        RespReader reader(small);
        for (int i = 0; i < 100; ++i) {
            reader.feed("*3\r\n$60\r\n" + QByteArray(60, 'x') + "\r\n:1\r\n:2\r\n");
            QCOMPARE(drain(reader).size(), 1);
        }
    }

    /// Random RESP3, written together with what it means, in random pieces.
    void decodesRandomResp3()
    {
        const quint32 seed = QRandomGenerator::global()->generate();
        qInfo("seed %u", seed);
        QRandomGenerator random(seed);
        const auto line = [](char type, const QByteArray &value) { return type + value + "\r\n"; };
        const auto bulk = [](char type, const QByteArray &value) {
            return type + QByteArray::number(value.size()) + "\r\n" + value + "\r\n";
        };
        // Appends a value to `wire`, and gives its picture.
        const auto write = [&](QByteArray &wire, int depth, const auto &self) -> QByteArray {
            const auto elements = [&](char type, int count) {
                wire += line(type, QByteArray::number(type == '%' || type == '|' ? count / 2 : count));
                QByteArrayList pictures;
                for (int i = 0; i < count; ++i)
                    pictures += self(wire, depth - 1, self);
                return '[' + pictures.join(' ') + ']';
            };
            if (depth > 0 && random.bounded(6) == 0)
                std::ignore = elements('|', 2 * random.bounded(3)); // means nothing
            const int number = random.bounded(-1000, 1000);
            const QByteArray text = random.bounded(2) ? QByteArray("a\r\n%|>_b") : QByteArray::number(number);
            switch (random.bounded(depth > 0 ? 13 : 10)) {
            case 0:
                return wire += line('+', "x y"), "+x y";
            case 1:
                return wire += line(':', QByteArray::number(number)), QByteArray::number(number);
            case 2:
                return wire += bulk('$', text), '"' + text.toPercentEncoding(" :") + '"';
            case 3:
                return wire += line('_', {}), "nil";
            case 4:
                return wire += line('#', number < 0 ? "t" : "f"), number < 0 ? "1" : "0";
            case 5:
                return wire += line(',', QByteArray::number(number) + ".25"),
                       '"' + QByteArray::number(number) + ".25\"";
            case 6:
                return wire += line('(', "123456789012345678901234567890"),
                       "\"123456789012345678901234567890\"";
            case 7:
                return wire += bulk('=', "txt:" + text), '"' + text.toPercentEncoding(" :") + '"';
            case 8:
                return wire += bulk('!', "ERR\nno"), "-ERR no";
            case 9:
                return wire += line('-', "ERR no"), "-ERR no";
            case 10:
                return elements('*', random.bounded(4));
            case 11:
                return elements('~', random.bounded(4));
            default:
                return elements('%', 2 * random.bounded(3));
            }
        };
        for (int round = 0; round < 2'000; ++round) {
            QByteArray wire;
            QByteArrayList expected;
            for (int replies = random.bounded(1, 6); replies > 0; --replies) {
                if (random.bounded(3) == 0) {
                    wire += ">2\r\n$10\r\ninvalidate\r\n";
                    expected += ">[\"invalidate\" " + write(wire, 3, write) + ']';
                }
                expected += write(wire, 4, write);
            }
            RespReader reader({}, RespVersion::Resp3);
            QByteArrayList got;
            for (qsizetype at = 0; at < wire.size();) {
                const qsizetype size = std::min<qsizetype>(random.bounded(1, 40), wire.size() - at);
                reader.feed(QByteArrayView(wire).sliced(at, size));
                got += drain(reader);
                at += size;
            }
            QVERIFY2(got == expected, wire + "\n\n" + got.join('\n') + "\n\n" + expected.join('\n'));
        }
    }

    void survivesGarbage_data()
    {
        QTest::addColumn<RespVersion>("version");
        QTest::addColumn<QByteArray>("alphabet");
        QTest::newRow("RESP2") << RespVersion::Resp2 << QByteArray("+-:$*0123456789\r\n\r\nab");
        QTest::newRow("RESP3") << RespVersion::Resp3
                               << QByteArray("+-:$*%~>|_#,(=!012345:tf.\r\n\r\n\r\n\r\nab?");
    }

    void survivesGarbage()
    {
        QFETCH(RespVersion, version);
        QFETCH(QByteArray, alphabet);
        const quint32 seed = QRandomGenerator::global()->generate();
        qInfo("seed %u", seed);
        QRandomGenerator random(seed);
        for (int round = 0; round < 20'000; ++round) {
            RespReader reader(small, version);
            for (int feeds = random.bounded(1, 4); feeds > 0; --feeds) {
                QByteArray bytes;
                for (int i = random.bounded(40); i > 0; --i)
                    bytes += alphabet[random.bounded(int(alphabet.size()))];
                reader.feed(bytes);
                const QByteArrayList got = drain(reader);
                QVERIFY(!got.contains("wrong kind"));
            }
        }
    }

    void encodesAnyBytes()
    {
        QByteArray wire;
        const QByteArrayView command[] = {"SET", QByteArrayView("k\0\r\n", 4), ""};
        appendCommand(wire, command);
        QCOMPARE(wire, QByteArray("*3\r\n$3\r\nSET\r\n$4\r\nk\0\r\n\r\n$0\r\n\r\n", 29));
    }
};

QTEST_GUILESS_MAIN(TestResp)
#include "tst_resp.moc"
