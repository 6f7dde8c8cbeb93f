// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/simulation/planform.h"

#include "core/simulation/model/strategyspec.h"
#include "core/words/phrases.h"
#include "core/words/texts.h"
#include "ui/simulation/fields.h"
#include "ui/widgets/fonts.h"
#include "ui/widgets/plaintext.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QSignalBlocker>
#include <QSpinBox>

#include <algorithm>
#include <cmath>

namespace lockscope {

namespace {

QString text(const char *phrase)
{
    return phrase ? inWords(Phrase(phrase)) : QString();
}

void select(QComboBox *box, int kind)
{
    box->setCurrentIndex(std::max(0, box->findData(kind)));
}

/// Fills a box with these choices and keeps the current one if it is still offered.
template <typename Kind>
void offer(QComboBox *box, const QList<Kind> &kinds)
{
    QList<Kind> offered;
    for (int i = 0; i < box->count(); ++i)
        offered.append(Kind(box->itemData(i).toInt()));
    const auto meaningOf = [](Kind kind) { return text(choiceOf(kind).meaning); };
    if (offered != kinds) {
        const QSignalBlocker quiet(box);
        const int chosen = box->currentData().toInt();
        box->clear();
        for (const Kind kind : kinds) {
            box->addItem(text(choiceOf(kind).title), int(kind));
            box->setItemData(box->count() - 1, plainToolTip(meaningOf(kind)), Qt::ToolTipRole);
        }
        select(box, chosen);
    }
    box->setEnabled(box->count() > 1);
    setPlainToolTip(*box, meaningOf(Kind(box->currentData().toInt())));
}

bool fits(StrategyKind strategy, auto kind)
{
    if constexpr (std::is_same_v<decltype(kind), ReleaseMethod>)
        return releaseFits(strategy, kind);
    else if constexpr (std::is_same_v<decltype(kind), WakeMethod>)
        return wakeFits(strategy, kind);
    else
        return true;
}

} // namespace

struct FieldForm::Builder
{
    FieldForm *owner;
    Field &field;

    const PlanField::Row &row() const { return field.row->row; }
    QWidget *parent() const { return field.form->parentWidget(); }

    template <typename Box, typename Signal>
    Box *add(Box *box, Signal changes, const QString &name, const QString &meaning,
             const QString &spoken = {}) const
    {
        addRow(*field.form, name, box, meaning, spoken);
        field.widgets.append(box);
        connect(box, changes, owner, &FieldForm::takeChange);
        return box;
    }
    template <typename Box, typename Signal>
    Box *add(Box *box, Signal changes) const
    {
        box->setObjectName(QLatin1String(field.row->name));
        return add(box, changes, text(row().label), text(row().meaning), text(row().spoken));
    }
    QCheckBox *addBox(const QString &name, const QString &meaning) const
    {
        auto *box = new QCheckBox(name, parent());
        box->setToolTip(meaning);
        field.form->addRow(box);
        field.widgets.append(box);
        connect(box, &QCheckBox::toggled, owner, &FieldForm::takeChange);
        return box;
    }
    QSpinBox *addNumber(const QString &unit = {}) const
    {
        auto *box =
            add(wholeNumber(row().least, row().most, row().least, unit, parent()), &QSpinBox::valueChanged);
        box->setSpecialValueText(text(row().zero));
        return box;
    }

    template <typename Member>
    void bind(Member member, auto read, auto write) const
    {
        field.fill = [member, read](Plan &plan) { memberOf(plan, member) = read(); };
        field.show = [member, write](const Plan &plan) { write(memberOf(plan, member)); };
    }

