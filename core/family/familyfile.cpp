// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/family/familyfile.h"

#include "core/family/familykeys.h"
#include "core/family/formdefaults.h"
#include "core/family/parserguard.h"

namespace {

/// Thrown where the parser asserts, as for "[ } ]": in a release build it would continue.
enum class ParserFault : quint8 { Met };

[[noreturn]] void refuse()
{
    throw ParserFault::Met;
}

} // namespace

#undef NDEBUG
#define TOML_ASSERT(expr) ((expr) ? static_cast<void>(0) : refuse())
#define TOML_EXCEPTIONS 1
#include <toml++/toml.h>

#include <algorithm>
#include <array>

namespace lockscope {

namespace {

QByteArrayView viewOf(std::string_view text)
{
    return {text.data(), static_cast<qsizetype>(text.size())};
}

bool fitsKind(const toml::node &node, KeyKind kind)
{
    const auto areAll = [&node](auto isOne) {
        const toml::array *array = node.as_array();
        return array && std::all_of(array->begin(), array->end(), isOne);
    };
    switch (kind) {
    case KeyKind::Text:
    case KeyKind::OneOf:
    case KeyKind::Shape:
    case KeyKind::Duration:
        return node.is_string();
    case KeyKind::Flag:
        return node.is_boolean();
    case KeyKind::Whole:
        return node.is_integer();
    case KeyKind::Texts:
        return areAll([](const toml::node &one) { return one.is_string(); });
    case KeyKind::Tables:
        return areAll([](const toml::node &one) { return one.is_table(); });
    case KeyKind::Proof:
        return node.is_string() || node.is_table();
    case KeyKind::Shapes:
    case KeyKind::Table:
    case KeyKind::Members:
        return node.is_table();
    }
    return false;
}
} // namespace

/// Reads the tables of a file into a FamilyFile.
class FamilyReader
{
public:
    FamilyReader(FamilyFile &file) : m_file(file) {}

    void read(const toml::table &root)
    {
        if (const toml::node *format = root.get("format"); format && format->value_or(1) > 1)
            return fail(format->source(),
                        Phrase(QT_TRANSLATE_NOOP("phrases", "written for a newer Lockscope; update it")));
        if (!check(root, familyKeys))
            return;
        readName(root);
        readTraits(root);
        if (const toml::table *names = root["names"].as_table())
            readNames(*names);
        readForms(root);
        readCompanions(root);
        readTexts(root);
        if (const toml::array *examples = root["example"].as_array()) {
            for (const toml::node &example : *examples)
                readExample(*example.as_table());
        }
    }

private:
    static constexpr size_t maxForms = 16, maxFields = 16, maxTexts = 64;

    void fail(const toml::source_region &at, const Phrase &what)
    {
        constexpr qsizetype maxFaults = 20;
        if (m_file.m_faults.size() < maxFaults)
            m_file.m_faults.append(
                {static_cast<int>(at.begin.line), static_cast<int>(at.begin.column), what});
    }
    void expect(const toml::node &at, const Phrase &what)
    {
        fail(at.source(), Phrase(QT_TRANSLATE_NOOP("phrases", "expected %1"), what));
    }

    /// True if the table and its subtables have only known keys of the right kinds.
    bool check(const toml::table &table, std::span<const FamilyKey> keys)
    {
        const qsizetype before = m_file.m_faults.size();
        for (auto &&[name, node] : table) {
            const QByteArrayView word = viewOf(name.str());
            const auto key =
                std::ranges::find_if(keys, [word](const FamilyKey &k) { return word == k.name; });
            if (key == keys.end()) {
                QByteArrayList known;
                for (const FamilyKey &one : keys)
                    known.append(one.name);
                fail(name.source(), Phrase(QT_TRANSLATE_NOOP("phrases", "unknown key “%1”. Known here: %2"),
                                           word.toByteArray(), known.join(", ")));
                continue;
            }
            if (!fitsKind(node, key->kind))
                expect(node, expectedOf(key->kind));
            else
                checkValue(node, *key);
        }
        return m_file.m_faults.size() == before;
    }

