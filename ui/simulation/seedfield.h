// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

class QLineEdit;

namespace lockscope {

/// The seed of a run's random numbers, with a button for a new one.
class SeedField : public QWidget
{
    Q_OBJECT

public:
    explicit SeedField(QWidget *parent = nullptr);

    quint32 seed() const; ///< 1 if empty
    void setSeed(quint32 seed);

signals:
    void changed();

private:
    QLineEdit *m_text;
};

} // namespace lockscope
