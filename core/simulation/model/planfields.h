// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/simulation/model/plan.h"

#include <QByteArrayView>

#include <span>
#include <type_traits>
#include <variant>

namespace lockscope {

/// The properties of a plan's field. Messages to processes, validation, the options of `simulate` and the
/// window's form use these rows: a new field needs a member, its row, and its use.
struct PlanField
{
    using Member =
        std::variant<StrategyKind Algorithm::*, ReleaseMethod Algorithm::*, WakeMethod Algorithm::*,
                     milliseconds Algorithm::*, bool Algorithm::*, int Plan::*, std::optional<int> Plan::*,
                     milliseconds Plan::*, HoldTime Plan::*, WaitMode Plan::*, bool Plan::*, double Plan::*,
                     QList<ServerFault> Plan::*, quint32 Plan::*, QByteArray Plan::*,
                     QList<QByteArray> Plan::*, QList<QList<Iteration>> Plan::*>;

    struct Option
    {
        QByteArrayView name{};     ///< empty: no option of `simulate`
        QByteArrayView argument{}; ///< name in the help; empty: a flag
        const char *usual = "";    ///< default in the help, whose text is the row's meaning
    };

    /// Limits of a count or of milliseconds; a share is from 0 to 1.
    struct Limits
    {
        int least = 0;
        int most = 0; ///< 0: no own limits
    };

    /// When the field applies.
    struct Condition
    {
        bool (*holds)(const Plan &plan) = nullptr; ///< null: always
        const char *flaw = nullptr;                ///< phrase for a refusal (%1: the strategy); null: ignored
    };

    enum class Part : quint8 { None, Algorithm, Setup, Faults };

    /// The row in the form, in the order of the places. Texts are phrases.
    struct Row
    {
        Part part = Part::None;
        int place = 0;
        const char *label = nullptr;
        const char *meaning = nullptr;
        int least = 0;
        int most = 0;
        const char *zero = nullptr;   ///< displayed instead of 0
        const char *spoken = nullptr; ///< accessible name; null: the label
    };

    const char *name = nullptr;
    Member member{};
    Option option{};
    Limits limits{};
    Condition condition{};
    Row row{};

    bool appliesTo(const Plan &plan) const { return !condition.holds || condition.holds(plan); }
    void reset(Plan &plan) const; ///< to the default
};

/// In the order of the help.
std::span<const PlanField> planFields();

template <typename Value>
auto &memberOf(auto &plan, Value Plan::*member)
{
    return plan.*member;
}

template <typename Value>
auto &memberOf(auto &plan, Value Algorithm::*member)
{
    return plan.algorithm.*member;
}

/// Calls `visit` with each own field of a Plan or an Algorithm.
template <typename Owner>
void visitFields(auto &owner, auto &visit)
{
    for (const PlanField &field : planFields()) {
        const auto visitOwn = [&]<typename Value, typename Of>(Value Of::*member) {
            if constexpr (std::is_same_v<Of, Owner>)
                visit(owner.*member);
        };
        std::visit(visitOwn, field.member);
    }
}

} // namespace lockscope