    void checkValue(const toml::node &node, const FamilyKey &key)
    {
        if (key.kind == KeyKind::OneOf || (key.kind == KeyKind::Proof && node.is_string())) {
            if (!key.choices().contains(textOf(node)))
                expect(node, Phrase(QT_TRANSLATE_NOOP("phrases", "one of: %1"), key.choices().join(", ")));
        } else if (key.kind == KeyKind::Duration && !durationMs(textOf(node))) {
            expect(node, expectedOf(key.kind));
        } else if (key.kind == KeyKind::Table) {
            check(*node.as_table(), key.keys);
        } else if (key.kind == KeyKind::Tables) {
            for (const toml::node &one : *node.as_array())
                check(*one.as_table(), key.keys);
        } else if (key.kind == KeyKind::Shapes || key.kind == KeyKind::Members) {
            for (auto &&[name, value] : *node.as_table()) {
                if (!value.is_string() && !(key.kind == KeyKind::Members && value.is_number()))
                    expect(value, expectedOf(KeyKind::Text));
            }
        }
    }

    static QByteArray textOf(const toml::node &node)
    {
        return viewOf(node.value_or(std::string_view())).toByteArray();
    }
    static QByteArray textOf(const toml::table &table, const char *key)
    {
        return viewOf(table[key].value_or(std::string_view())).toByteArray();
    }
    static bool flagOf(const toml::table &table, const char *key) { return table[key].value_or(false); }
    static qint64 msOf(const toml::table &table, const char *key)
    {
        return durationMs(textOf(table, key)).value_or(0);
    }
    template <typename Names, typename Value>
    static void choose(const toml::table &table, const char *key, const Names &names, Value &value)
    {
        if (const auto chosen = names.valueOf(textOf(table, key)))
            value = *chosen;
    }

    /// A copy that lives as long as the file; nullptr for none.
    const char *kept(const QByteArray &text)
    {
        return text.isEmpty() ? nullptr : m_file.m_texts.emplace_back(text).constData();
    }
    std::span<const char *const> keptList(const toml::table &table, const char *key)
    {
        std::vector<const char *> &list = m_file.m_lists.emplace_back();
        if (const toml::array *array = table[key].as_array()) {
            if (array->size() > maxTexts)
                expect(*array, Phrase(QT_TRANSLATE_NOOP("phrases", "%1 at most"), maxTexts));
            for (const toml::node &one : *array) {
                if (const QByteArray text = textOf(one); !text.isEmpty())
                    list.push_back(kept(text));
            }
        }
        return list;
    }

    void readName(const toml::table &root)
    {
        constexpr qsizetype longestName = 40;
        const QByteArray name = textOf(root, "name");
        const bool isName =
            !name.isEmpty() && name.size() <= longestName && std::ranges::all_of(name, [](char c) {
                return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-';
            });
        const Phrase what(
            QT_TRANSLATE_NOOP("phrases", "a name of small letters, digits and hyphens: name = \"my-lock\""));
        if (!isName)
            expect(root.get("name") ? *root.get("name") : root, what);
        m_file.m_spec.name = kept(name);
        const QByteArray title = textOf(root, "title");
        m_file.m_spec.noun = kept(title.isEmpty() ? name + " lock" : title);
        m_file.m_spec.library = kept(textOf(root, "library"));
        m_file.m_spec.runbook = kept(textOf(root, "runbook"));
        m_file.m_spec.contact = kept(textOf(root, "contact"));
        m_file.m_spec.probe = kept(textOf(root, "probe"));
        m_file.m_spec.clients = kept(textOf(root, "clients"));
    }

    void readTraits(const toml::table &root)
    {
        FamilySpec &spec = m_file.m_spec;
        spec.version =
            static_cast<int>(std::clamp<qint64>(root["version"].value_or(qint64(1)), 0, 1'000'000));
        spec.prevalence =
            static_cast<int>(std::clamp<qint64>(root["prevalence"].value_or(qint64(30)), 0, 100));
        spec.ownerImpact = OwnerImpact::Unknown;
        spec.acquire = AcquireSupport::NoScript;
        choose(root, "holder_after_end", impactName, spec.ownerImpact);
        choose(root, "acquire", acquireName, spec.acquire);
        choose(root, "wake", wakeName, spec.wake);
        spec.renews = flagOf(root, "renewed");
        spec.mayRenew = flagOf(root, "may_renew");
        spec.severalOwners = flagOf(root, "several_owners");
        spec.maySpanServers = flagOf(root, "spans_servers");
        spec.canLackExpiry = flagOf(root, "may_lack_expiry");
        spec.clientMayCount = flagOf(root, "client_may_count");
        spec.needsExplicitWakeUp = flagOf(root, "sleeps_on");
        spec.proof = root["names"]["usual"].is_array() ? provenByOwnName : provenByRule;
        if (const auto proof = proofName.valueOf(textOf(root, "proof")))
            spec.proof = **proof;
    }

