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

/// An error in a file. Lines and columns count from 1, columns in bytes; 0: the whole file.
struct FileFault
{
    int line = 0;
    int column = 0;
    Phrase what;
};

/// An example lock in a family file, with the expected result.
struct FamilyExample
{
    int line = 0;
    QByteArray key;
    KeyContent content = OtherContent();
    CompactOptional<milliseconds> ttl;
    qint64 nowMs = 0;                               ///< epoch ms at which the key is read
    QByteArray is;                                  ///< "certain", "likely", "ambiguous" or "none"
    QList<std::pair<QByteArray, QByteArray>> facts; ///< "host" → "web-1", …
};

/// A family read from a TOML file (built-in ones: resources/families; grammar:
/// packaging/docs/families-format.md). Owns what its spec points to.
class FamilyFile
{
public:
    static constexpr qsizetype longest = 64 * 1024; ///< bytes

    /// Reads the text of a file, in time proportional to its length. A bad file only has faults. `path` is
    /// kept as the spec's file.
    explicit FamilyFile(QByteArrayView text, const QString &path = {});
    FamilyFile(const FamilyFile &) = delete;
    FamilyFile &operator=(const FamilyFile &) = delete;

    bool isValid() const { return m_faults.isEmpty(); }
    const QList<FileFault> &faults() const { return m_faults; }
    const FamilySpec &spec() const { return m_spec; }
    void setCompanions(const Companions &companions) { m_spec.companions = companions; }
    const QList<FamilyExample> &examples() const { return m_examples; }
    const QList<int> &formLines() const { return m_formLines; }

private:
    friend class FamilyReader;

    QList<FileFault> m_faults;
    FamilySpec m_spec{};
    Forms m_formSet;
    Translations m_chinese;
    QList<FamilyExample> m_examples;
    QList<int> m_formLines;
    // Storage that the spec points to: elements never move.
    std::deque<QByteArray> m_texts;
    std::deque<std::vector<TemplatePart>> m_templates;
    std::deque<std::vector<FieldShape>> m_fields;
    std::deque<std::vector<const char *>> m_lists;
    std::vector<Form> m_forms;
    std::vector<CompanionForm> m_companions;
};

} // namespace lockscope
