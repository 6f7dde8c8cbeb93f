// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/wrappedlabel.h"

#include <QTextDocument>
#include <QTextOption>

namespace lockscope {

namespace {

constexpr qsizetype shortWord = 20; ///< characters that have room in any line of ours

bool hasLongWord(QStringView text)
{
    qsizetype length = 0;
    for (const QChar c : text) {
        length = c.isSpace() ? 0 : length + 1;
        if (length > shortWord)
            return true;
    }
    return false;
}

} // namespace

WrappedLabel::WrappedLabel(QWidget *parent) : QLabel(parent)
{
    setTextFormat(Qt::PlainText);
    setWordWrap(true);
    // Selectable text is laid out in a document, whose lines can be told where to end.
    setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
}

int WrappedLabel::heightForWidth(int width) const
{
    const int height = QLabel::heightForWidth(width);
    return hasLongWord(text()) && breakWords() ? QLabel::heightForWidth(width) : height;
}

void WrappedLabel::paintEvent(QPaintEvent *event)
{
    if (hasLongWord(text())) {
        QLabel::heightForWidth(width()); // the layout that QLabel would make now, undoing ours
        breakWords();
    }
    QLabel::paintEvent(event);
}

/// Whether lines end elsewhere now. QLabel sets the mode again whenever its text or size changes.
bool WrappedLabel::breakWords() const
{
    auto *document = findChild<QTextDocument *>();
    if (!document || document->defaultTextOption().wrapMode() == QTextOption::WrapAtWordBoundaryOrAnywhere)
        return false;
    QTextOption option = document->defaultTextOption();
    option.setWrapMode(QTextOption::WrapAtWordBoundaryOrAnywhere);
    document->setDefaultTextOption(option);
    return true;
}

} // namespace lockscope