    void readNames(const toml::table &names)
    {
        FamilySpec &spec = m_file.m_spec;
        const std::span<const char *const> usual = keptList(names, "usual");
        if (usual.size() > NameGlobs::most)
            expect(*names.get("usual"), Phrase(QT_TRANSLATE_NOOP("phrases", "%1 at most"), NameGlobs::most));
        for (const char *glob : usual.first(std::min<size_t>(usual.size(), NameGlobs::most)))
            spec.usualNames.add(glob);
        m_file.m_formSet.notNames = keptList(names, "not");
        m_file.m_formSet.companionGlobs = keptList(names, "beside");
        m_file.m_formSet.anyLockName = flagOf(names, "lock_word");
        choose(names, "discover", discoveryName, spec.discovery);
    }

    Template keptTemplate(const toml::node &node, bool isFilled = false)
    {
        TemplateFault fault{};
        const QByteArray text = textOf(node);
        const std::optional<WrittenTemplate> written = readTemplate(text, fault, isFilled);
        if (!written) {
            toml::source_region at = node.source();
            at.begin.column += static_cast<toml::source_index>(1 + fault.offset); // behind the quote
            fail(at, Phrase(QT_TRANSLATE_NOOP("phrases", "expected %1"), fault.expected));
            return {};
        }
        std::vector<TemplatePart> &parts = m_file.m_templates.emplace_back();
        for (const WrittenTemplate::Part &part : written->parts) {
            parts.push_back(part.part);
            const QByteArray &copy = m_file.m_texts.emplace_back(part.text);
            parts.back().text = copy.constData();
            parts.back().textSize = static_cast<quint16>(copy.size());
        }
        return parts;
    }
    Template keptTemplate(const toml::table &table, const char *key, bool isFilled = false)
    {
        const toml::node *node = table.get(key);
        return node ? keptTemplate(*node, isFilled) : Template();
    }

    std::span<const FieldShape> keptFields(const toml::table &table)
    {
        std::vector<FieldShape> &fields = m_file.m_fields.emplace_back();
        if (table.size() > maxFields)
            expect(table, Phrase(QT_TRANSLATE_NOOP("phrases", "%1 at most"), maxFields));
        std::vector<std::pair<toml::source_position, FieldShape>> written;
        for (auto &&[name, value] : table) {
            QByteArray field = viewOf(name.str()).toByteArray();
            const bool mayLack = field.endsWith('?');
            field.chop(mayLack ? 1 : 0);
            if (!field.isEmpty())
                written.push_back({value.source().begin, {kept(field), keptTemplate(value), mayLack}});
        }
        std::ranges::sort(written, [](const auto &a, const auto &b) { return a.first < b.first; });
        for (const auto &[at, field] : written)
            fields.push_back(field);
        return fields;
    }

    void readForms(const toml::table &root)
    {
        const toml::array *forms = root["form"].as_array();
        if (!forms || forms->empty() || forms->size() > maxForms) {
            expect(forms ? static_cast<const toml::node &>(*forms) : root,
                   Phrase(QT_TRANSLATE_NOOP("phrases", "a form: [[form]] with value = \"…\"; %1 at most"),
                          maxForms));
            return;
        }
        for (const toml::node &form : *forms)
            readForm(*form.as_table());
        FamilySpec &spec = m_file.m_spec;
        m_file.m_formSet.forms = m_file.m_forms;
        spec.forms = &m_file.m_formSet;
        spec.scripts = scriptsFor(m_file.m_forms.front());
        choose(root, "scripts", scriptsName, spec.scripts);
        if (const Phrase lacks = lackingFor(*spec.scripts, m_file.m_formSet); !lacks.isEmpty())
            expect(*root.get("scripts"), lacks);
        noteFormats(spec, m_file.m_formSet);
        const char *stored = kept(textOf(root, "stored"));
        spec.stored = stored ? stored : kept(storedAs(m_file.m_forms.front(), spec.usualNames));
    }

