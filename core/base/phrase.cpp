// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/phrase.h"

#include "core/base/printable.h"

namespace lockscope {

namespace {

QString spoken(const Phrase::Argument &argument)
{
    struct Speaker
    {
        QString operator()(qint64 number) const { return grouped(number); }
        QString operator()(const QByteArray &bytes) const { return printable(bytes); }
        QString operator()(const QString &text) const { return text; }
        QString operator()(std::chrono::milliseconds duration) const
        {
            return grouped(duration.count()) + QStringLiteral(" ms");
        }
        QString operator()(std::chrono::microseconds duration) const
        {
            return grouped(duration.count()) + QStringLiteral(" µs");
        }
        QString operator()(const Phrase &phrase) const { return phrase.inEnglish(); }
    };
    return std::visit(Speaker(), argument.value);
}

} // namespace

QString Phrase::inEnglish() const
{
    return filledIn(QString::fromUtf8(m_source), spoken);
}

} // namespace lockscope
