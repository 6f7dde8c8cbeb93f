// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>

class QTextBrowser;

namespace lockscope {

/// The help in a small window of its own, which does not block the window that it explains. Escape closes it.
class HelpPage : public QDialog
{
    Q_OBJECT

public:
    /// Shows the help of the focused widget; if the mouse was used last, of the header or chip below it.
    static void showForFocus();
    /// Shows the help for `subject`, one page per window. An empty topic: its beginning.
    static void show(const QWidget &subject, const QString &topic);
    /// While `parent` lives, F1 works in all dialogs too, and “What's this?” opens the help.
    static void install(QObject *parent);

    const QTextBrowser &text() const { return *m_text; }

protected:
    void keyPressEvent(QKeyEvent *event) override;

private:
    explicit HelpPage(QWidget *parent);
    void nameHeadings(const QUrl &source);

    QTextBrowser *m_text;
};

} // namespace lockscope
