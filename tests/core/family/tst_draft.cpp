// SPDX-License-Identifier: GPL-3.0-or-later
// What is drafted from a stored key is a family's file in order, by which that key is recognized.
#include "core/family/draft.h"
#include "core/family/familycheck.h"
#include "tests/support/familyreading.h"

using namespace lockscope;

namespace {

struct Row
{
    const char *name;
    QByteArray key;
    KeyContent content;
    QByteArrayList lines; ///< of the draft
    CompactOptional<milliseconds> ttl = milliseconds(30'000);
};

const QByteArray uuid = "3c1f5dc8-2b0a-4f0e-9d4a-0a6c1d0e7f55";

QList<Row> rows()
{
    return {
        {"host and process",
         "inhouse/report",
         StringContent{"web-1!4711"},
         {"name = 'inhouse'", "names.usual = ['inhouse/*']", "value = '{host:word}!{process:digits}'",
          "value = 'web-1!4711'", "ttl = '30s'", "is = 'certain'"}},
        {"host, process and a drawn part",
         "lock:billing:77",
         StringContent{"web-1.example.org-4711-5f2c9a0b1e"},
         {"name = 'billing'", "names.usual = ['lock:billing:*']",
          "value = '{host:rest}-{process:digits}-{:hex(10)}'"}},
        {"a UUID",
         "acme:order:17:lock",
         StringContent{uuid},
         {"names.usual = ['acme:order:*:lock']", "value = '{:uuid}'"}},
        {"a client and its thread",
         "acme:{order:17}",
         StringContent{uuid + ":42"},
         {"names.usual = ['acme:{order:*']", "value = '{client:uuid}:{thread:digits}'"}},
        {"when it was acquired",
         "acme:nightly",
         StringContent{"RUNNING:2025-11-21T20:13:30.123Z@db-7"},
         {"names.usual = ['acme:*']", "value = 'RUNNING:{since:iso-time(24)}@{host:word}'"}},
        {"when it ends",
         "acme_job_17",
         StringContent{"1763756045123"},
         {"names.usual = ['acme_job_*']", "value = '{ends:epoch-ms}'"}},
        {"its end in place of a lease",
         "acme/17/mutex",
         StringContent{"worker3|1763757000"},
         {"names.usual = ['acme/*/mutex']", "value = '{host:word}|{ends:epoch-s}'", "free = ['past-end']",
          "may_lack_expiry = true # the key had none"},
         endless},
        {"labels",
         "acme:a:b",
         StringContent{"pid=4711;host=web-1;tid=3"},
         {"value = 'pid={process:digits};host={host:word};tid={thread:digits}'"}},
        {"random letters, in a codec",
         "acme:x:1",
         StringContent{"s:16:\"a8Xk2PqL09vBnM3z\";"},
         {"value = '{:alnum(16)}'", "wrapped = true"}},
        {"a flag", "acme:maintenance", StringContent{"locked"}, {"value = 'locked'"}},
        {"bytes", "acme:b:9", StringContent{QByteArray("\x00\xfe'\\\x80\n", 6)}, {"value = '{:bytes(6)}'"}},
        {"nothing stored", "acme:e:9", StringContent{""}, {"empty = true"}},
        {"JSON",
         "acme:j:9",
         StringContent{R"({"at":1763756010123,"lockedBy":"web-1:88","tags":["x"],"v":2})"},
         {"[form.json]", "'lockedBy' = '{host:word}:{process:digits}'", "'at' = '{since:epoch-ms}'"}},
        {"a hash of owners",
         "acme:h:9",
         HashContent{{{"web-2:12", "1"}, {"web-1:7", "2"}}},
         {"type = 'hash'", "field = '{host:word}:{process:digits}'", "value = '{holds:digits}'",
          "several_owners = true"}},
        {"a hash that is a record",
         "acme:r:9",
         HashContent{{{"expires_at", "1763756045"}, {"hostname", "web-1"}, {"owner", uuid}, {"pid", "12"}}},
         {"[form.fields]", "'owner' = '{:uuid}'", "'expires_at' = '{ends:epoch-s}'",
          "'hostname' = '{host:word}'", "'pid' = '{process:digits}'"}},
        {"a set",
         "acme:s:9",
         SetContent{{"web-1/12", "web-2/13"}},
         {"type = 'set'", "member = '{host:word}/{process:digits}'", "several_owners = true"}},
        {"a sorted set of ends",
         "acme:z:9",
         SortedSetContent{{{uuid, 1763756040123.0}}},
         {"type = 'sorted-set'", "member = '{:uuid}'", "score = 'ends-ms'"},
         endless},
        {"a sorted set of beginnings",
         "acme:z:8",
         SortedSetContent{{{"a-1", 1763756000.5}, {"a-2", 1763756010.25}}},
         {"score = 'since-s'"}},
        {"what no part is told of",
         "acme:t:1",
         StringContent{"a-1-b-2 (x)/a-1-b-2 (y) " + QByteArray(30, '.')},
         {}},
    };
}

} // namespace

class DraftTest : public QObject
{
    Q_OBJECT

private slots:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral("."))); }

    void aDraftFindsItsLock_data()
    {
        QTest::addColumn<int>("index");
        int index = 0;
        for (const Row &row : rows())
            QTest::newRow(row.name) << index++;
    }
    void aDraftFindsItsLock()
    {
        QFETCH(int, index);
        const Row row = rows().at(index);
        const QByteArray draft = familyDraft(LockKey(row.key), row.content, row.ttl, readAt);
        for (const QByteArray &line : row.lines)
            QVERIFY2(('\n' + draft).contains('\n' + line + '\n'),
                     (line + " is not in:\n" + draft).constData());
        const FamilyFile file(draft);
        QVERIFY2(file.isValid(), draft.constData());
        QCOMPARE(file.examples().size(), 1);
        QVERIFY(checkExamples(file).isEmpty());
        const FamilyExample stored{0, row.key, row.content, row.ttl, readAt, {}, {}};
        QCOMPARE(certaintyIn(file.spec(), stored), QByteArray("certain"));
        QVERIFY2(!draft.contains(uuid) && !draft.contains("a8Xk2PqL09vBnM3z"), draft.constData());
    }

    void whatHasNoFormHasNoDraft()
    {
        QVERIFY(familyDraft(LockKey("a:1"), OtherContent(), {}, readAt).isEmpty());
        QVERIFY(familyDraft(LockKey("a:1"), SetContent(), {}, readAt).isEmpty());
        QVERIFY(familyDraft(LockKey("a:1"), HashContent(), {}, readAt).isEmpty());
        QVERIFY(familyDraft(LockKey("a:1"), SortedSetContent(), {}, readAt).isEmpty());
        QVERIFY(familyDraft(LockKey("a:1"), StringContent{QByteArray(600, 'x')}, {}, readAt).isEmpty());
    }

    void aNameWithoutAConstantPartIsNone()
    {
        const QByteArray draft = familyDraft(LockKey(uuid), StringContent{"web-1!4711"}, {}, readAt);
        QVERIFY2(!familyDraft(LockKey("a:1"), StringContent{"a-1-b-2 (x)/a-1-b-2 (" + uuid + ")"}, {}, readAt)
                      .contains(uuid),
                 "also where no part is told");
        QVERIFY(draft.contains("\n# names.usual = ") && draft.contains("is = 'ambiguous'\n"));
    }

    void anyBytesMakeAFileInOrder()
    {
        QRandomGenerator random(7);
        const QByteArray alphabet = QByteArray("ab-:/|#.{}[]\\'\"@=!7 \n\xe9\x00", 23) + uuid;
        const auto draw = [&] {
            QByteArray text;
            for (int i = random.bounded(1, 24); i > 0; --i)
                text += random.bounded(12) == 0 ? uuid : QByteArray(1, alphabet[random.bounded(23)]);
            return text;
        };
        int drafted = 0;
        for (int i = 0; i < 2000; ++i) {
            const QByteArray key = draw();
            const QByteArray value = draw();
            const bool isHash = i % 2 == 1;
            const KeyContent content =
                isHash ? KeyContent(HashContent{{{value, draw()}}}) : KeyContent(StringContent{value});
            const QByteArray draft = familyDraft(LockKey(key), content, {}, readAt);
            const FamilyFile file(draft);
            drafted += file.isValid() && checkExamples(file).isEmpty();
            QVERIFY2(draft.isEmpty() || file.isValid(), draft.constData());
        }
        QVERIFY2(drafted > 1900, QByteArray::number(drafted).constData());
    }
};

QTEST_GUILESS_MAIN(DraftTest)
#include "tst_draft.moc"
