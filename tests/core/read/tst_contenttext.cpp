// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/read/contenttext.h"

#include <QJsonDocument>
#include <QtTest>

using namespace lockscope;

namespace {

using Type = StoredKey::Type;

StoredKey string(const QByteArray &text)
{
    StoredKey content;
    content.type = Type::String;
    content.text = text;
    return content;
}

StoredKey elements(Type type, const QList<std::pair<QByteArray, QByteArray>> &elements)
{
    StoredKey content;
    content.type = type;
    content.elements = elements;
    return content;
}

} // namespace

class ContentTextTest : public QObject
{
    Q_OBJECT

private slots:
    /// Nothing in a value can pass for something else, or change how the rest is shown.
    void textIsPrintable()
    {
        QCOMPARE(plainText(string("web-1:7\nsecond")), QStringLiteral("web-1:7\nsecond"));
        QCOMPARE(plainText(string("a\\b\r\x1b[2J\xff")), QStringLiteral("a\\\\b\\x0d\\x1b[2J\\xff"));
        QCOMPARE(plainText(string("\xe2\x80\xaegnp")), QStringLiteral("\\u{202e}gnp"));
        QCOMPARE(plainText(elements(Type::Hash, {{"own\ner", "1"}, {"b", "2"}})),
                 QStringLiteral("own\\x0aer: 1\nb: 2"));
        QCOMPARE(plainText(elements(Type::List, {{"a", {}}, {"b", {}}})), QStringLiteral("a\nb"));
        QCOMPARE(plainText({}), QString());
    }

    /// Only blanks are other than in what is stored: numbers of any length stay, and names that stand there twice.
    void jsonIsIndented()
    {
        const QByteArray json = " {\"id\":12345678901234567890.10,\"a\":[ ],\"b\":{},\"a\":[1,"
                                "{\"x\":\"a,:{}\\\"]\"}]}";
        const QString text = jsonText(string(json));
        QCOMPARE(text,
                 QStringLiteral("{\n    \"id\": 12345678901234567890.10,\n    \"a\": [],\n    \"b\": {},\n"
                                "    \"a\": [\n        1,\n        {\n            \"x\": "
                                "\"a,:{}\\\"]\"\n        }\n    ]\n}"));
        QVERIFY(!QJsonDocument::fromJson(text.toUtf8()).isNull());
        QCOMPARE(jsonText(string("[]")), QStringLiteral("[]"));
        for (const char *other : {"", "web-1:7", "{\"a\":1", "{\"a\":1} x", "\xff"})
            QCOMPARE(jsonText(string(other)), QString());
        StoredKey cut = string("{}");
        cut.hasMore = true; // what follows may be anything
        QCOMPARE(jsonText(cut), QString());
        QVERIFY(!jsonText(string("[\"\xe2\x80\xae\"]")).contains(QChar(0x202e)));
    }

    void jsonOfStructures()
    {
        const auto compact = [](const StoredKey &content) {
            return QJsonDocument::fromJson(jsonText(content).toUtf8()).toJson(QJsonDocument::Compact);
        };
        QCOMPARE(compact(elements(Type::Hash, {{"web-1:7", "2"}})), "{\"web-1:7\":\"2\"}");
        QCOMPARE(compact(elements(Type::Hash, {{"\xff", "2"}})),
                 "[{\"field\":\"\\\\xff\",\"field_base64\":\"/w==\",\"value\":\"2\"}]");
        QCOMPARE(compact(elements(Type::SortedSet, {{"a", "1.5"}})),
                 "[{\"member\":\"a\",\"score\":\"1.5\"}]");
        QCOMPARE(compact(elements(Type::List, {{"a", {}}, {"\xff", {}}})),
                 "[\"a\",{\"element\":\"\\\\xff\",\"element_base64\":\"/w==\"}]");
        QCOMPARE(jsonText(elements(Type::Set, {})), QString());
    }

    void hexShowsEachByte()
    {
        QByteArray bytes;
        for (int i = 0; i < 18; ++i)
            bytes += static_cast<char>(i == 0 ? 0xff : 'a' + i);
        QCOMPARE(
            hexText(string(bytes)),
            QStringLiteral("00000000  ff 62 63 64 65 66 67 68 69 6a 6b 6c 6d 6e 6f 70  .bcdefghijklmnop\n"
                           "00000010  71 72                                            qr"));
        QCOMPARE(hexText(string({})), QString());
        QVERIFY(hexText(elements(Type::Hash, {{"a", "1"}})).startsWith(QStringLiteral("00000000  61 ")));
    }
};

QTEST_GUILESS_MAIN(ContentTextTest)
#include "tst_contenttext.moc"