    void readForm(const toml::table &table)
    {
        Form form;
        choose(table, "type", formTypeName, form.type);
        choose(table, "mode", formModeName, form.mode);
        choose(table, "score", scoreName, form.score);
        form.elsewhere =
            m_file.m_spec.usualNames.isEmpty() ? UnusualNameMatch::Content : UnusualNameMatch::Never;
        choose(table, "elsewhere", elsewhereName, form.elsewhere);
        form.key = keptTemplate(table, "key");
        form.value = keptTemplate(table, "value");
        form.readValue = keptTemplate(table, "read_value");
        form.writeValue = keptTemplate(table, "write_value");
        form.member = keptTemplate(table, form.type == KeyType::Hash ? "field" : "member");
        form.lock = keptTemplate(table, "lock", true);
        form.isNamed = flagOf(table, "named");
        form.isEmpty = flagOf(table, "empty");
        form.mayBeWrapped = flagOf(table, "wrapped");
        form.excludesOthers = flagOf(table, "excludes_others");
        form.longestLeaseMs = msOf(table, "longest_lease");
        form.oldestMs = msOf(table, "oldest");
        form.free = keptList(table, "free");
        if (const toml::table *fields = table[form.type == KeyType::Hash ? "fields" : "json"].as_table())
            form.fields = keptFields(*fields);
        if (const Phrase lacks = lackingIn(form); !lacks.isEmpty())
            expect(table, lacks);
        m_file.m_forms.push_back(form);
        m_file.m_formLines.append(static_cast<int>(table.source().begin.line));
    }

    void readCompanions(const toml::table &root)
    {
        const toml::array *companions = root["companion"].as_array();
        if (companions && companions->size() > maxForms)
            expect(*companions, Phrase(QT_TRANSLATE_NOOP("phrases", "%1 at most"), maxForms));
        for (size_t i = 0; companions && i < companions->size(); ++i) {
            const toml::table &table = *companions->get_as<toml::table>(i);
            CompanionForm form;
            choose(table, "as", companionUseName, form.use);
            choose(table, "score", scoreName, form.score);
            form.maxMs = msOf(table, form.use == CompanionUse::Heartbeat ? "dead_after" : "waits");
            form.key = keptTemplate(table, "key", true);
            form.member = keptTemplate(table, table.get("field") ? "field" : "member", true);
            form.except = keptList(table, "except");
            form.missingIsDead = flagOf(table, "missing_is_dead");
            form.everyMs = msOf(table, "every");
            if (const toml::table *fields = table["fields"].as_table())
                form.fields = keptFields(*fields);
            else if (table.get("field"))
                form.fields = m_file.m_fields.emplace_back(1, FieldShape{"", keptTemplate(table, "value")});
            if (const Phrase lacks = lackingIn(form, *m_file.m_spec.scripts, m_file.m_forms);
                !lacks.isEmpty())
                expect(table, lacks);
            m_file.m_companions.push_back(form);
            m_file.m_spec.hasQueue |= form.use == CompanionUse::Queue;
        }
        m_file.m_formSet.companions = m_file.m_companions;
    }

    void readTexts(const toml::table &root)
    {
        FamilySpec &spec = m_file.m_spec;
        if (const toml::table *effects = root["effects"].as_table()) {
            spec.ownerEffect = kept(textOf(*effects, "holder"));
            spec.wakeEffect = kept(textOf(*effects, "waiters"));
            spec.companionNote = kept(textOf(*effects, "companions"));
        }
        if (const toml::table *chinese = root["zh"].as_table()) {
            m_file.m_chinese = {kept(textOf(*chinese, "title")), kept(textOf(*chinese, "waiters")),
                                kept(textOf(*chinese, "holder")), kept(textOf(*chinese, "companions"))};
            spec.translations = &m_file.m_chinese;
        }
    }

