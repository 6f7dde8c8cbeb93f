// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/boxes.h"

namespace lockscope {

void BoxPart::addTo(QBoxLayout &box) const
{
    if (m_widget)
        box.addWidget(m_widget, m_share, m_alignment);
    else if (m_layout)
        box.addLayout(m_layout, m_share);
    else if (m_pixels > 0)
        box.addSpacing(m_pixels);
    else if (m_isStretch)
        box.addStretch(m_share);
}

void addParts(QBoxLayout &box, std::initializer_list<BoxPart> parts)
{
    for (const BoxPart &part : parts)
        part.addTo(box);
}

namespace {

template <typename Box>
Box *boxOf(std::initializer_list<BoxPart> parts, int spacing, const QMargins &margins)
{
    auto *box = new Box;
    box->setSpacing(spacing);
    box->setContentsMargins(margins);
    addParts(*box, parts);
    return box;
}

} // namespace

QVBoxLayout *columnOf(std::initializer_list<BoxPart> parts, int spacing, const QMargins &margins)
{
    return boxOf<QVBoxLayout>(parts, spacing, margins);
}

QHBoxLayout *lineOf(std::initializer_list<BoxPart> parts, int spacing, const QMargins &margins)
{
    return boxOf<QHBoxLayout>(parts, spacing, margins);
}

} // namespace lockscope
