// SPDX-License-Identifier: GPL-3.0-or-later
// FILE...: writes the C++ of the families in those TOML files to standard output, for the build. A fault in one ends it.
#include "core/family/familyfile.h"
#include "core/family/familykeys.h"

#include <QFile>

#include <cstdio>

using namespace lockscope;

namespace {

/// A C++ literal: "nullptr", or a quoted text, with non-printable bytes in octal.
QByteArray quoted(QByteArrayView text)
{
    QByteArray literal = "\"";
    for (const char c : text) {
        const auto byte = static_cast<uchar>(c);
        if (c == '"' || c == '\\' || c == '?')
            literal += QByteArray("\\") + c;
        else if (byte >= 0x20 && byte < 0x7f)
            literal += c;
        else
            literal += '\\' + QByteArray::number(byte, 8).rightJustified(3, '0');
    }
    return literal + '"';
}

QByteArray quoted(const char *text)
{
    return text ? quoted(QByteArrayView(text)) : QByteArray("nullptr");
}

template <typename Enum>
QByteArray cast(const char *type, Enum value)
{
    return QByteArray(type) + '(' + QByteArray::number(static_cast<int>(value)) + ')';
}

/// A shared constant, by its name in the table of its kind.
template <typename Names, typename Test>
QByteArray sharedIn(const char *table, const Names &names, Test isIt)
{
    const auto found =
        std::ranges::find_if(names.names, [&](const auto &named) { return isIt(named.first); });
    return table + (".names[" + QByteArray::number(found - names.names.begin())) + "].first";
}

/// Writes the code of one family: its spec, and before it the data that it points to.
class Writer
{
public:
    explicit Writer(const FamilySpec &spec) : m_spec(spec), m_prefix(QByteArray(spec.name).replace('-', '_'))
    {
    }

    /// The constants; they come first, in a namespace of their own.
    QByteArray constants()
    {
        QByteArray forms;
        for (const Form &form : m_spec.forms->forms)
            forms += "    " + formText(form) + ",\n";
        const QByteArray nots = list(m_spec.forms->notNames);
        const QByteArray companionGlobs = list(m_spec.forms->companionGlobs);
        QByteArrayList companions;
        for (const CompanionForm &form : m_spec.forms->companions)
            companions.append(companionText(form));
        const QByteArray companionSet = named("CompanionForm", companions.join(", "));
        m_text += "constexpr Form " + m_prefix + "Forms[]{\n" + forms + "};\n";
        m_text += "constexpr Forms " + m_prefix + "Set{" + m_prefix + "Forms, " + nots + ", " +
                  companionGlobs + ", " + companionSet + ", " + flag(m_spec.forms->anyLockName) + ", " +
                  set("KeyType", m_spec.forms->types.bits()) + ", " +
                  set("TokenFormat", m_spec.forms->strings.bits()) + ", " +
                  set("TokenFormat", m_spec.forms->anywhere.bits()) + "};\n";
        if (const Translations *zh = m_spec.translations)
            m_text += "constexpr Translations " + m_prefix + "Chinese{" + quoted(zh->noun) + ", " +
                      quoted(zh->wakeEffect) + ", " + quoted(zh->ownerEffect) + ", " +
                      quoted(zh->companionNote) + "};\n";
        return m_text;
    }

    QByteArray spec() const
    {
        QByteArrayList globs;
        for (const char *glob : m_spec.usualNames)
            globs.append(quoted(glob));
        QByteArray text = "constinit const FamilySpec families::" + m_prefix + "{\n";
        const auto add = [&text](const char *field, const QByteArray &value) {
            text += QByteArray("    .") + field + " = " + value + ",\n";
        };
        add("name", quoted(m_spec.name));
        add("noun", quoted(m_spec.noun));
        add("stored", quoted(m_spec.stored));
        add("library", quoted(m_spec.library));
        add("proof", '*' + sharedIn("proofName", proofName,
                                    [this](const Proof *proof) { return *proof == m_spec.proof; }));
        add("prevalence", QByteArray::number(m_spec.prevalence));
        add("usualNames", '{' + globs.join(", ") + '}');
        add("discovery", cast("Discovery", m_spec.discovery));
        add("wake", cast("WaitMechanism", m_spec.wake));
        add("ownerImpact", cast("OwnerImpact", m_spec.ownerImpact));
        add("acquire", cast("AcquireSupport", m_spec.acquire));
        add("severalOwners", flag(m_spec.severalOwners));
        add("canLackExpiry", flag(m_spec.canLackExpiry));
        add("renews", flag(m_spec.renews));
        add("mayRenew", flag(m_spec.mayRenew));
        add("maySpanServers", flag(m_spec.maySpanServers));
        add("clientMayCount", flag(m_spec.clientMayCount));
        add("hasQueue", flag(m_spec.hasQueue));
        add("translations", m_spec.translations ? '&' + m_prefix + "Chinese" : QByteArray("nullptr"));
        add("runbook", quoted(m_spec.runbook));
        add("contact", quoted(m_spec.contact));
        add("probe", quoted(m_spec.probe));
        add("clients", quoted(m_spec.clients));
        add("version", QByteArray::number(m_spec.version));
        add("forms", '&' + m_prefix + "Set");
        add("strings", set("TokenFormat", m_spec.strings.bits()));
        add("fields", set("FieldFormat", m_spec.fields.bits()));
        if (!m_spec.forms->companions.empty())
            add("companions", "fileCompanions(" + flag(m_spec.hasQueue) + ")");
        add("scripts", sharedIn("scriptsName", scriptsName,
                                [this](const Scripts *scripts) { return scripts == m_spec.scripts; }));
        add("wakeEffect", quoted(m_spec.wakeEffect));
        add("ownerEffect", quoted(m_spec.ownerEffect));
        add("companionNote", quoted(m_spec.companionNote));
        add("needsExplicitWakeUp", flag(m_spec.needsExplicitWakeUp));
        return text + "};\n";
    }

private:
    static QByteArray flag(bool on) { return on ? "true" : "false"; }
    static QByteArray set(const QByteArray &of, quint32 bits)
    {
        return "FormatSet<" + of + ">::ofBits(" + QByteArray::number(bits) + "U)";
    }

