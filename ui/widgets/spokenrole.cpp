// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/spokenrole.h"

#include <QAbstractItemModel>
#include <QAccessibleWidget>
#include <QCoreApplication>
#include <QLabel>
#include <QLineEdit>
#include <QStackedWidget>
#include <QToolButton>
#include <QVariant>

namespace lockscope {

namespace {

const char *const roleProperty = "spokenRole";

bool beginsWith(const QString &text, const QString &word)
{
    return text.startsWith(word, Qt::CaseInsensitive) &&
           (text.size() == word.size() || !text.at(word.size()).isLetterOrNumber());
}

class SpokenLabel : public QAccessibleWidget
{
public:
    explicit SpokenLabel(QLabel *label) : QAccessibleWidget(label), m_label(*label) {}

    QAccessible::Role role() const override
    {
        return m_label.pixmap().isNull() ? QAccessible::StaticText : QAccessible::Graphic;
    }

    QString text(QAccessible::Text part) const override
    {
        const QString name = m_label.accessibleName();
        if (part != QAccessible::Name || m_label.text().isEmpty())
            return QAccessibleWidget::text(part);
        // As Qt has it for a label without a name, but for the mnemonic of a field's.
        const QString shown = m_label.buddy() ? QString(m_label.text()).remove(u'&') : m_label.text();
        if (name.isEmpty() || beginsWith(shown, name))
            return shown;
        return QCoreApplication::translate("lockscope::SpokenLabel", "%1: %2", "name of a label, its text")
            .arg(name, shown);
    }

    QList<QPair<QAccessibleInterface *, QAccessible::Relation>>
    relations(QAccessible::Relation match = QAccessible::AllRelations) const override
    {
        auto all = QAccessibleWidget::relations(match);
        if (m_label.buddy() && match.testFlag(QAccessible::Labelled))
            all.append({QAccessible::queryAccessibleInterface(m_label.buddy()), QAccessible::Labelled});
        return all;
    }

private:
    const QLabel &m_label;
};

// NOLINTBEGIN(cppcoreguidelines-owning-memory): Qt's
QAccessibleInterface *withRole(const QString &, QObject *object)
{
    const QVariant role = object ? object->property(roleProperty) : QVariant();
    auto *widget = role.isValid() ? qobject_cast<QWidget *>(object) : nullptr;
    return widget ? new QAccessibleWidget(widget, static_cast<QAccessible::Role>(role.toInt())) : nullptr;
}

QAccessibleInterface *corrected(const QString &, QObject *object)
{
    if (auto *label = qobject_cast<QLabel *>(object))
        return new SpokenLabel(label);
    auto *pages = qobject_cast<QStackedWidget *>(object);
    return pages ? new QAccessibleWidget(pages, QAccessible::Client) : nullptr;
}
// NOLINTEND(cppcoreguidelines-owning-memory)

} // namespace

void setSpokenRole(QWidget *widget, QAccessible::Role role)
{
    QAccessible::installFactory(withRole); // does nothing where it is known
    widget->setProperty(roleProperty, int(role));
}

void correctSpoken()
{
    QAccessible::installFactory(corrected);
}

void announce(QWidget *window, const QString &text)
{
    const QString name = QStringLiteral("announcement");
    auto *voice = window->findChild<QWidget *>(name, Qt::FindDirectChildrenOnly);
    if (!voice) {
        voice = new QWidget(window); // NOLINT(cppcoreguidelines-owning-memory): the window's
        voice->setObjectName(name);
        setSpokenRole(voice, QAccessible::Notification);
    }
    voice->setAccessibleName(text);
    QAccessibleEvent shown(voice, QAccessible::ObjectShow);
    QAccessible::updateAccessibility(&shown);
}

void addClearButton(QLineEdit *field)
{
    field->setClearButtonEnabled(true);
    for (QToolButton *button : field->findChildren<QToolButton *>()) {
        if (button->accessibleName().isEmpty() && button->text().isEmpty())
            button->setAccessibleName(QCoreApplication::translate("lockscope::SpokenLabel", "Clear"));
    }
}

} // namespace lockscope
