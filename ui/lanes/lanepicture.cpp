// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lanes/lanepicture.h"

#include "ui/lanes/laneview.h"
#include "ui/widgets/fileexport.h"
#include "ui/widgets/fonts.h"

#include <QBuffer>
#include <QCoreApplication>
#include <QImage>
#include <QPainter>
#include <QSvgGenerator>

#include <algorithm>

namespace lockscope {

namespace {

struct PictureWords
{
    Q_DECLARE_TR_FUNCTIONS(lockscope::LanePicture)
};

constexpr int pictureMargin = 12;
constexpr int titlePadding = 4;
constexpr int pixelsPerInch = 96;
constexpr int highestFine = 4000; // pixels: what is less high is drawn twice as finely

int titleHeight(const LanePicture &picture)
{
    return picture.title.isEmpty() ? 0 : picture.view->fontMetrics().height() + 2 * titlePadding;
}

QSize sizeOf(const QList<LanePicture> &pictures)
{
    QSize size(2 * pictureMargin, pictureMargin);
    for (const LanePicture &picture : pictures) {
        size.setWidth(std::max(size.width(), picture.view->viewport()->width() + 2 * pictureMargin));
        size.rheight() += titleHeight(picture) + picture.view->wholeHeight() + pictureMargin;
    }
    return size;
}

void drawAll(QPainter &painter, const QList<LanePicture> &pictures)
{
    const QSize whole = sizeOf(pictures);
    const QPalette palette = pictures.first().view->palette();
    painter.fillRect(QRect(QPoint(), whole), palette.color(QPalette::Base));
    int top = pictureMargin;
    for (const LanePicture &picture : pictures) {
        painter.setFont(strong(picture.view->font()));
        painter.setPen(palette.color(QPalette::Text));
        const QRect line(pictureMargin, top, whole.width() - 2 * pictureMargin, titleHeight(picture));
        painter.drawText(line, Qt::AlignVCenter | Qt::AlignLeft | Qt::TextSingleLine, picture.title);
        top += titleHeight(picture);
        painter.save();
        painter.translate(pictureMargin, top);
        picture.view->draw(painter, {{picture.view->viewport()->width(), picture.view->wholeHeight()}});
        painter.restore();
        top += picture.view->wholeHeight() + pictureMargin;
    }
}

QByteArray asSvg(const QList<LanePicture> &pictures)
{
    QBuffer buffer;
    buffer.open(QIODevice::WriteOnly);
    QSvgGenerator generator;
    generator.setOutputDevice(&buffer);
    generator.setResolution(pixelsPerInch);
    generator.setSize(sizeOf(pictures));
    generator.setViewBox(QRect(QPoint(), sizeOf(pictures)));
    generator.setTitle(pictures.first().title);
    generator.setDescription(QStringLiteral("Lockscope"));
    QPainter painter(&generator);
    drawAll(painter, pictures);
    painter.end();
    return buffer.data();
}

/// Returns an empty array if memory is too small for the picture.
QByteArray asPng(const QList<LanePicture> &pictures)
{
    const int ratio = sizeOf(pictures).height() <= highestFine ? 2 : 1;
    QImage image(sizeOf(pictures) * ratio, QImage::Format_RGB32);
    if (image.isNull())
        return {};
    image.setDevicePixelRatio(ratio);
    QPainter painter(&image);
    drawAll(painter, pictures);
    painter.end();
    QBuffer buffer;
    buffer.open(QIODevice::WriteOnly);
    return image.save(&buffer, "PNG") ? buffer.data() : QByteArray();
}

} // namespace

QString saveLanePicture(const QList<LanePicture> &pictures, const QString &path)
{
    const QByteArray content =
        path.endsWith(QStringLiteral(".png"), Qt::CaseInsensitive) ? asPng(pictures) : asSvg(pictures);
    if (content.isEmpty())
        return PictureWords::tr("The picture was not written: it is too large for PNG. Save it as SVG.");
    return saveFile(path, [&content](const ExportSink &write) { write(content); });
}

} // namespace lockscope
