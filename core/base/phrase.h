// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QList>
#include <QString>
#include <QtGlobal>

#include <chrono>
#include <compare>
#include <concepts>
#include <variant>

namespace lockscope {

/// A sentence that is written in English at its source, and translated for display (core/words/phrases.h).
/// Stored, sent or logged are the sentence and its arguments, never a translation.
///
///     Phrase(QT_TRANSLATE_NOOP("phrases", "a line is longer than %1 bytes"), limit)
///
/// The context is always "phrases". A value: cheap to copy.
class Phrase
{
public:
    /// A number, a server's bytes (escaped for display), a system's text such as a path, a duration
    /// (microseconds: with three digits), or another phrase.
    struct Argument;

    constexpr Phrase() = default;
    template <typename... Arguments>
    explicit Phrase(const char *source, const Arguments &...arguments);
    /// Text without translation: a name, a figure.
    static Phrase verbatim(const QString &text);
    /// With %n for `number`, in the plural form of the user's language.
    template <typename... Arguments>
    static Phrase plural(const char *source, qint64 number, const Arguments &...arguments);

    bool isEmpty() const { return !m_source; }
    const char *source() const { return m_source; }
    const QList<Argument> &arguments() const;
    /// For %n; -1: none.
    qint64 number() const { return m_number; }

    /// The sentence with arguments, untranslated, for logs and programs.
    QString inEnglish() const;
    /// The sentence for a translation of source(); `spoken` converts each argument to text.
    template <typename Spoken>
    QString filledIn(QString translation, Spoken spoken) const;

    friend bool operator==(const Phrase &a, const Phrase &b);

private:
    const char *m_source = nullptr;
    qint64 m_number = -1;
    QList<Argument> m_arguments;
};

struct Phrase::Argument
{
    std::variant<qint64, QByteArray, QString, std::chrono::milliseconds, std::chrono::microseconds, Phrase>
        value;

    template <std::integral T>
    Argument(T number) : value(static_cast<qint64>(number))
    {
    }
    Argument(QByteArray bytes) : value(std::move(bytes)) {}
    Argument(QString text) : value(std::move(text)) {}
    Argument(std::chrono::milliseconds duration) : value(duration) {}
    Argument(std::chrono::microseconds duration) : value(duration) {}
    Argument(Phrase phrase) : value(std::move(phrase)) {}

    friend bool operator==(const Argument &, const Argument &) = default;
};

template <typename... Arguments>
Phrase::Phrase(const char *source, const Arguments &...arguments)
    : m_source(source), m_arguments{Argument(arguments)...}
{
}

template <typename... Arguments>
Phrase Phrase::plural(const char *source, qint64 number, const Arguments &...arguments)
{
    Phrase phrase(source, arguments...);
    phrase.m_number = number;
    return phrase;
}

inline Phrase Phrase::verbatim(const QString &text)
{
    return text.isEmpty() ? Phrase() : Phrase("%1", text);
}

inline const QList<Phrase::Argument> &Phrase::arguments() const
{
    return m_arguments;
}

template <typename Spoken>
QString Phrase::filledIn(QString translation, Spoken spoken) const
{
    // All at once: an argument may have a %1 of its own.
    QString text;
    for (qsizetype at = 0; at < translation.size(); ++at) {
        const bool isPlace = translation[at] == u'%' && at + 1 < translation.size();
        const int place = isPlace ? translation[at + 1].digitValue() : -1;
        if (isPlace && translation[at + 1] == u'n' && m_number >= 0)
            text += spoken(Argument(m_number)), ++at;
        else if (place >= 1 && place <= m_arguments.size())
            text += spoken(m_arguments[place - 1]), ++at;
        else
            text += translation[at];
    }
    return text;
}

inline bool operator==(const Phrase &a, const Phrase &b)
{
    return qstrcmp(a.m_source, b.m_source) == 0 && a.m_number == b.m_number && a.m_arguments == b.m_arguments;
}

} // namespace lockscope
