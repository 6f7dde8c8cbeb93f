// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/act/actionguard.h"

#include <QWidget>

class QCheckBox;
class QLineEdit;

namespace lockscope {

/// Consent besides the action button: a typed name in production, an option to skip further questions in
/// staging, otherwise nothing.
class ConsentField : public QWidget
{
    Q_OBJECT

public:
    /// `name`: text to be typed, if required.
    ConsentField(const ActionGuard &guard, Action action, const QString &name, QWidget *parent);

    bool isGiven() const;
    QString question() const; ///< empty: nothing is to be typed
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
