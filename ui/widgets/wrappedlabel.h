// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLabel>
#include <QVarLengthArray>

#include <optional>

namespace lockscope {

/// A label of plain text that also wraps within long words, such as keys; QLabel would cut them off. Caches
/// its heights: otherwise Qt would lay out every label again each time one changes.
class WrappedLabel : public QLabel
{
    Q_OBJECT

public:
    explicit WrappedLabel(QWidget *parent = nullptr);

    int heightForWidth(int width) const override;

protected:
    void changeEvent(QEvent *event) override;
    void paintEvent(QPaintEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;

private:
    bool breakWords() const;

    mutable QString m_text;
    mutable QMargins m_margins;
    mutable QVarLengthArray<std::pair<int, int>, 4> m_heights; ///< by width, for m_text and m_margins
    std::optional<QString>
        m_brokenText; ///< text with broken words; absent if QLabel may have laid it out again
};

} // namespace lockscope
