// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStackedWidget>

class QLabel;

namespace lockscope {

/// A list, or where it has nothing in it a sentence in its place that says why.
class ContentsOrText : public QStackedWidget
{
    Q_OBJECT

public:
    /// Takes the contents over.
    explicit ContentsOrText(QWidget *contents, QWidget *parent = nullptr);

    void showContents();
    void showText(const QString &text);
    /// To whichever is shown.
    void focusContents();

private:
    QWidget *m_contents;
    QLabel *m_text;
};

} // namespace lockscope
