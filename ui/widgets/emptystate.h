// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/widgets/glyph.h"

#include <QWidget>

class QAction;
class QHBoxLayout;
class QLabel;

namespace lockscope {

/// Replaces an empty view: says why it is empty and what to do next.
class EmptyState : public QWidget
{
    Q_OBJECT

public:
    explicit EmptyState(QWidget *parent = nullptr);

    void setMessage(Glyph glyph, const QString &title, const QString &text,
                    const QList<QAction *> &nextSteps);
    QString title() const;
    QString text() const;

protected:
    void changeEvent(QEvent *event) override;

private:
    void drawPicture();

    Glyph m_glyph = Glyph::Search;
    QLabel *m_picture;
    QLabel *m_title;
    QLabel *m_text;
    QHBoxLayout *m_steps;
    QList<QAction *> m_actions;
};

} // namespace lockscope
