// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/act/actionguard.h"

#include <QWidget>

class QCheckBox;
class QLineEdit;

namespace lockscope {

/// How a user agrees to an action, besides the button that acts: by typing a name in production; in staging with a box that says
/// that no question is wanted any more. Nothing to be seen where the button is enough.
class ConsentField : public QWidget
{
    Q_OBJECT

public:
    /// `name`: the one to be typed, where one is.
    ConsentField(const ActionGuard &guard, Action action, const QString &name, QWidget *parent);

    bool isGiven() const;
    Consent consent() const;
    bool skipsNextQuestion() const;

signals:
    void changed();

private:
    const Consent::Kind m_asked;
    const QString m_name;
    QLineEdit *m_typed = nullptr;
    QCheckBox *m_skip = nullptr;
};

} // namespace lockscope
