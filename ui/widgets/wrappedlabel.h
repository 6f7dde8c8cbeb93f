// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLabel>

namespace lockscope {

/// A label of wrapped plain text in which a word that is longer than a line goes on in the next one. QLabel cuts it off, and keys
/// and owners are such words.
class WrappedLabel : public QLabel
{
    Q_OBJECT

public:
    explicit WrappedLabel(QWidget *parent = nullptr);

    int heightForWidth(int width) const override;

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    bool breakWords() const;
};

} // namespace lockscope
