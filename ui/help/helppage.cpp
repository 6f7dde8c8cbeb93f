// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/help/helppage.h"

#include "ui/help/helptopic.h"
#include "ui/widgets/boxes.h"
#include "ui/widgets/dialogs.h"
#include "ui/widgets/measure.h"

#include <QApplication>
#include <QFile>
#include <QHeaderView>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMenu>
#include <QPointer>
#include <QPushButton>
#include <QRegularExpression>
#include <QScreen>
#include <QTextBlock>
#include <QTextBrowser>
#include <QTextFrame>
#include <QTimer>
#include <QWhatsThis>

namespace lockscope {

namespace {

constexpr int pageCharacters = 56;
constexpr int pageLines = 22;

/// Hears the keys of dialogs, which the window's shortcuts do not reach, and the clicks of “What's this?”.
class HelpEvents : public QObject
{
public:
    using QObject::QObject;

    /// True if the mouse was used after the last key.
    static inline bool isPointing = false;

    bool eventFilter(QObject *watched, QEvent *event) override
    {
        if (event->type() == QEvent::MouseMove)
            isPointing = true;
        else if (event->type() == QEvent::KeyPress && static_cast<QKeyEvent *>(event)->key() != Qt::Key_F1)
            isPointing = false;
        // Most events are others: this sees all of the program.
        auto *widget = event->type() == QEvent::KeyPress || event->type() == QEvent::QueryWhatsThis ||
                               event->type() == QEvent::WhatsThis
                           ? qobject_cast<QWidget *>(watched)
                           : nullptr;
        if (!widget)
            return false;
        if (event->type() == QEvent::QueryWhatsThis) { // shows the pointer of a place with help
            event->accept();
            return true;
        }
        if (event->type() == QEvent::WhatsThis) {
            const QPoint at = static_cast<QHelpEvent *>(event)->globalPos();
            // Qt still uses the mode in this event.
            QTimer::singleShot(0, widget, [widget, at] {
                QWhatsThis::leaveWhatsThisMode();
                HelpPage::show(*widget, helpTopic(widget, at));
            });
            return true;
        }
        const auto *menu = qobject_cast<const QMenu *>(widget);
        if (event->type() != QEvent::KeyPress || (!menu && !qobject_cast<QDialog *>(widget->window())))
            return false;
        const auto *key = static_cast<QKeyEvent *>(event);
        if (key->key() != Qt::Key_F1 || key->modifiers() != Qt::NoModifier)
            return false;
        if (!menu) {
            HelpPage::showForFocus();
            return true;
        }
        const QString topic =
            menu->activeAction() ? helpTopicOfName(menu->activeAction()->objectName()) : QString();
        while (QWidget *popup = QApplication::activePopupWidget())
            popup->close();
        if (const QWidget *window = QApplication::activeWindow())
            HelpPage::show(*window, topic);
        return true;
    }
};

} // namespace

HelpPage::HelpPage(QWidget *parent) : QDialog(parent), m_text(new QTextBrowser(this))
{
    setWindowTitle(tr("Help"));
    setAttribute(Qt::WA_DeleteOnClose);
    m_text->setAccessibleName(windowTitle());
    m_text->setFrameShape(QFrame::NoFrame);
    m_text->setOpenExternalLinks(true);
    m_text->document()->setDocumentMargin(14);
    QDialogButtonBox *buttons = buttonsOf(this, QDialogButtonBox::Close);
    QPushButton *back = buttons->addButton(tr("&Back"), QDialogButtonBox::ActionRole);
    back->setObjectName(QStringLiteral("back"));
    back->setEnabled(false);
    connect(back, &QPushButton::clicked, m_text, &QTextBrowser::backward);
    connect(m_text, &QTextBrowser::backwardAvailable, back, &QPushButton::setEnabled);
    connect(m_text, &QTextBrowser::sourceChanged, this, &HelpPage::nameHeadings);
    setLayout(columnOf({{m_text, 1}, lineOf({buttons}, 0, {14, 6, 14, 10})}, 0, {}));
    resize(latinWidth(fontMetrics(), pageCharacters), fontMetrics().lineSpacing() * pageLines);
}

/// Qt drops anchors and style of a Markdown heading with HTML in it: gives them back, then scrolls.
void HelpPage::nameHeadings(const QUrl &source)
{
    QFile file(QLatin1Char(':') + source.path());
    QStringList headings;
    if (file.open(QIODevice::ReadOnly))
        headings =
            QString::fromUtf8(file.readAll()).split(u'\n').filter(QRegularExpression(QStringLiteral("^## ")));
    for (QTextBlock block = m_text->document()->begin(); block.isValid(); block = block.next()) {
        if (block.blockFormat().headingLevel() != 2 || headings.isEmpty())
            continue;
        QTextCharFormat format;
        format.setAnchor(true);
        format.setAnchorNames(helpAnchors(headings.takeFirst()));
        format.setFontWeight(QFont::Bold);
        format.setProperty(QTextFormat::FontSizeAdjustment, 1);
        QTextCursor heading(block);
        heading.movePosition(QTextCursor::EndOfBlock, QTextCursor::KeepAnchor);
        heading.mergeCharFormat(format);
    }
    // The last subject can be scrolled to the top, too.
    QTextFrame *frame = m_text->document()->rootFrame();
    QTextFrameFormat format = frame->frameFormat();
    format.setBottomMargin(m_text->viewport()->height());
    frame->setFrameFormat(format);
    m_text->scrollToAnchor(source.fragment());
}

/// The keys of the window that it explains work here, too.
void HelpPage::keyPressEvent(QKeyEvent *event)
{
    const QKeySequence keys(event->keyCombination());
    for (QAction *action : parentWidget()->actions()) {
        if (event->key() != Qt::Key_Escape && action->isEnabled() && action->shortcuts().contains(keys))
            return action->trigger();
    }
    QDialog::keyPressEvent(event);
}

void HelpPage::showForFocus()
{
    const QPoint at = QCursor::pos();
    const QWidget *focus = QApplication::focusWidget();
    const QWidget *pointed = QApplication::widgetAt(at);
    if (HelpEvents::isPointing && pointed && pointed->window() == QApplication::activeWindow() &&
        (qobject_cast<const QHeaderView *>(pointed->parentWidget()) ||
         pointed->property("helpTopic").isValid()))
        return show(*pointed, helpTopic(pointed, at));
    if (!focus)
        focus = QApplication::activeWindow();
    if (focus)
        show(*focus, helpTopic(focus));
}

void HelpPage::show(const QWidget &subject, const QString &topic)
{
    QWidget *window = subject.window();
    if (qobject_cast<HelpPage *>(window))
        return;
    auto *page = window->findChild<HelpPage *>(QString(), Qt::FindDirectChildrenOnly);
    if (!page) {
        page = new HelpPage(window);
        page->QDialog::show();
        // Next to the window, otherwise over its inspector.
        const QRect room = window->screen()->availableGeometry(), frame = window->frameGeometry();
        const QPoint inside = frame.bottomRight() - QPoint(page->width() + 12, page->height() + 48);
        const QPoint right = frame.topRight() + QPoint(12, 0);
        page->move(room.contains(QRect(right, page->size())) ? right : inside);
    }
    page->activateWindow();
    QUrl url(QStringLiteral("qrc") + helpPath());
    url.setFragment(topic);
    page->m_text->setSource(url);
}

void HelpPage::install(QObject *parent)
{
    qApp->installEventFilter(new HelpEvents(parent));
}

} // namespace lockscope
