// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/lock.h"
#include "ui/widgets/glyph.h"
#include "ui/widgets/palette.h"

#include <QAbstractButton>

#include <functional>
#include <optional>

namespace lockscope {

/// The content of a line of the overview. Plain text.
struct OverviewEntry
{
    QString text;
    QString detail{}; ///< muted: beside the text, or below it in a tall line
    QString value{};  ///< at the right edge, never elided
    std::optional<Glyph> glyph{};
    StatusColor color = StatusColor::Muted; ///< of the glyph
    LockKey key{};                          ///< empty: not of one lock
    std::function<void()> act{};            ///< empty: a statement, which cannot be clicked
};

/// A line of the overview, and a button if its entry acts.
class OverviewLine : public QAbstractButton
{
    Q_OBJECT

public:
    OverviewLine(bool isTall, QWidget *parent);

    void setEntry(const OverviewEntry &entry);
    const LockKey &key() const { return m_entry.key; }
    bool isHeldInPlace() const { return underMouse() || hasFocus(); }
    QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent *event) override;
    void enterEvent(QEnterEvent *event) override;
    void leaveEvent(QEvent *event) override;

private:
    const bool m_isTall;
    OverviewEntry m_entry;
};

} // namespace lockscope
