// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/serverlabel.h"

#include "core/words/durations.h"
#include "core/words/messages.h"
#include "ui/widgets/fonts.h"
#include "ui/widgets/glyph.h"
#include "ui/widgets/measure.h"

#include <QAccessibleWidget>
#include <QLocale>
#include <QMouseEvent>
#include <QPainter>

#include <utility>

namespace lockscope {

namespace {

constexpr int padding = 10;
constexpr int labelGlyphSize = 12;
constexpr int maxCharacters = 44;
constexpr int leastCharacters = 8;

/// Formats minutes, and seconds in the last minute.
QString timeLeft(std::chrono::milliseconds left)
{
    using namespace std::chrono;
    return left > 1min ? ServerLabel::tr("%1 min").arg(ceil<minutes>(left).count())
                       : ServerLabel::tr("%1 s").arg(ceil<seconds>(left).count());
}

QString capitals(Environment environment)
{
    return environment == Environment::Unset ? QString() : describe(environment).toUpper();
}

/// Reports a button while the label can be clicked, otherwise text.
class SpokenServerLabel : public QAccessibleWidget
{
public:
    explicit SpokenServerLabel(ServerLabel *label) : QAccessibleWidget(label), m_label(*label) {}

    QAccessible::Role role() const override
    {
        return m_label.canTurn() ? QAccessible::Button : QAccessible::StaticText;
    }
    QStringList actionNames() const override
    {
        return m_label.canTurn() ? QStringList{pressAction()} + QAccessibleWidget::actionNames()
                                 : QAccessibleWidget::actionNames();
    }
    void doAction(const QString &name) override
    {
        if (name != pressAction())
            QAccessibleWidget::doAction(name);
        else if (m_label.canTurn())
            emit m_label.turned();
    }

private:
    ServerLabel &m_label;
};

QAccessibleInterface *spoken(const QString &, QObject *object)
{
    auto *label = qobject_cast<ServerLabel *>(object);
    return label ? new SpokenServerLabel(label) : nullptr;
}

} // namespace

QString ServerStanding::title() const
{
    QString text = name;
    if (environment != Environment::Unset)
        text += QStringLiteral(" — ") + capitals(environment);
    if (isReadOnly)
        text = ServerLabel::tr("%1 (read-only)").arg(text);
    return alerts > 0 ? QStringLiteral("(%1) %2").arg(QLocale().toString(alerts), text) : text;
}

ServerLabel::ServerLabel(QWidget *parent) : QWidget(parent)
{
    setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Preferred);
    QAccessible::installFactory(spoken); // known already: does nothing
}

void ServerLabel::setServer(const ServerStanding &standing)
{
    const QString before = m_standing.name + badge();
    m_standing = standing;
    const QString state = badge();
    if (m_standing.name + state == before)
        return; // only some of a second has passed
    setAccessibleName(state.isEmpty() ? standing.name
                                      : tr("%1, %2", "a server and its state").arg(standing.name, state));
    setToolTip(!canTurn()            ? accessibleName()
               : standing.isReadOnly ? tr("Click to unlock for 15 minutes")
                                     : tr("Click to lock again"));
    setAccessibleDescription(canTurn() ? toolTip() : QString());
    setCursor(canTurn() ? Qt::PointingHandCursor : Qt::ArrowCursor);
    setFocusPolicy(canTurn() ? Qt::TabFocus : Qt::NoFocus);
    updateGeometry();
    update();
}

QFont ServerLabel::nameFont() const
{
    return strong(font());
}

QString ServerLabel::badge() const
{
    QStringList words;
    if (m_standing.environment != Environment::Unset)
        words << capitals(m_standing.environment);
    if (m_standing.isReadOnly)
        words << tr("READ-ONLY");
    else if (m_standing.unlockedFor)
        words << tr("UNLOCKED, %1 left").arg(timeLeft(*m_standing.unlockedFor));
    return words.join(QStringLiteral(" · "));
}