    void readExample(const toml::table &table)
    {
        FamilyExample example;
        example.line = static_cast<int>(table.source().begin.line);
        example.key = bytesWritten(textOf(table, "key"));
        example.is = textOf(table, "is");
        example.nowMs = isoTime(textOf(table, "at")).value_or(1'795'737'600'000);
        if (const qint64 ms = msOf(table, "ttl"); ms > 0)
            example.ttl = milliseconds(ms);
        if (table.get("value"))
            example.content = StringContent{bytesWritten(textOf(table, "value")), true};
        if (const toml::table *fields = table["fields"].as_table()) {
            HashContent hash;
            for (auto &&[name, value] : *fields)
                hash.fields.append({bytesWritten(viewOf(name.str())), bytesWritten(textOf(value))});
            example.content = hash;
        }
        if (const toml::table *members = table["members"].as_table()) {
            SortedSetContent set;
            for (auto &&[name, value] : *members)
                set.members.append({bytesWritten(viewOf(name.str())), value.value_or(0.0)});
            std::ranges::sort(set.members, {}, &std::pair<QByteArray, double>::second);
            example.content = set;
        }
        if (const toml::array *members = table["set"].as_array()) {
            SetContent set;
            for (const toml::node &member : *members)
                set.members.append(bytesWritten(textOf(member)));
            example.content = set;
        }
        for (const char *fact : {"host", "process", "thread", "job", "class", "queue", "client", "owner",
                                 "since", "holds", "mode"}) {
            if (const QByteArray text = textOf(table, fact); !text.isEmpty())
                example.facts.append({fact, bytesWritten(text)});
        }
        const bool isKnown = QByteArrayList{"certain", "likely", "ambiguous", "none"}.contains(example.is);
        if (example.key.isEmpty() || !isKnown || std::holds_alternative<OtherContent>(example.content))
            expect(table, Phrase(QT_TRANSLATE_NOOP(
                              "phrases", "in an example: key, value, fields, members or set, and is = "
                                         "\"certain\", \"likely\", \"ambiguous\" or \"none\"")));
        m_file.m_examples.append(example);
    }

    FamilyFile &m_file;
};

namespace {

bool isImpossible(std::string_view text)
{
    try {
        static_cast<void>(toml::parse(text));
    } catch (ParserFault) {
        return true;
    } catch (const toml::parse_error &) {
    }
    return false;
}

/// The place where the parser, which reads from the front, asserted.
FileFault impossibleIn(std::string_view text)
{
    size_t fine = 0;
    size_t bad = text.size();
    while (fine + 1 < bad) {
        const size_t middle = fine + (bad - fine) / 2;
        (isImpossible(text.substr(0, middle)) ? bad : fine) = middle;
    }
    const std::string_view before = text.substr(0, bad);
    const size_t lineAt = before.rfind('\n') + 1; // 0 where there is none
    return {
        1 + static_cast<int>(std::ranges::count(before, '\n')), static_cast<int>(bad - lineAt),
        Phrase(QT_TRANSLATE_NOOP("phrases", "expected %1"), Phrase(QT_TRANSLATE_NOOP("phrases", "a value")))};
}

std::optional<FileFault> parse(std::string_view text, toml::table &root)
{
    try {
        root = toml::parse(text);
    } catch (ParserFault) {
        return impossibleIn(text);
    } catch (const toml::parse_error &error) {
        const toml::source_position at = error.source().begin;
        const std::string_view said = error.description();
        return FileFault{
            static_cast<int>(at.line), static_cast<int>(at.column),
            Phrase::verbatim(QString::fromUtf8(said.data(), static_cast<qsizetype>(said.size())))};
    }
    return std::nullopt;
}

} // namespace

FamilyFile::FamilyFile(QByteArrayView text, const QString &path)
{
    if (!path.isEmpty())
        m_spec.file = m_texts.emplace_back(path.toUtf8()).constData();
    toml::table root;
    auto fault = faultForParser(text);
    if (fault || (fault = parse({text.data(), static_cast<size_t>(text.size())}, root)))
        m_faults.append(*fault);
    else
        FamilyReader(*this).read(root);
}

} // namespace lockscope
