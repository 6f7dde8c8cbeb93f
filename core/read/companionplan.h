// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/family/companions.h"
#include "core/read/companionaccess.h"

#include <vector>

namespace lockscope {

// The queries for a lock's companions, as declared by their families. All pure.

struct CompanionStep
{
    enum class Kind : quint8 {
        Query,   ///< declared by a family
        Signs,   ///< whether companions of one family exist
        AnySign, ///< whether companions of several families exist: most locks have none
        Length,  ///< length of a queue that was not read completely
    };
    Kind kind = Kind::Query;
    Family family;
    const CompanionQuery *query = nullptr;
    FamilySet asked{};

    CompanionAccess::Part part() const;
    int weight() const { return query ? query->weight : 1; }
    size_t commandCount() const { return query ? query->commands.size() : 1; }
};
using CompanionQuestions = std::vector<CompanionStep>;

/// The first permitted questions about a lock. Companions that existed before are read at once; otherwise
/// their existence is checked first.
CompanionQuestions firstQuestions(const Lock &lock, const CompanionAccess &access);
void append(CommandBatch &batch, const CompanionStep &question, const Lock &lock,
            const PartialCompanionState &reading);
/// Takes the replies, without refusals, and returns the next questions.
CompanionQuestions takeAnswer(const CompanionStep &question, const Lock &lock, PartialCompanionState &reading,
                              std::span<const Reply> replies, CompanionAccess &access);
/// Takes a refusal, and returns alternative questions.
CompanionQuestions takeRefusal(const CompanionStep &question, const Lock &lock, CompanionAccess &access,
                               const Error &why);
/// What is unknown about the lock for lack of permission.
Unread unreadOf(const Lock &lock, const PartialCompanionState &reading, const CompanionAccess &access);

bool mayHaveCompanions(const Lock &lock);

/// The command that reads a lock's queue, and the waiters in its reply.
void appendQueue(CommandBatch &batch, const Lock &lock);
QList<Waiter> queueFrom(const Lock &lock, const Reply &members);

} // namespace lockscope
