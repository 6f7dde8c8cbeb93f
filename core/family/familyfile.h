// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/phrase.h"
#include "core/family/forms.h"
#include "core/family/spec.h"

#include <QByteArray>
#include <QList>

#include <deque>
#include <vector>

namespace lockscope {

/// What is wrong in a file, and where: lines and columns from 1, columns in bytes; 0: the file as a whole.
struct FileFault
{
    int line = 0;
    int column = 0;
    Phrase what;
};

/// A lock that a family's file shows, and what is to be made of it.
struct FamilyExample
{
    int line = 0;
    QByteArray key;
    KeyContent content = OtherContent();
    CompactOptional<milliseconds> ttl;
    qint64 nowMs = 0;                               ///< epoch ms, when it is looked at
    QByteArray is;                                  ///< "certain", "likely", "ambiguous" or "none"
    QList<std::pair<QByteArray, QByteArray>> facts; ///< "host" → "web-1", …
};

/// A family as a TOML file says it: resources/families has those that are built in, packaging/docs/family-files.md the grammar.
/// Owns what its spec points to.
class FamilyFile
{
public:
    static constexpr qsizetype longest = 64 * 1024; ///< bytes

    /// Reads the text of a file. Nothing in it can do more harm than to be refused; the time is in proportion to its length.
    /// `path` is kept as the spec's file.
    explicit FamilyFile(QByteArrayView text, const QString &path = {});
    FamilyFile(const FamilyFile &) = delete;
    FamilyFile &operator=(const FamilyFile &) = delete;

    /// No family without a name comes of a file with faults.
    bool isValid() const { return m_faults.isEmpty(); }
    const QList<FileFault> &faults() const { return m_faults; }
    const FamilySpec &spec() const { return m_spec; }
    /// How its companions are read, where it has some.
    void setCompanions(const Companions &companions) { m_spec.companions = companions; }
    const QList<FamilyExample> &examples() const { return m_examples; }
    /// Where each form begins.
    const QList<int> &formLines() const { return m_formLines; }

private:
    friend class FamilyReader;

    QList<FileFault> m_faults;
    FamilySpec m_spec{};
    Forms m_formSet;
    Translations m_chinese;
    QList<FamilyExample> m_examples;
    QList<int> m_formLines;
    // What the spec points to. Their elements never move.
    std::deque<QByteArray> m_texts;
    std::deque<std::vector<TemplatePart>> m_templates;
    std::deque<std::vector<FieldShape>> m_fields;
    std::deque<std::vector<const char *>> m_lists;
    std::vector<Form> m_forms;
    std::vector<BesideForm> m_companions;
};

} // namespace lockscope
