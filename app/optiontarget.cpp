// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/optiontarget.h"

#include "app/optiontable.h"
#include "app/words.h"
#include "core/base/ascii.h"

#include <algorithm>

namespace lockscope {

tl::unexpected<Error> usageError(const QString &why)
{
    return tl::unexpected(Error{ErrorKind::InvalidArgument, why.toUtf8()});
}

Result<void> firstBroken(std::initializer_list<std::pair<bool, QString>> rules)
{
    for (const auto &[isBroken, why] : rules) {
        if (isBroken)
            return usageError(why);
    }
    return {};
}

ValueRefusal::ValueRefusal(const char *text)
    : function([text](const QString &option, const QByteArray &) { return Words::tr(text).arg(option); })
{
}

ValueRefusal rangeRefusal(qint64 least, qint64 most)
{
    return [=](const QString &option, const QByteArray &) {
        return Words::tr("%1 takes a whole number from %2 to %3.").arg(option).arg(least).arg(most);
    };
}

ValueRefusal namesRefusal(QByteArrayList (*names)())
{
    return [names](const QString &option, const QByteArray &) { return choiceText(option, names()); };
}

ValueRefusal exampleRefusal(const char *examples)
{
    return [examples](const QString &option, const QByteArray &) {
        return Words::tr("%1 takes %2, as in %3.")
            .arg(option, QLatin1String(rowOf(option.toLatin1())->argument), QLatin1String(examples));
    };
}

QString choiceText(const QString &option, QByteArrayList names)
{
    const QByteArray last = names.takeLast();
    return Words::tr("%1 takes %2 or %3.")
        .arg(option, QString::fromLatin1(names.join(", ")), QString::fromLatin1(last));
}

QString needText(const QString &option, const QString &other)
{
    return Words::tr("%1 needs %2.").arg(option, other);
}

QString conflictText(const QString &option, const QString &other)
{
    return Words::tr("Give either %1 or %2.").arg(option, other);
}

std::optional<qint64> wholeNumber(const QByteArray &text, qint64 least, qint64 most)
{
    bool fits = false;
    const qint64 number = text.toLongLong(&fits);
    const bool isPlain = fits && std::ranges::all_of(text, isDigit);
    return isPlain && number >= least && number <= most ? std::optional(number) : std::nullopt;
}

std::optional<milliseconds> secondsFrom(const QByteArray &text)
{
    if (const auto lease = Lease::fromSeconds(text))
        return lease->value();
    const bool isZero =
        text.contains('0') && std::ranges::all_of(text, [](char c) { return c == '0' || c == '.'; });
    return isZero && text.count('.') <= 1 ? std::optional(milliseconds(0)) : std::nullopt;
}

} // namespace lockscope
