// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lanes/lanepicture.h"

#include "core/words/texts.h"
#include "ui/lanes/laneview.h"
#include "ui/widgets/fileexport.h"
#include "ui/widgets/fonts.h"

#include <QBuffer>
#include <QImage>
#include <QPainter>
#include <QSvgGenerator>

namespace lockscope {

namespace {

constexpr int pictureMargin = 12;
constexpr int titlePadding = 4;
constexpr int pixelsPerInch = 96;
constexpr int highestFine = 4000; // pixels: what is less high is drawn twice as finely

class Picture
{
public:
    Picture(const LaneView &view, const QString &title) : m_view(view), m_title(title) {}

    QByteArray asSvg() const
    {
        QBuffer buffer;
        buffer.open(QIODevice::WriteOnly);
        QSvgGenerator generator;
        generator.setOutputDevice(&buffer);
        generator.setResolution(pixelsPerInch);
        generator.setSize(size());
        generator.setViewBox(QRect(QPoint(), size()));
        generator.setTitle(m_title);
        generator.setDescription(QStringLiteral("Lockscope"));
        QPainter painter(&generator);
        draw(painter);
        painter.end();
        return buffer.data();
    }

    /// Returns an empty array if memory is too small for the picture.
    QByteArray asPng() const
    {
        const int ratio = size().height() <= highestFine ? 2 : 1;
        QImage image(size() * ratio, QImage::Format_RGB32);
        if (image.isNull())
            return {};
        image.setDevicePixelRatio(ratio);
        QPainter painter(&image);
        draw(painter);
        painter.end();
        QBuffer buffer;
        buffer.open(QIODevice::WriteOnly);
        return image.save(&buffer, "PNG") ? buffer.data() : QByteArray();
    }

private:
    QSize viewSize() const { return {m_view.viewport()->width(), m_view.wholeHeight()}; }
    int titleHeight() const
    {
        return m_title.isEmpty() ? 0 : m_view.fontMetrics().height() + 2 * titlePadding;
    }
    QSize size() const { return viewSize() + QSize(2 * pictureMargin, titleHeight() + 2 * pictureMargin); }

    void draw(QPainter &painter) const
    {
        const QPalette palette = m_view.palette();
        painter.fillRect(QRect(QPoint(), size()), palette.color(QPalette::Base));
        painter.setFont(strong(m_view.font()));
        painter.setPen(palette.color(QPalette::Text));
        const QRect line(pictureMargin, pictureMargin, viewSize().width(), titleHeight());
        painter.drawText(line, Qt::AlignVCenter | Qt::AlignLeft | Qt::TextSingleLine, m_title);
        painter.translate(line.left(), line.top() + line.height());
        m_view.draw(painter, {viewSize()});
    }

    const LaneView &m_view;
    const QString &m_title;
};

} // namespace

QString saveLanePicture(const LaneView &view, const QString &title, const QString &path)
{
    const Picture picture(view, title);
    const bool isPng = path.endsWith(QStringLiteral(".png"), Qt::CaseInsensitive);
    const QByteArray content = isPng ? picture.asPng() : picture.asSvg();
    if (content.isEmpty())
        return Texts::tr("Not saved: too large for PNG. Save as SVG.");
    return saveFile(path, [&content](const ExportSink &write) { write(content); });
}

} // namespace lockscope
