// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/inspector/leasesparkline.h"

#include "core/words/durations.h"
#include "ui/widgets/palette.h"
#include "ui/widgets/plaintext.h"

#include <QPainter>

#include <algorithm>
#include <optional>

namespace lockscope {

namespace {

using Is = LeaseStretch::Is;

constexpr double markRadius = 2.0;

milliseconds longestLeft(const QList<LeaseStretch> &stretches)
{
    milliseconds longest{1};
    for (const LeaseStretch &stretch : stretches) {
        if (stretch.is == Is::Held)
            longest = std::max(longest, stretch.leftAtStart);
    }
    return longest;
}

} // namespace

QString leaseSentence(const QList<LeaseStretch> &stretches, bool mayRepeat)
{
    if (stretches.isEmpty())
        return {};
    int renewals = 0;
    qint64 unknownMs = 0;
    std::optional<milliseconds> leastLeft;
    for (qsizetype i = 0; i < stretches.size(); ++i) {
        const LeaseStretch &stretch = stretches[i];
        if (stretch.is == Is::Unknown)
            unknownMs += stretch.toMs - stretch.fromMs;
        if (stretch.is != Is::Held || !stretch.beginsByRenewal)
            continue;
        ++renewals;
        if (i > 0 && stretches[i - 1].is == Is::Held) {
            const milliseconds left = stretches[i - 1].leftAt(stretch.fromMs);
            leastLeft = leastLeft ? std::min(*leastLeft, left) : left;
        }
    }
    const milliseconds shown(stretches.last().toMs - stretches.first().fromMs);
    QString text = mayRepeat && renewals > 0
                       ? LeaseSparkline::tr("In %1: renewals or new acquisitions seen: %2.")
                             .arg(describe(shown), QLocale().toString(renewals))
                       : LeaseSparkline::tr("In %1: renewals seen: %2.")
                             .arg(describe(shown), QLocale().toString(renewals));
    if (leastLeft)
        text += u' ' + LeaseSparkline::tr("At least %1 was left.").arg(describe(*leastLeft));
    if (unknownMs > 0)
        text += u' ' + LeaseSparkline::tr("Unknown for %1.").arg(describe(milliseconds(unknownMs)));
    return text;
}

LeaseSparkline::LeaseSparkline(QWidget *parent) : QWidget(parent)
{
    setFixedHeight(fontMetrics().height() * 2);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setAccessibleName(tr("Lease over the last minutes"));
}

void LeaseSparkline::showLease(const QList<LeaseStretch> &stretches, bool mayRepeat, bool isStale)
{
    m_stretches = stretches;
    m_isStale = isStale;
    setHidden(stretches.isEmpty());
    if (const QString sentence = leaseSentence(stretches, mayRepeat); sentence != m_sentence) {
        m_sentence = sentence;
        setAccessibleDescription(sentence);
        setToolTip(plainToolTip(sentence));
    }
    update();
}

void LeaseSparkline::paintEvent(QPaintEvent *)
{
    if (m_stretches.isEmpty())
        return;
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const QRectF place = QRectF(rect()).adjusted(0, markRadius + 1, -markRadius, -1);
    const qint64 from = m_stretches.first().fromMs;
    const auto span = static_cast<double>(m_stretches.last().toMs - from);
    const auto top = static_cast<double>(longestLeft(m_stretches).count());
    const auto x = [&](qint64 ms) { return place.left() + place.width() * double(ms - from) / span; };
    const auto y = [&](milliseconds left) {
        return place.bottom() - place.height() * double(left.count()) / top;
    };
    const auto color = [this](StatusColor statusColor) {
        return textColor(m_isStale ? StatusColor::Muted : statusColor, palette());
    };
    painter.setPen(borderColor(palette()));
    painter.drawLine(place.bottomLeft(), place.bottomRight());
    for (const LeaseStretch &stretch : m_stretches) {
        const double left = x(stretch.fromMs), right = x(stretch.toMs);
        switch (stretch.is) {
        case Is::Unknown:
            painter.fillRect(QRectF(QPointF(left, place.top()), QPointF(right, place.bottom())),
                             QBrush(outlineColor(palette()), Qt::BDiagPattern));
            break;
        case Is::Free:
            break;
        case Is::Endless:
            painter.setPen(QPen(color(StatusColor::Endless), 1.5, Qt::DashLine));
            painter.drawLine(QPointF(left, place.top()), QPointF(right, place.top()));
            break;
        case Is::Held: {
            const qint64 endMs = std::min(stretch.toMs, stretch.fromMs + stretch.leftAtStart.count());
            const QPointF start(left, y(stretch.leftAtStart));
            painter.setPen(QPen(color(StatusColor::Held), 1.5));
            painter.drawLine(start, QPointF(x(endMs), y(stretch.leftAt(endMs))));
            if (stretch.beginsByRenewal) {
                painter.setBrush(color(StatusColor::Held));
                painter.setPen(Qt::NoPen);
                painter.drawEllipse(start, markRadius, markRadius);
            }
            break;
        }
        }
    }
}

} // namespace lockscope