bool ServerLabel::hasPadlock() const
{
    return m_standing.isReadOnly || m_standing.unlockedFor;
}

StatusColor ServerLabel::badgeColor() const
{
    switch (m_standing.environment) {
    case Environment::Production:
        return StatusColor::Danger;
    case Environment::Staging:
        return StatusColor::Warning;
    case Environment::Development:
    case Environment::Unset:
        break;
    }
    return StatusColor::Good;
}

int ServerLabel::badgeWidth(const QFontMetrics &metrics) const
{
    const QString text = badge();
    if (text.isEmpty())
        return 0;
    return metrics.horizontalAdvance(text) + 2 * padding + (hasPadlock() ? labelGlyphSize + 6 : 0);
}

QSize ServerLabel::sizeHint() const
{
    const QFontMetrics metrics(nameFont());
    const int name = std::min(metrics.horizontalAdvance(m_standing.name), latinWidth(metrics, maxCharacters));
    const int pill = badgeWidth(metrics);
    // Advances are fractions of a pixel: one more each side, or the last letter is elided.
    return {name + 2 * (padding + 1) + (pill > 0 ? pill + padding : 0), metrics.height() + 14};
}

/// The name may be elided, the protection badge may not.
QSize ServerLabel::minimumSizeHint() const
{
    const QFontMetrics metrics(nameFont());
    const QSize wanted = sizeHint();
    const int spared = metrics.horizontalAdvance(m_standing.name) - latinWidth(metrics, leastCharacters);
    return {wanted.width() -
                std::max(0, std::min(spared, latinWidth(metrics, maxCharacters - leastCharacters))),
            wanted.height()};
}

void ServerLabel::mouseReleaseEvent(QMouseEvent *event)
{
    const bool isSecond = std::exchange(m_isDoubleClick, false);
    if (event->button() == Qt::LeftButton && !isSecond && canTurn() && rect().contains(event->pos()))
        emit turned();
}

/// Counts a double click as one click, so that the second does not undo the first.
void ServerLabel::mouseDoubleClickEvent(QMouseEvent *)
{
    m_isDoubleClick = true;
}

void ServerLabel::keyPressEvent(QKeyEvent *event)
{
    const bool isPress =
        event->key() == Qt::Key_Space || event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
    if (!isPress || event->isAutoRepeat() || !canTurn())
        return QWidget::keyPressEvent(event);
    emit turned();
}

void ServerLabel::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setFont(nameFont());
    const QFontMetrics metrics = painter.fontMetrics();
    QRect place = rect().adjusted(padding, 0, -padding, 0);
    if (const int width = badgeWidth(metrics); width > 0) {
        const QColor color = textColor(badgeColor(), palette());
        const QRectF pill(place.right() - width, (height() - metrics.height() - 4) / 2.0, width,
                          metrics.height() + 4);
        painter.setPen(QPen(color, hasFocus() ? 2 : 1));
        painter.setBrush(tintColor(badgeColor(), palette()));
        painter.drawRoundedRect(pill, 4, 4);
        qreal left = pill.left() + padding;
        if (hasPadlock()) {
            drawGlyph(painter, m_standing.isReadOnly ? Glyph::Padlock : Glyph::OpenPadlock,
                      QRectF(left, pill.center().y() - labelGlyphSize / 2.0, labelGlyphSize, labelGlyphSize),
                      color);
            left += labelGlyphSize + 6;
        }
        painter.setPen(color);
        painter.drawText(QRectF(left, pill.top(), pill.right() - left, pill.height()),
                         Qt::AlignVCenter | Qt::AlignLeft, badge());
        place.setRight(static_cast<int>(pill.left()) - padding);
    }
    painter.setPen(palette().color(QPalette::WindowText));
    painter.drawText(place, Qt::AlignVCenter | Qt::AlignLeft,
                     metrics.elidedText(m_standing.name, Qt::ElideMiddle, place.width()));
}

} // namespace lockscope
