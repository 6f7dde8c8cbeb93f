// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/inspector/leasesparkline.h"

#include "core/words/durations.h"
#include "ui/widgets/palette.h"
#include "ui/widgets/plaintext.h"

#include <QPainter>

#include <algorithm>
#include <optional>
#include <utility>

namespace lockscope {

namespace {

using Is = LeaseStretch::Is;

constexpr double markRadius = 2.0;

QRectF placeIn(const QWidget &widget)
{
    return QRectF(widget.rect()).adjusted(0, markRadius + 1, -markRadius, -1);
}

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
    const bool isOther = std::exchange(m_isStale, isStale) != isStale;
    setHidden(stretches.isEmpty());
    if (const QString sentence = leaseSentence(stretches, mayRepeat); sentence != m_sentence) {
        m_sentence = sentence;
        setPlainToolTip(*this, sentence);
    }
    if (isOther || !std::ranges::equal(pieces(), m_drawn, &Piece::looksLike))
        update();
}

/// Compares to half a pixel, which nobody sees: a pixel may be minutes.
bool LeaseSparkline::Piece::looksLike(const Piece &other) const
{
    const auto isNear = [](const QPointF &a, const QPointF &b) { return (a - b).manhattanLength() < 0.5; };
    return is == other.is && beginsByRenewal == other.beginsByRenewal && isNear(from, other.from) &&
           isNear(to, other.to);
}

QList<LeaseSparkline::Piece> LeaseSparkline::pieces() const
{
    QList<Piece> pieces;
    if (m_stretches.isEmpty())
        return pieces;
    const QRectF place = placeIn(*this);
    const qint64 from = m_stretches.first().fromMs;
    const auto span = static_cast<double>(m_stretches.last().toMs - from);
    const auto top = static_cast<double>(longestLeft(m_stretches).count());
    const auto x = [&](qint64 ms) { return place.left() + place.width() * double(ms - from) / span; };
    const auto y = [&](milliseconds left) {
        return place.bottom() - place.height() * double(left.count()) / top;
    };
    for (const LeaseStretch &stretch : m_stretches) {
        Piece piece{stretch.is, QPointF(x(stretch.fromMs), place.top()),
                    QPointF(x(stretch.toMs), place.top()), stretch.beginsByRenewal};
        if (stretch.is == Is::Unknown)
            piece.to.setY(place.bottom());
        if (stretch.is == Is::Held) {
            const qint64 endMs = std::min(stretch.toMs, stretch.fromMs + stretch.leftAtStart.count());
            piece.from.setY(y(stretch.leftAtStart));
            piece.to = QPointF(x(endMs), y(stretch.leftAt(endMs)));
        }
        pieces.append(piece);
    }
    return pieces;
}

void LeaseSparkline::paintEvent(QPaintEvent *)
{
    m_drawn = pieces();
    if (m_drawn.isEmpty())
        return;
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const QRectF place = placeIn(*this);
    const auto color = [this](StatusColor statusColor) {
        return textColor(m_isStale ? StatusColor::Muted : statusColor, palette());
    };
    painter.setPen(borderColor(palette()));
    painter.drawLine(place.bottomLeft(), place.bottomRight());
    for (const Piece &piece : std::as_const(m_drawn)) {
        switch (piece.is) {
        case Is::Unknown:
            painter.fillRect(QRectF(piece.from, piece.to), QBrush(outlineColor(palette()), Qt::BDiagPattern));
            break;
        case Is::Free:
            break;
        case Is::Endless:
            painter.setPen(QPen(color(StatusColor::Endless), 1.5, Qt::DashLine));
            painter.drawLine(piece.from, piece.to);
            break;
        case Is::Held:
            painter.setPen(QPen(color(StatusColor::Held), 1.5));
            painter.drawLine(piece.from, piece.to);
            if (piece.beginsByRenewal) {
                painter.setBrush(color(StatusColor::Held));
                painter.setPen(Qt::NoPen);
                painter.drawEllipse(piece.from, markRadius, markRadius);
            }
            break;
        }
    }
}

} // namespace lockscope
