// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

class QLineEdit;

namespace lockscope {

/// The number from which a run draws all that is random, with a button for another one.
class SeedField : public QWidget
{
    Q_OBJECT

public:
    explicit SeedField(QWidget *parent = nullptr);

    quint32 seed() const; ///< 1 where nothing is written
    void setSeed(quint32 seed);

signals:
    void changed();

private:
    QLineEdit *m_text;
};

} // namespace lockscope
