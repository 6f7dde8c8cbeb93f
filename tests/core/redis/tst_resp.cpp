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
    case Reply::Type::Array: {
        QByteArrayList parts;
        for (const Reply &element : reply.elements)
            parts += picture(element);
        return '[' + parts.join(' ') + ']';
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
        QTest::addColumn<QByteArray>("wire");
        QTest::addColumn<QByteArrayList>("expected");

        QTest::newRow("status") << QByteArray("+OK\r\n") << QByteArrayList{"+OK"};
        QTest::newRow("error") << QByteArray("-NOPERM no\r\n") << QByteArrayList{"-NOPERM no"};
        QTest::newRow("integers") << QByteArray(":1\r\n:-9223372036854775808\r\n")
                                  << QByteArrayList{"1", "-9223372036854775808"};
        QTest::newRow("bulk") << QByteArray("$5\r\na\r\nb$\r\n") << QByteArrayList{"\"a%0D%0Ab%24\""};
        QTest::newRow("zero byte") << QByteArray("$1\r\n\0\r\n", 7) << QByteArrayList{"\"%00\""};
        QTest::newRow("empty bulk and nils")
            << QByteArray("$0\r\n\r\n$-1\r\n*-1\r\n*0\r\n") << QByteArrayList{"\"\"", "nil", "nil", "[]"};
        QTest::newRow("nested") << QByteArray("*3\r\n:1\r\n*2\r\n$1\r\na\r\n*1\r\n$-1\r\n-ERR x\r\n:7\r\n")
                                << QByteArrayList{"[1 [\"a\" [nil]] -ERR x]", "7"};
    }

    /// Whatever way the bytes arrive, the same replies come out.
    void decodes()
    {
        QFETCH(QByteArray, wire);
        QFETCH(QByteArrayList, expected);
        for (qsizetype split = 0; split <= wire.size(); ++split) {
            RespReader reader;
            reader.feed(wire.first(split));
            QByteArrayList got = drain(reader);
            reader.feed(wire.sliced(split));
            got += drain(reader);
            QCOMPARE(got, expected);
        }
        RespReader reader;
        QByteArrayList got;
        for (const char &c : wire) {
            reader.feed(QByteArrayView(&c, 1));
            got += drain(reader);
        }
        QCOMPARE(got, expected);
    }

    void refuses_data()
    {
        QTest::addColumn<QByteArray>("wire");
        QTest::addColumn<QByteArray>("reason");

        QTest::newRow("HTTP") << QByteArray("HTTP/1.1 400 Bad Request\r\n")
                              << QByteArray("starts with byte 72");
        QTest::newRow("SSH") << QByteArray("SSH-2.0\r\n") << QByteArray("starts with byte 83");
        QTest::newRow("TLS alert") << QByteArray("\x15\x03\x03") << QByteArray("starts with byte 21");
        QTest::newRow("RESP3 map") << QByteArray("%1\r\n") << QByteArray("starts with byte 37");
        QTest::newRow("empty line") << QByteArray("\r\n") << QByteArray("starts with byte 13");
        QTest::newRow("huge bulk") << QByteArray("$9223372036854775807\r\n") << QByteArray("was announced");
        QTest::newRow("bulk over the limit")
            << QByteArray("$101\r\n") << QByteArray("101 bytes was announced");
        QTest::newRow("length too long for 64 bits")
            << QByteArray("$92233720368547758070\r\n") << QByteArray("no number");
        QTest::newRow("length with junk") << QByteArray("$1x\r\n") << QByteArray("no number");
        QTest::newRow("no length") << QByteArray("$\r\n") << QByteArray("no number");
        QTest::newRow("length -2") << QByteArray("*-2\r\n") << QByteArray("no number");
        QTest::newRow("bare line feed") << QByteArray("$1\na\r\n") << QByteArray("no number");
        // The decoder would go on to the next CR LF, and find an array without limits where we saw a value.
        QTest::newRow("bare line feed after a status")
            << QByteArray("+a\n$13\r\n*1000000000\r\n\r\n") << QByteArray("CR LF");
        QTest::newRow("bare line feed after an integer") << QByteArray(":1\n:2\r\n") << QByteArray("CR LF");
        QTest::newRow("huge array") << QByteArray("*1000000000\r\n") << QByteArray("elements was announced");
        QTest::newRow("many elements in sum")
            << QByteArray("*2\r\n*15\r\n") + QByteArray(":1\r\n").repeated(15) + "*15\r\n"
            << QByteArray("elements was announced");
        QTest::newRow("deep") << QByteArray("*1\r\n*1\r\n*1\r\n*1\r\n") << QByteArray("deeper than 3");
        QTest::newRow("long line") << '+' + QByteArray(60, 'x') << QByteArray("longer than 50");
        QTest::newRow("wrong terminator") << QByteArray("$1\r\naXX") << QByteArray("does not end");
        QTest::newRow("half a wrong terminator") << QByteArray("$1\r\na\rX") << QByteArray("does not end");
        QTest::newRow("large in sum")
            << QByteArray("*5\r\n") + (QByteArray("$90\r\n") + QByteArray(90, 'x') + "\r\n").repeated(5)
            << QByteArray("larger than 400");
        QTest::newRow("integer that is none") << QByteArray(":abc\r\n") << QByteArray("Bad integer");
    }

    void refuses()
    {
        QFETCH(QByteArray, wire);
        QFETCH(QByteArray, reason);
        const QByteArray good = "+before\r\n";
        for (const qsizetype chunk : {good.size() + wire.size(), qsizetype(1), qsizetype(3)}) {
            RespReader reader(small);
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

    void survivesGarbage()
    {
        const quint32 seed = QRandomGenerator::global()->generate();
        qInfo("seed %u", seed);
        QRandomGenerator random(seed);
        const QByteArray alphabet = "+-:$*0123456789\r\n\r\nab";
        for (int round = 0; round < 20'000; ++round) {
            RespReader reader(small);
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
