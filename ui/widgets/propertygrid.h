// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/widgets/palette.h"

#include <QGridLayout>
#include <QLabel>
#include <QList>
#include <QWidget>

#include <utility>

namespace lockscope {

/// Names and values in two aligned columns; values are plain text that can be selected.
class PropertyGrid : public QWidget
{
    Q_OBJECT

public:
    explicit PropertyGrid(QWidget *parent = nullptr);

    /// Adds a row and returns its value.
    QLabel *add(const QString &name);
    /// The same, with the value below its name: for what is long, such as an owner's id.
    QLabel *addBelow(const QString &name);
    /// An empty text hides the row.
    void set(QLabel *value, const QString &text);
    /// Names and values of the rows that are shown.
    QList<std::pair<QString, QString>> rows() const;

private:
    QLabel *pair(const QString &name);

    QGridLayout *m_grid;
    QList<QLabel *> m_names;
    QList<QLabel *> m_values;
};

/// A label for a server's bytes: plain text, wrapped also within long words, selectable with mouse and keyboard.
QLabel *plainLabel(QWidget *parent, const QString &text = {});

/// Gives a widget's text the tone's color, in every theme from now on.
void applyTextColor(QWidget *widget, StatusColor statusColor);
/// The text has its usual color again.
void clearTextColor(QWidget *widget);
/// The tone's faint ground and its color for the text: a notice among other things.
void applyBannerStyle(QWidget *widget, StatusColor statusColor);

} // namespace lockscope
