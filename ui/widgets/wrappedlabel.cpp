// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/wrappedlabel.h"

#include <QEvent>
#include <QTextDocument>
#include <QTextOption>

#include <algorithm>

namespace lockscope {

namespace {

constexpr qsizetype maxHeights = 4; ///< for the few widths that a layout asks for
constexpr qsizetype shortWord = 20; ///< characters that fit any line

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
    if (m_margins != contentsMargins() || m_text != text()) {
        m_heights.clear();
        m_margins = contentsMargins();
        m_text = text();
    }
    const auto known = std::ranges::find(m_heights, width, &std::pair<int, int>::first);
    if (known != m_heights.end())
        return known->second;
    int height = QLabel::heightForWidth(width);
    if (hasLongWord(m_text) && breakWords())
        height = QLabel::heightForWidth(width);
    if (m_heights.size() == maxHeights)
        m_heights.clear();
    m_heights.append({width, height});
    return height;
}

void WrappedLabel::changeEvent(QEvent *event)
{
    if (event->type() == QEvent::FontChange || event->type() == QEvent::StyleChange) {
        m_heights.clear();
        m_brokenText.reset();
    }
    QLabel::changeEvent(event);
}

void WrappedLabel::paintEvent(QPaintEvent *event)
{
    // Once for each layout: it asks for another picture.
    if (m_brokenText != text() && hasLongWord(text())) {
        QLabel::heightForWidth(width()); // the layout that QLabel would make now, undoing ours
        breakWords();
    }
    m_brokenText = text();
    QLabel::paintEvent(event);
}

void WrappedLabel::resizeEvent(QResizeEvent *event)
{
    QLabel::resizeEvent(event);
    m_brokenText.reset();
}

/// Returns true if the wrap mode changed. QLabel resets it whenever its text or size changes.
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
