// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/lockactions/actiondialog.h"

#include <QLabel>
#include <QLineEdit>
#include <QPromise>
#include <QPushButton>

namespace lockscope {

/// Stands for the operations: notes what is asked and answers when told.
class Answerer
{
public:
    ActionDialog::Run run()
    {
        return [this](const ActionRequest &request) {
            m_asked.append(request);
            m_promise = QPromise<Result<ActionResult>>();
            m_promise.start();
            return m_promise.future();
        };
    }

    void answer(const Result<ActionResult> &result)
    {
        m_promise.addResult(result);
        m_promise.finish();
    }
    void answer(Outcome outcome)
    {
        ActionResult report;
        report.action = asked().action;
        report.key = asked().key;
        report.outcome = outcome;
        answer(report);
    }

    const ActionRequest &asked() const { return m_asked.last(); }
    qsizetype times() const { return m_asked.size(); }

private:
    QList<ActionRequest> m_asked;
    QPromise<Result<ActionResult>> m_promise;
};

inline QPushButton *button(const QDialog &dialog, const QString &text)
{
    for (QPushButton *candidate : dialog.findChildren<QPushButton *>()) {
        if (candidate->text().remove(u'&') == text)
            return candidate;
    }
    return nullptr;
}

inline QString shownText(const QWidget &widget)
{
    QStringList texts;
    for (const QLabel *label : widget.findChildren<QLabel *>()) {
        if (label->isVisible())
            texts << label->text();
    }
    return texts.join(u'\n');
}

inline QString text(const QWidget &widget, const char *name)
{
    return widget.findChild<QLabel *>(QString::fromLatin1(name))->text();
}

inline void type(const QWidget &widget, const char *name, const QString &text)
{
    widget.findChild<QLineEdit *>(QString::fromLatin1(name))->setText(text);
}

} // namespace lockscope
