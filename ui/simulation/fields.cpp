// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/simulation/fields.h"

#include "ui/widgets/measure.h"

#include <QComboBox>
#include <QDoubleSpinBox>
#include <QEvent>
#include <QFormLayout>
#include <QLabel>
#include <QSpinBox>

namespace lockscope {

namespace {

constexpr int nameCharacters = 11;
constexpr int fieldCharacters = 14;

class WheelFilter : public QObject
{
public:
    using QObject::QObject;

protected:
    bool eventFilter(QObject *watched, QEvent *event) override
    {
        const auto *field = qobject_cast<QWidget *>(watched);
        if (event->type() != QEvent::Wheel || !field || field->hasFocus())
            return QObject::eventFilter(watched, event);
        event->ignore();
        return true;
    }
};

void ignoreWheel(QWidget *field)
{
    field->setFocusPolicy(Qt::StrongFocus);
    field->installEventFilter(new WheelFilter(field));
}

template <typename Box, typename Value>
Box *boxOf(Value low, Value high, Value value, const QString &unit, QWidget *parent)
{
    auto *box = new Box(parent);
    box->setRange(low, high);
    box->setValue(value);
    if (!unit.isEmpty())
        box->setSuffix(u' ' + unit);
    box->setKeyboardTracking(true);
    box->setAccelerated(true);
    ignoreWheel(box);
    return box;
}

} // namespace

QFormLayout *formOn(QWidget *parent)
{
    auto *form = new QFormLayout(parent);
    form->setContentsMargins(0, 0, 0, 0);
    form->setHorizontalSpacing(8);
    form->setVerticalSpacing(5);
    form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    form->setLabelAlignment(Qt::AlignLeft);
    return form;
}

void addRow(QFormLayout &form, const QString &name, QWidget *field, const QString &meaning,
            const QString &spoken)
{
    auto *label = new QLabel(name, form.parentWidget());
    label->setTextFormat(Qt::PlainText);
    label->setMinimumWidth(latinWidth(label->fontMetrics(), nameCharacters));
    label->setBuddy(field);
    for (QWidget *widget : {static_cast<QWidget *>(label), field}) {
        widget->setToolTip(meaning);
        widget->setAccessibleName(spoken.isEmpty() ? name : spoken);
    }
    field->setMinimumWidth(latinWidth(field->fontMetrics(), fieldCharacters));
    form.addRow(label, field);
}

QSpinBox *wholeNumber(int low, int high, int value, const QString &unit, QWidget *parent)
{
    return boxOf<QSpinBox>(low, high, value, unit, parent);
}

QDoubleSpinBox *number(double low, double high, double value, const QString &unit, QWidget *parent)
{
    auto *box = boxOf<QDoubleSpinBox>(low, high, value, unit, parent);
    box->setDecimals(1);
    return box;
}

QComboBox *choice(QWidget *parent)
{
    auto *box = new QComboBox(parent);
    box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    box->setMinimumContentsLength(8);
    ignoreWheel(box);
    return box;
}

} // namespace lockscope
