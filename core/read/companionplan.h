// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/family/companions.h"
#include "core/read/companionaccess.h"

#include <vector>

namespace lockscope {

// What is to be asked about a lock's companions, by what their families declare. All pure.

/// One question on its way.
struct CompanionQuestion
{
    enum class Kind : quint8 {
        Query,   ///< a family's own
        Signs,   ///< whether there is anything of one family
        AnySign, ///< or of several at once: most locks have nothing
        Length,  ///< of a queue that was not read whole
    };
    Kind kind = Kind::Query;
    Family family;
    const CompanionQuery *query = nullptr; ///< of Kind::Query
    FamilySet asked{};                     ///< of Kind::AnySign

    CompanionAccess::Part part() const;
    int weight() const { return query ? query->weight : 1; }
    size_t commandCount() const { return query ? query->commands.size() : 1; }
};
using CompanionQuestions = std::vector<CompanionQuestion>;

/// The first questions about a lock, as far as the login may ask them. What was there before is asked for at once; else it
/// is looked first whether there is anything.
CompanionQuestions firstQuestions(const Lock &lock, const CompanionAccess &access);
void append(CommandBatch &batch, const CompanionQuestion &question, const Lock &lock,
            const CompanionReading &reading);
/// Takes the replies, none of which is a refusal, and says what else is to be asked.
CompanionQuestions takeAnswer(const CompanionQuestion &question, const Lock &lock, CompanionReading &reading,
                              std::span<const Reply> replies, CompanionAccess &access);
/// The question was refused: what is to be asked instead.
CompanionQuestions takeRefusal(const CompanionQuestion &question, const Lock &lock, CompanionAccess &access,
                               const Error &why);
/// What is not known of the lock, since this login may not ask.
Unread unreadOf(const Lock &lock, const CompanionReading &reading, const CompanionAccess &access);

/// Whether a family keeps something beside such a lock, or may.
bool mayHaveCompanions(const Lock &lock);

/// The command that reads the queue of a lock that has one, and the waiters in its reply.
void appendQueue(CommandBatch &batch, const Lock &lock);
QList<Waiter> queueFrom(const Lock &lock, const Reply &members);

} // namespace lockscope
