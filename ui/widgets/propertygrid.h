// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/widgets/palette.h"

#include <QGridLayout>
#include <QLabel>
#include <QList>
#include <QWidget>

#include <utility>

namespace lockscope {

/// Names and values in two aligned columns; values are selectable plain text.
class PropertyGrid : public QWidget
{
    Q_OBJECT

public:
    explicit PropertyGrid(QWidget *parent = nullptr);

    QLabel *add(const QString &name);
    /// Adds a row with the value below the name, for long values such as owner IDs.
    QLabel *addBelow(const QString &name);
    /// Sets the text of a value; an empty text hides the row.
    void set(QLabel *value, const QString &text);
    QList<std::pair<QString, QString>> rows() const;

private:
    QLabel *pair(const QString &name);

    QGridLayout *m_grid;
    QList<QLabel *> m_names;
    QList<QLabel *> m_values;
};

/// Returns a label for a server's bytes: plain text that wraps within long words, selectable.
QLabel *plainLabel(QWidget *parent, const QString &text = {});

/// Gives a widget's text this color, in every theme.
void applyTextColor(QWidget *widget, StatusColor statusColor);
void clearTextColor(QWidget *widget);
void applyBannerStyle(QWidget *widget, StatusColor statusColor);

} // namespace lockscope