    template <typename Kind, typename Owner>
    requires std::is_enum_v<Kind>
    void operator()(Kind Owner::*member) const
    {
        auto *box = add(choice(parent()), &QComboBox::currentIndexChanged);
        bind(
            member, [box] { return Kind(box->currentData().toInt()); },
            [box](Kind kind) { select(box, int(kind)); });
        field.offer = [box](const Plan &plan) {
            QList<Kind> fitting;
            for (const Choice<Kind> &each : choicesOf<Kind>()) {
                if (fits(plan.algorithm.strategy, each.kind))
                    fitting.append(each.kind);
            }
            if constexpr (std::is_same_v<Kind, WaitMode>)
                std::ranges::reverse(fitting); // the usual one first
            offer(box, fitting);
        };
    }
    void operator()(int Plan::*count) const
    {
        auto *box = addNumber();
        bind(
            count, [box] { return box->value(); }, [box](int number) { box->setValue(number); });
    }
    template <typename Owner>
    void operator()(milliseconds Owner::*time) const
    {
        auto *box = addNumber(tr("ms"));
        bind(
            time, [box] { return milliseconds(box->value()); },
            [box](milliseconds value) { box->setValue(static_cast<int>(value.count())); });
        if constexpr (std::is_same_v<Owner, Plan>) {
            // A lease of whole seconds: what the server would round is not offered.
            if (time == &Plan::lease)
                field.offer = [box, least = row().least](const Plan &plan) {
                    box->setMinimum(specOf(plan.algorithm.strategy).inWholeSeconds ? 1000 : least);
                    box->setSingleStep(box->minimum());
                };
        }
    }
    void operator()(double Plan::*share) const
    {
        auto *box = add(number(0, 100, 0, tr("%"), parent()), &QDoubleSpinBox::valueChanged);
        box->setSpecialValueText(Texts::tr("never"));
        bind(
            share, [box] { return box->value() / 100; }, [box](double value) { box->setValue(value * 100); });
    }
    void operator()(bool Plan::*flag) const
    {
        auto *box = addBox(text(row().label), text(row().meaning));
        bind(
            flag, [box] { return box->isChecked(); }, [box](bool on) { box->setChecked(on); });
    }
    void operator()(quint32 Plan::*seed) const
    {
        auto *box = add(wholeNumber(1, maxSeed, 1, {}, parent()), &QSpinBox::valueChanged);
        bind(
            seed, [box] { return quint32(box->value()); },
            [box](quint32 value) { box->setValue(static_cast<int>(value)); });
    }
    void operator()(std::optional<int> Plan::*) const
    {
        auto *end = add(choice(parent()), &QComboBox::currentIndexChanged, tr("Ends after"),
                        tr("Time: workers run freely. Rounds: all start together, one iteration each"));
        end->addItem(tr("a time"), false);
        end->addItem(tr("rounds"), true);
        auto *seconds = add(wholeNumber(1, 600, 10, tr("s"), parent()), &QSpinBox::valueChanged,
                            Texts::tr("Duration"), tr("Duration of the run"));
        seconds->setObjectName(QStringLiteral("seconds"));
        auto *rounds = addNumber();
        rounds->setValue(20);
        field.fill = [=](Plan &plan) {
            plan.rounds = end->currentData().toBool() ? std::optional(rounds->value()) : std::nullopt;
            plan.duration = std::chrono::seconds(seconds->value());
        };
        field.show = [=](const Plan &plan) {
            end->setCurrentIndex(plan.rounds ? 1 : 0);
            rounds->setValue(plan.rounds.value_or(rounds->value()));
            seconds->setValue(
                static_cast<int>(std::chrono::ceil<std::chrono::seconds>(plan.duration).count()));
        };
        field.offer = [=, form = field.form](const Plan &plan) {
            form->setRowVisible(seconds, !plan.rounds);
            form->setRowVisible(rounds, plan.rounds.has_value());
        };
    }
    void operator()(HoldTime Plan::*hold) const
    {
        using Shape = HoldTime::Shape;
        auto *shape =
            add(choice(parent()), &QComboBox::currentIndexChanged, text(row().label), text(row().meaning));
        shape->addItem(tr("constant"), int(Shape::Fixed));
        shape->addItem(tr("uniform"), int(Shape::Uniform));
        shape->addItem(tr("exponential"), int(Shape::Exponential));
        const auto addTime = [this](const QString &name, const QString &meaning) {
            return add(number(0, 10'000, 0, tr("ms"), parent()), &QDoubleSpinBox::valueChanged, name, meaning,
                       name);
        };
        auto *low =
            addTime(tr("Mean hold time"), tr("The time; for exponential the mean, for uniform the minimum"));
        low->setObjectName(QStringLiteral("hold"));
        auto *high = addTime(tr("Maximum hold time"), tr("Maximum hold time"));
        const auto read = [=] {
            const auto time = [](const QDoubleSpinBox *box) {
                return microseconds(std::llround(box->value() * 1000));
            };
            const auto chosen = Shape(shape->currentData().toInt());
            return HoldTime{chosen, time(low), time(chosen == Shape::Uniform ? high : low)};
        };
        const auto write = [=](const HoldTime &time) {
            select(shape, int(time.shape));
            low->setValue(static_cast<double>(time.low.count()) / 1000);
            high->setValue(static_cast<double>(time.high.count()) / 1000);
        };
        bind(hold, read, write);
        field.offer = [=, form = field.form](const Plan &plan) {
            form->setRowVisible(high, plan.hold.shape == Shape::Uniform);
        };
    }
    void operator()(QList<ServerFault> Plan::*faults) const
    {
        QList<QCheckBox *> boxes;
        for (const Choice<ServerFault> &fault : choicesOf<ServerFault>())
            boxes.append(
                addBox(text(fault.title), tr("%1. Only on a private server.").arg(text(fault.meaning))));
        const auto read = [boxes] {
            QList<ServerFault> chosen;
            for (qsizetype fault = 0; fault < boxes.size(); ++fault) {
                if (boxes[fault]->isChecked())
                    chosen.append(ServerFault(fault));
            }
            return chosen;
        };
        const auto write = [boxes](const QList<ServerFault> &chosen) {
            for (qsizetype fault = 0; fault < boxes.size(); ++fault)
                boxes[fault]->setChecked(chosen.contains(ServerFault(fault)));
        };
        bind(faults, read, write);
    }
    void operator()(auto) const {} // nothing to fill in
};

FieldForm::FieldForm(const QList<PlanField::Part> &parts, QWidget *parent) : QWidget(parent)
{
    auto *layout = new QHBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(24);
    const QStringList titles{QString(), tr("Algorithm"), Texts::tr("Workers"), tr("Faults")};
    for (const PlanField::Part part : parts) {
        QFormLayout *form = addPart(part);
        layout->addWidget(form->parentWidget(), 1);
        if (parts.size() == 1)
            continue;
        auto *title = new QLabel(titles[int(part)], form->parentWidget());
        title->setFont(strong(title->font()));
        form->insertRow(0, title);
    }
    setPlan({});
}

QFormLayout *FieldForm::addPart(PlanField::Part part)
{
    QFormLayout *form = formOn(new QWidget(this));
    std::vector<const PlanField *> rows;
    for (const PlanField &field : planFields()) {
        if (field.row.part == part)
            rows.push_back(&field);
    }
    std::ranges::sort(rows, {}, [](const PlanField *field) { return field->row.place; });
    for (const PlanField *row : rows) {
        Field &field = m_fields.emplace_back(Field{row, form, {}, {}, {}, {}});
        std::visit(Builder{this, field}, row->member);
    }
    return form;
}

Plan FieldForm::plan() const
{
    Plan plan;
    for (const Field &field : m_fields)
        field.fill(plan);
    for (const Field &field : m_fields) {
        if (!field.row->appliesTo(plan))
            field.row->reset(plan);
    }
    return plan;
}

void FieldForm::setPlan(const Plan &plan)
{
    m_isSetting = true;
    for (const Field &field : m_fields) {
        if (field.offer)
            field.offer(plan);
        field.show(plan);
    }
    m_isSetting = false;
    takeChange();
}

void FieldForm::offerOnly(const char *name)
{
    m_only = name;
    offerFitting();
}

void FieldForm::offerFitting()
{
    const Plan fitting = plan();
    for (const Field &field : m_fields) {
        const bool isOffered = m_only.isEmpty() || m_only == field.row->name;
        for (QWidget *widget : field.widgets)
            field.form->setRowVisible(widget, isOffered && field.row->appliesTo(fitting));
        if (field.offer)
            field.offer(fitting);
    }
}

void FieldForm::takeChange()
{
    if (m_isSetting)
        return;
    offerFitting();
    emit changed();
}

} // namespace lockscope
