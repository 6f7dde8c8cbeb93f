// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/replay/scrubslider.h"

#include "core/words/recordingmessages.h"
#include "ui/events/eventtext.h"
#include "ui/widgets/palette.h"
#include "ui/widgets/plaintext.h"

#include <QHelpEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QSignalBlocker>
#include <QToolTip>

#include <algorithm>
#include <cmath>
#include <iterator>

namespace lockscope {

namespace {

constexpr int scrubMargin = 8;    // half a handle
constexpr int scrubHeight = 30;   // of the whole
constexpr double handleWidth = 3; // of the line
constexpr int maxValues = 1'000'000;
constexpr std::chrono::seconds scrubStep{1};
constexpr std::chrono::minutes scrubPage{1};

/// Returns a count that few parts exceed: a burst, such as the first scan, does not flatten the rest.
qint64 usualMost(const std::vector<qint64> &histogram)
{
    std::vector<qint64> counts;
    std::ranges::copy_if(histogram, std::back_inserter(counts), [](qint64 count) { return count > 0; });
    if (counts.empty())
        return 0;
    const auto high = counts.begin() + std::ssize(counts) * 97 / 100;
    std::ranges::nth_element(counts, high);
    return *high;
}

} // namespace

ScrubSlider::ScrubSlider(QWidget *parent) : QAbstractSlider(parent)
{
    setOrientation(Qt::Horizontal);
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setAccessibleName(tr("Moment of the recording"));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    connect(this, &QAbstractSlider::valueChanged, this, [this](int value) {
        setAccessibleDescription(textOf(momentOf(value)));
        if (!m_isTold)
            emit sought(momentOf(value));
    });
}

void ScrubSlider::setOutline(const ReplayOutline &outline)
{
    m_outline = outline;
    m_unitMs = outline.length.count() / maxValues + 1;
    m_isTold = true;
    setRange(0, static_cast<int>(outline.length.count() / m_unitMs));
    setSingleStep(static_cast<int>(std::max<qint64>(milliseconds(scrubStep).count() / m_unitMs, 1)));
    setPageStep(static_cast<int>(std::max<qint64>(milliseconds(scrubPage).count() / m_unitMs, 1)));
    m_isTold = false;
    update();
}

void ScrubSlider::showMoment(milliseconds moment)
{
    if (isSliderDown()) // the user's hand is further than what was read
        return;
    m_isTold = true;
    setValue(static_cast<int>(moment.count() / m_unitMs));
    m_isTold = false;
}

QSize ScrubSlider::sizeHint() const
{
    return {400, scrubHeight};
}

QSize ScrubSlider::minimumSizeHint() const
{
    return {80, scrubHeight};
}

QRectF ScrubSlider::groove() const
{
    return QRectF(rect()).adjusted(scrubMargin, 3.5, -scrubMargin, -3.5);
}

double ScrubSlider::xOf(milliseconds moment) const
{
    const double share =
        m_outline.length.count() > 0 ? double(moment.count()) / double(m_outline.length.count()) : 0;
    return groove().left() + std::clamp(share, 0.0, 1.0) * groove().width();
}

milliseconds ScrubSlider::momentAt(double x) const
{
    const double share = std::clamp((x - groove().left()) / std::max(groove().width(), 1.0), 0.0, 1.0);
    return milliseconds(std::llround(share * double(m_outline.length.count())));
}

QString ScrubSlider::textOf(milliseconds moment) const
{
    return timeText(m_outline.wallAt(moment));
}

void ScrubSlider::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const QRectF place = groove();
    painter.setPen(Qt::NoPen);
    painter.setBrush(palette().color(QPalette::Base));
    painter.drawRect(place);
    const double x = xOf(moment());
    painter.fillRect(QRectF(place.topLeft(), QPointF(x, place.bottom())),
                     tintColor(StatusColor::Held, palette()));
    // As the timeline has it: what is not known is hatched.
    for (const RecordingGap &gap : m_outline.gaps) {
        QRectF part(QPointF(xOf(gap.from), place.top()), QPointF(xOf(gap.to), place.bottom()));
        part.setWidth(std::max(part.width(), 1.5));
        painter.fillRect(part, QBrush(outlineColor(palette()), Qt::FDiagPattern));
    }
    const qint64 most = usualMost(m_outline.histogram);
    const double width = place.width() / std::max<double>(double(m_outline.histogram.size()), 1);
    QColor ink = textColor(StatusColor::Held, palette());
    ink.setAlphaF(isEnabled() ? 0.75F : 0.3F);
    for (size_t i = 0; i < m_outline.histogram.size() && most > 0; ++i) {
        if (m_outline.histogram[i] == 0)
            continue;
        const double share = std::sqrt(std::min(double(m_outline.histogram[i]) / double(most), 1.0));
        const double height = std::max(share * (place.height() - 6), 1.5);
        painter.fillRect(
            QRectF(place.left() + double(i) * width, place.bottom() - height, std::max(width, 1.0), height),
            ink);
    }
    painter.setBrush(Qt::NoBrush);
    painter.setPen(hasFocus() ? QPen(palette().color(QPalette::Highlight), 2)
                              : QPen(outlineColor(palette()), 1));
    painter.drawRect(place);
    painter.setPen(Qt::NoPen);
    painter.setBrush(palette().color(QPalette::Text));
    painter.drawRect(QRectF(x - handleWidth / 2, 0, handleWidth, height()));
    painter.drawEllipse(QPointF(x, 4), 4, 4);
}

void ScrubSlider::seekTo(double x)
{
    setSliderPosition(static_cast<int>(momentAt(x).count() / m_unitMs));
}

void ScrubSlider::mousePressEvent(QMouseEvent *event)
{
    if (event->button() != Qt::LeftButton)
        return;
    setSliderDown(true);
    seekTo(event->position().x());
}

void ScrubSlider::mouseMoveEvent(QMouseEvent *event)
{
    if (isSliderDown())
        seekTo(event->position().x());
}

void ScrubSlider::mouseReleaseEvent(QMouseEvent *event)
{
    if (event->button() == Qt::LeftButton)
        setSliderDown(false);
}

bool ScrubSlider::event(QEvent *event)
{
    if (event->type() != QEvent::ToolTip)
        return QAbstractSlider::event(event);
    const auto *help = static_cast<QHelpEvent *>(event);
    const milliseconds at = momentAt(help->pos().x());
    QStringList lines{textOf(at)};
    for (const RecordingGap &gap : m_outline.gaps) {
        if (gap.from <= at && at <= gap.to)
            lines << describe(gap);
    }
    QToolTip::showText(help->globalPos(), plainToolTip(lines.join(u'\n')), this);
    return true;
}

} // namespace lockscope
