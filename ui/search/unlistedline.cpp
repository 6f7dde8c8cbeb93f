// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/search/unlistedline.h"

#include "core/base/printable.h"
#include "ui/widgets/boxes.h"
#include "ui/widgets/palette.h"
#include "ui/widgets/plaintext.h"
#include "ui/widgets/propertygrid.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QLocale>
#include <QToolButton>

#include <algorithm>
#include <limits>
#include <memory>

namespace lockscope {

namespace {

constexpr qsizetype maxOffers = 3;
constexpr qsizetype maxOfAPattern = 32;

} // namespace

UnlistedLine::UnlistedLine(QWidget *parent)
    : QWidget(parent), m_text(new QLabel(this)), m_offers(new QHBoxLayout)
{
    m_text->setTextFormat(Qt::PlainText);
    m_text->setToolTip(
        tr("Their names or contents are such as locks have, but Lockscope reads only keys that match a "
           "pattern.\nRemove an added pattern under Patterns."));
    applyTextColor(m_text, StatusColor::Muted);
    auto *dismiss = new QToolButton(this);
    dismiss->setObjectName(QStringLiteral("dismiss"));
    dismiss->setText(tr("Dismiss"));
    dismiss->setAutoRaise(true);
    setLayout(lineOf({m_text, m_offers, dismiss, Stretch{}}, usualSpacing, {14, 2, 10, 2}));
    connect(dismiss, &QToolButton::clicked, this, [this] {
        m_isDismissed = true;
        hide();
    });
    hide();
}

void UnlistedLine::setOutside(const UnlistedNames &outside)
{
    if (outside == m_outside)
        return;
    m_outside = outside;
    const int count = static_cast<int>(std::min<qint64>(outside.names, std::numeric_limits<int>::max()));
    m_text->setText(tr("%1 key(s) may be locks, but match no pattern", nullptr, count)
                        .arg(QLocale().toString(outside.names)));
    while (const auto item = std::unique_ptr<QLayoutItem>(m_offers->takeAt(0)))
        item->widget()->deleteLater();
    const qsizetype offers = std::min(maxOffers, outside.patterns.size());
    for (const UnlistedPattern &each : outside.patterns.first(offers)) {
        auto *offer = new QToolButton(this); // NOLINT(cppcoreguidelines-owning-memory): the layout's
        offer->setText(plainMenuText(tr("Add %1").arg(printable(each.pattern, maxOfAPattern))));
        offer->setToolTip(plainToolTip(tr("Also watch keys that match %1 (%2 found so far)")
                                           .arg(printable(each.pattern), grouped(each.names))));
        connect(offer, &QToolButton::clicked, this,
                [this, pattern = each.pattern] { emit addRequested(pattern); });
        m_offers->addWidget(offer);
    }
    setVisible(outside.names > 0 && !m_isDismissed);
}

QString UnlistedLine::text() const
{
    return m_text->text();
}

} // namespace lockscope
