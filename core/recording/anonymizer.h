// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>

namespace lockscope {

/// Replaces identifying texts by others of the same form, consistently during the object's life. The random
/// salt is not stored: nobody can test guesses, or compare two recordings.
///
/// The replacement keeps punctuation, equality of words ("UUID:1" and "UUID:2" stay threads of one client,
/// keys keep common prefixes), and whether a word was a UUID or number. It does not keep word lengths. Text
/// with other than printable ASCII becomes one word.
class Anonymizer
{
public:
    Anonymizer();

    QByteArray replacementOf(const QByteArray &text) const;

private:
    QByteArray wordFor(QByteArrayView word) const;
    QByteArray digestOf(QByteArrayView word) const;

    QByteArray m_salt;
};

} // namespace lockscope
