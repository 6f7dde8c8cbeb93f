// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/options.h"

#include <vector>

namespace lockscope {

using Words = QList<QByteArray>;

/// A secret, which no message may show.
inline const QByteArray canary = "canary-7f3d";

/// Words as a program gets them: bytes that may be written to.
class Arguments
{
public:
    explicit Arguments(Words words) : m_words(std::move(words))
    {
        for (QByteArray &word : m_words)
            m_pointers.push_back(word.data());
    }
    Result<Options> parse(Program program = Program::Terminal) { return parseOptions(program, m_pointers); }
    QByteArray joined() const { return m_words.join(' '); }

private:
    Words m_words;
    std::vector<char *> m_pointers;
};

inline Options parsed(const Words &words, Program program = Program::Terminal)
{
    const Result<Options> options = Arguments(words).parse(program);
    if (!options)
        qFatal("%s", options.error().text().constData());
    return *options;
}

/// Why it is not taken.
inline QByteArray refusal(const Words &words, Program program = Program::Terminal)
{
    const Result<Options> options = Arguments(words).parse(program);
    return options ? QByteArray("accepted") : options.error().text();
}

} // namespace lockscope
