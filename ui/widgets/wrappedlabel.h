// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLabel>
#include <QVarLengthArray>

#include <optional>

namespace lockscope {

/// A label of wrapped plain text in which a word that is longer than a line goes on in the next one. QLabel cuts it off, and keys
/// and owners are such words. Knows how high its text is: where one of many labels tells a time, the layout asks all of them each second, and
/// Qt would lay out every text again, several times.
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
    mutable QVarLengthArray<std::pair<int, int>, 4> m_heights; ///< by width, with these
    std::optional<QString>
        m_brokenText; ///< whose long words are broken; absent: QLabel has laid it out since, or will
};

} // namespace lockscope
