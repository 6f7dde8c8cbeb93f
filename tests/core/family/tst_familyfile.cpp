// SPDX-License-Identifier: GPL-3.0-or-later
// What is wrong in a family's file is told with its place, and nothing in a file does more harm than to be refused.
#include "core/family/familycheck.h"
#include "core/family/familyfile.h"
#include "core/family/familykeys.h"

#include <QtTest>

using namespace lockscope;

namespace {

const QByteArray smallest = "name = \"mine\"\n[[form]]\nvalue = \"{:uuid}\"\n";

/// "2:7 expected true or false" of the first fault.
QByteArray firstFault(const QByteArray &text)
{
    const FamilyFile file(text);
    if (file.isValid())
        return "none";
    const FileFault &fault = file.faults().front();
    return QByteArray::number(fault.line) + ':' + QByteArray::number(fault.column) + ' ' +
           fault.what.inEnglish().toUtf8();
}

} // namespace

class FamilyFileTest : public QObject
{
    Q_OBJECT

private slots:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral("."))); }

    void whatIsNotWrittenHasADefault()
    {
        const FamilyFile file(smallest);
        QVERIFY(file.isValid());
        const FamilySpec &spec = file.spec();
        QCOMPARE(QByteArray(spec.name), QByteArray("mine"));
        QCOMPARE(QByteArray(spec.noun), QByteArray("mine lock"));
        QCOMPARE(QByteArray(spec.stored), QByteArray("string: `{:uuid}`"));
        QCOMPARE(spec.version, 1);
        QCOMPARE(spec.prevalence, 30);
        QCOMPARE(spec.ownerImpact, OwnerImpact::Unknown);
        QCOMPARE(spec.acquire, AcquireSupport::NoScript);
        QCOMPARE(spec.scripts, &tokenScripts);
        QCOMPARE(spec.forms->forms.front().elsewhere, UnusualNameMatch::Content);
        QVERIFY(spec.strings.contains(TokenFormat::Uuid) && !spec.strings.contains(TokenFormat::Hex32));
        QVERIFY(!spec.translations && !spec.renews && !spec.canLackExpiry && spec.usualNames.isEmpty());
    }

    /// The parser takes some of them for impossible there.
    void lettersBeyondAsciiStandInQuotesAndComments()
    {
        const FamilyFile quoted(
            "# 锁。\nname = \"mine\" # …\ntitle = '我的锁。'\nsource = \"\"\"a\\\"。\n，b\"\"\"\n"
            "form = [{ value = '''{:uuid}。''' }]\n");
        QVERIFY(quoted.isValid());
        for (const auto &[text, line, column] :
             {std::tuple(QByteArray("name = \"mine\"。\n"), 1, 14),
              std::tuple(QByteArray("name = 'a\n\n 。"), 3, 2), std::tuple(QByteArray("。"), 1, 1),
              std::tuple(QByteArray("a = '' \xff"), 1, 8)}) {
            const FamilyFile stray(text);
            QVERIFY(!stray.isValid());
            QCOMPARE(stray.faults().front().line, line);
            QCOMPARE(stray.faults().front().column, column);
        }
    }

    /// Of a hash: of all fields that have such parts.
    void aRecordsOtherFieldsAreFacts()
    {
        const FamilyFile file(
            "name = 'mine'\n[[form]]\ntype = 'hash'\nfields = { by = '{owner:word}', on = '{host:word}', "
            "kind = '{class:word}', from = '{queue:word}', at = '{since:epoch-s}', note = '{:rest}' "
            "}\n[[example]]\n"
            "key = 'k'\nfields = { by = 'ann', on = 'web-1', kind = 'Mail', from = 'low', at = '1795737599', "
            "note = 'x' }\n"
            "owner = 'ann'\nhost = 'web-1'\nclass = 'Mail'\nqueue = 'low'\nsince = "
            "'2026-11-26T23:59:59Z'\nis = 'ambiguous'\n");
        QVERIFY2(file.isValid(), file.isValid() ? "" : qPrintable(file.faults().front().what.inEnglish()));
        for (const FileFault &fault : checkExamples(file))
            QFAIL(qPrintable(fault.what.inEnglish()));
    }

    void whatIsWrittenIsRead()
    {
        const FamilyFile file(R"(name = "mine"
title = "My lock"
version = 3
prevalence = 70
renewed = true
may_lack_expiry = true
several_owners = true
holder_after_end = "deletes-next-lock"
acquire = "supported"
proof = "hint"
runbook = "https://example.org/locks"
contact = "#ops"
probe = "ssh {host}"
clients = "redis-py"
[names]
usual = ["mine:*", "*:mine"]
not = ["mine:not:*"]
discover = "hint"
lock_word = true
[[form]]
type = "hash"
fields = { id = "{owner:uuid}", "at?" = "{since:epoch-s}" }
mode = "read"
elsewhere = "candidate"
longest_lease = "1.5m"
oldest = "2d"
[effects]
holder = "It stops."
[zh]
title = "我的锁"
holder = "它会停止。"
)");
        QVERIFY(file.isValid());
        const FamilySpec &spec = file.spec();
        QCOMPARE(QByteArray(spec.noun), QByteArray("My lock"));
        QCOMPARE(spec.version, 3);
        QCOMPARE(spec.prevalence, 70);
        QVERIFY(spec.renews && spec.canLackExpiry && spec.severalOwners && spec.forms->anyLockName);
        QCOMPARE(spec.ownerImpact, OwnerImpact::DeletesNextLock);
        QCOMPARE(spec.acquire, AcquireSupport::Supported);
        QCOMPARE(spec.discovery, Discovery::Hint);
        QCOMPARE(spec.scripts, &recordScripts);
        QCOMPARE(QByteArray(spec.runbook), QByteArray("https://example.org/locks"));
        QCOMPARE(QByteArray(spec.contact), QByteArray("#ops"));
        QCOMPARE(QByteArray(spec.probe), QByteArray("ssh {host}"));
        QCOMPARE(QByteArray(spec.clients), QByteArray("redis-py"));
        QCOMPARE(QByteArray(spec.ownerEffect), QByteArray("It stops."));
        QCOMPARE(QByteArray(spec.translations->noun), QByteArray("我的锁"));
        QCOMPARE(QByteArray(spec.translations->ownerEffect), QByteArray("它会停止。"));
        const Form &form = spec.forms->forms.front();
        QCOMPARE(form.type, KeyType::Hash);
        QCOMPARE(form.mode, HoldMode::Read);
        QCOMPARE(form.elsewhere, UnusualNameMatch::Candidate);
        QCOMPARE(form.longestLeaseMs, 90'000);
        QCOMPARE(form.oldestMs, 2 * dayMs);
        QCOMPARE(form.fields.size(), size_t(2));
        const bool atMayLack =
            QByteArrayView(form.fields[0].name) == "at" ? form.fields[0].mayLack : form.fields[1].mayLack;
        QVERIFY(atMayLack);
    }

    void faultsHaveAPlace_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QByteArray>("fault");
        const auto row = [](const char *name, const QByteArray &text, const QByteArray &fault) {
            QTest::newRow(name) << text << fault;
        };
        row("no name", "[[form]]\nvalue = \"a\"\n",
            "1:1 expected a name of small letters, digits and hyphens: name = \"my-lock\"");
        row("bad name", "name = \"My Lock\"\n[[form]]\nvalue = \"a\"\n",
            "1:8 expected a name of small letters, digits and hyphens: name = \"my-lock\"");
        row("no value", "name = \"mine\"\nform = [\n    },\n]\n", "3:5 expected a value");
        row("no form", "name = \"mine\"\n", "1:1 expected a form: [[form]] with value = \"…\"; 16 at most");
        row("empty form", "name = \"mine\"\n[[form]]\n", "2:1 expected “value”, “json” or “empty”");
        row("hash without fields", "name = \"mine\"\n[[form]]\ntype = \"hash\"\n",
            "2:1 expected “field” or “fields”");
        row("set without members", "name = \"mine\"\n[[form]]\ntype = \"set\"\n", "2:1 expected “member”");
        row("named without names", "name = \"mine\"\n[[form]]\nvalue = \"a\"\nnamed = true\n",
            "2:1 expected “key”");
        row("a lock of no queue", "name = \"mine\"\n[[form]]\nvalue = \"a\"\nlock = \"{:rest}\"\n",
            "2:1 expected “type = \"sorted-set\"”");
        row("a form of nothing but a name", "name = \"mine\"\nform = [{ key = \"x\" }]\n",
            "2:9 expected “value”, “json” or “empty”");
        row("newer format", "format = 2\ncolor = 1\n" + smallest,
            "1:10 written for a newer Lockscope; update it");
        row("unknown key in a table", smallest + "[zh]\nname = \"\"\n",
            "5:1 unknown key “name”. Known here: title, holder, waiters, companions");
        row("wrong type", smallest.chopped(0).replace("[[form]]", "renewed = \"yes\"\n[[form]]"),
            "2:11 expected true or false");
        row("wrong type in a form", smallest + "wrapped = 1\n", "4:11 expected true or false");
        row("not a list", "names.usual = \"a\"\n" + smallest, "1:15 expected [\"…\"]");
        row("list of numbers", "names.usual = [1]\n" + smallest, "1:15 expected [\"…\"]");
        row("not a table", "names = 1\n" + smallest, "1:9 expected { name = \"…\" }");
        row("form that is a table", "name = \"mine\"\n[form]\nvalue = \"a\"\n", "2:1 expected [[…]]");
        row("unknown choice", "holder_after_end = \"dies\"\n" + smallest,
            "1:20 expected one of: unknown, unaware, fails-release, job-reassigned, fails-renewal, notified, "
            "rewrites-lock, deletes-next-lock, exits, exits-and-deletes");
        row("bad duration", smallest + "oldest = \"a week\"\n", "4:10 expected \"30s\", \"10m\", \"7d\"");
        row("whole number", "version = 1.5\n" + smallest, "1:11 expected a whole number");
        row("bad template", "name = \"mine\"\n[[form]]\nvalue = \"ab{:uuid\"\n", "3:18 expected “}”");
        row("too many globs",
            "names.usual = [\"a\",\"b\",\"c\",\"d\",\"e\",\"f\",\"g\",\"h\",\"i\"]\n" + smallest,
            "1:15 expected 8 at most");
        const QByteArray beat = smallest + "[[companion]]\nas = \"heartbeat\"\nkey = 'beats'\n";
        row("no value that is free", "scripts = \"set-field\"\n" + smallest,
            "1:11 expected “free” in a form with “fields”, for set-field");
        row("heartbeat of a key", beat, "none");
        row("heartbeat of no moment", beat + "member = '{owner}'\n",
            "4:1 expected the heartbeat's time: “score”, or {since:…} or {ends:…} in a "
            "field");
        row("heartbeat of any age", beat + "member = '{owner}'\nscore = \"since-s\"\n",
            "4:1 expected dead_after");
        row("heartbeat with an end", beat + "member = '{owner}'\nscore = \"ends-s\"\n", "none");
        row("heartbeat in a field",
            beat + "field = '{owner}'\nvalue = '{since:epoch-ms}'\ndead_after = \"9s\"\n", "none");
        const QByteArray hash =
            "name = \"mine\"\nform = [{ type = \"hash\", field = '{owner}', value = 'R' }]\n";
        const QByteArray index = "[[companion]]\nas = \"index\"\n";
        row("index", hash + index + "key = 'of:{owner}'\n", "none");
        row("index of an unknown part", hash + index + "key = 'of:{client}'\n",
            "3:1 expected a part of the lock's name or owner, not {client}");
        row("index with a member", hash + index + "key = 'of:{owner}'\nmember = '{owner}'\n",
            "3:1 expected only key, and locks that are hashes of owners");
        row("index of no name", hash + index, "3:1 expected only key, and locks that are hashes of owners");
        row("index of a string's locks", smallest + index + "key = 'of:{owner}'\n",
            "4:1 expected only key, and locks that are hashes of owners");
        row("bad example", smallest + "[[example]]\nkey = \"a\"\nvalue = \"b\"\nis = \"sure\"\n",
            "4:1 expected in an example: key, value, fields, members or set, and is = \"certain\", "
            "\"likely\", \"ambiguous\" or \"none\"");
    }
    void faultsHaveAPlace()
    {
        QFETCH(const QByteArray, text);
        QFETCH(const QByteArray, fault);
        QCOMPARE(firstFault(text), fault);
    }

    void hostileFilesAreRefused_data()
    {
        QTest::addColumn<QByteArray>("text");
        const auto row = [](const char *name, const QByteArray &text) { QTest::newRow(name) << text; };
        row("empty", {});
        row("too large", smallest + QByteArray(FamilyFile::longest, '#'));
        row("no TOML", "<html>");
        row("NULs", QByteArray(1000, '\0'));
        row("NUL in a text", QByteArray("name = \"a\0b\"\n", 13));
        row("escaped NUL in a name", QByteArray(smallest).replace("mine", "a\\u0000b"));
        row("invalid UTF-8", QByteArray(smallest).replace("mine", "\xff\xfe"));
        row("nested arrays", "name = " + QByteArray(30'000, '[') + QByteArray(30'000, ']') + '\n');
        row("nested tables", "name = " + QByteArray("{a=").repeated(10'000) + '\n');
        row("dotted keys", QByteArray("a.").repeated(20'000) + "a = 1\n");
        row("huge array", "names.not = [" + QByteArray("\"\",").repeated(20'000) + "]\n" + smallest);
        row("many forms", smallest + QByteArray("[[form]]\nvalue=\"a\"\n").repeated(17));
        row(
            "many fields", "name = \"mine\"\n[[form]]\ntype = \"hash\"\n[form.fields]\n" + [] {
                QByteArray fields;
                for (int i = 0; i < 17; ++i)
                    fields += "f" + QByteArray::number(i) + " = \"a\"\n";
                return fields;
            }());
        row("long template", smallest + "key = \"" + QByteArray(600, 'a') + "\"\n");
        row("repeated table", smallest + "[zh]\n[zh]\n");
    }
    void hostileFilesAreRefused()
    {
        QFETCH(const QByteArray, text);
        const FamilyFile file(text);
        QVERIFY(!file.isValid());
        QVERIFY(!file.faults().front().what.isEmpty());
        QVERIFY(file.faults().size() <= 20);
    }

    void everyKeyHasAMeaning()
    {
        const auto check = [](auto self, std::span<const FamilyKey> keys) -> void {
            for (const FamilyKey &key : keys) {
                QVERIFY2(QByteArrayView(key.meaning).size() > 2, key.name);
                QCOMPARE(key.choices != nullptr, key.kind == KeyKind::OneOf || key.kind == KeyKind::Proof);
                self(self, key.keys);
            }
        };
        check(check, familyKeys);
    }
};

QTEST_GUILESS_MAIN(FamilyFileTest)
#include "tst_familyfile.moc"
