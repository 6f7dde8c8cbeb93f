// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/words/phrases.h"

#include "core/base/printable.h"
#include "core/words/durations.h"

#include <QCoreApplication>

#include <algorithm>

namespace lockscope {

namespace {

QString spoken(const Phrase::Argument &argument)
{
    struct Speaker
    {
        QString operator()(qint64 number) const { return grouped(number); }
        QString operator()(const QByteArray &bytes) const { return printable(bytes); }
        QString operator()(const QString &text) const { return text; }
        QString operator()(std::chrono::milliseconds duration) const { return describe(duration); }
        QString operator()(std::chrono::microseconds duration) const { return shortTime(duration); }
        QString operator()(const Phrase &phrase) const { return inWords(phrase); }
    };
    return std::visit(Speaker(), argument.value);
}

} // namespace

QString inWords(const Phrase &phrase)
{
    const int plural = static_cast<int>(std::min<qint64>(phrase.number(), 1'000'000'000));
    // lupdate reads the sources where they are written.
    return phrase.isEmpty()
               ? QString()
               : phrase.filledIn(QCoreApplication::translate("phrases", phrase.source(), nullptr, plural),
                                 spoken);
}

QString inWords(const Error &why)
{
    return why.hasReason() ? inWords(why.because()) : QString();
}

} // namespace lockscope