    QByteArray named(const QByteArray &type, const QByteArray &elements)
    {
        if (elements.isEmpty())
            return "{}";
        const QByteArray name = m_prefix + QByteArray::number(++m_count);
        m_text += "constexpr " + type + ' ' + name + "[]{" + elements + "};\n";
        return name;
    }

    QByteArray list(std::span<const char *const> texts)
    {
        QByteArrayList elements;
        for (const char *text : texts)
            elements.append(quoted(text));
        return named("const char *", elements.join(", "));
    }

    QByteArray templateText(Template shape)
    {
        QByteArrayList parts;
        for (const TemplatePart &part : shape)
            parts.append('{' + cast("PartType", part.type) + ", " + cast("PartRole", part.role) + ", " +
                         QByteArray::number(part.group) + ", " + QByteArray::number(part.least) + ", " +
                         QByteArray::number(part.most) + ", " + quoted(part.literal()) + ", " +
                         QByteArray::number(part.textSize) + '}');
        return named("TemplatePart", parts.join(", "));
    }

    QByteArray fieldsText(std::span<const FieldShape> fields)
    {
        QByteArrayList texts;
        for (const FieldShape &field : fields)
            texts.append('{' + quoted(field.name) + ", " + templateText(field.value) + ", " +
                         flag(field.mayLack) + '}');
        return named("FieldShape", texts.join(", "));
    }

    QByteArray companionText(const CompanionForm &form)
    {
        return '{' + cast("CompanionUse", form.use) + ", " + templateText(form.key) + ", " +
               fieldsText(form.fields) + ", " + cast("ScoreMeaning", form.score) + ", " +
               QByteArray::number(form.maxMs) + ", " + templateText(form.member) + ", " + list(form.except) +
               ", " + flag(form.missingIsDead) + ", " + QByteArray::number(form.everyMs) + '}';
    }

    QByteArray formText(const Form &form)
    {
        return '{' + cast("KeyType", form.type) + ", " + templateText(form.key) + ", " +
               templateText(form.value) + ", " + templateText(form.readValue) + ", " +
               templateText(form.writeValue) + ", " + templateText(form.member) + ", " +
               templateText(form.lock) + ", " + fieldsText(form.fields) + ", " + list(form.free) + ", " +
               cast("HoldMode", form.mode) + ", " + cast("UnusualNameMatch", form.elsewhere) + ", " +
               cast("ScoreMeaning", form.score) + ", " + flag(form.isEmpty) + ", " + flag(form.mayBeWrapped) +
               ", " + flag(form.isNamed) + ", " + flag(form.excludesOthers) + ", " +
               QByteArray::number(form.longestLeaseMs) + ", " + QByteArray::number(form.oldestMs) + '}';
    }

    const FamilySpec &m_spec;
    QByteArray m_prefix;
    QByteArray m_text;
    int m_count = 0;
};

} // namespace

int main(int argc, char *argv[])
{
    QByteArray constants;
    QByteArray specs;
    for (int i = 1; i < argc; ++i) {
        QFile file(QString::fromLocal8Bit(argv[i]));
        if (!file.open(QIODevice::ReadOnly)) {
            std::fprintf(stderr, "%s: cannot be read\n", argv[i]);
            return 1;
        }
        const FamilyFile family(file.readAll());
        for (const FileFault &fault : family.faults())
            std::fprintf(stderr, "%s:%d:%d: %s\n", argv[i], fault.line, fault.column,
                         qUtf8Printable(fault.what.inEnglish()));
        if (!family.isValid())
            return 1;
        Writer writer(family.spec());
        constants += writer.constants();
        specs += writer.spec();
    }
    std::printf(
        "// Generated from resources/families.\n"
        "#include \"core/family/filecompanions.h\"\n"
        "#include \"core/family/familykeys.h\"\n"
        "#include \"core/family/familytable.h\"\n"
        "#include \"core/family/forms.h\"\n\n"
        "namespace lockscope {\n\nnamespace {\n\n%s\n} // namespace\n\n%s\n} // namespace lockscope\n",
        constants.constData(), specs.constData());
    return 0;
}
