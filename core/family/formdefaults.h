// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/phrase.h"
#include "core/family/forms.h"
#include "core/family/spec.h"

namespace lockscope {

// What follows from the forms of a family where its file says nothing.

/// What is stored says until when it holds.
bool tellsEnd(const Form &form);
/// What a form needs, and does not have; empty: nothing.
Phrase lackingIn(const Form &form);
/// `scripts`: those that end such locks.
Phrase lackingIn(const BesideForm &form, const Scripts &scripts);
/// What the scripts need of the forms.
Phrase lackingFor(const Scripts &scripts, const Forms &forms);
/// Notes of which types and formats the forms are, and which of them may have any name.
void noteFormats(FamilySpec &spec, Forms &forms);
/// What is stored, for people: "string: `{owner:uuid4}`, under `gitlab:*`".
QByteArray storedAs(const Form &form, const NameGlobs &names);
/// How such a lock is ended.
const Scripts *scriptsFor(const Form &form);

} // namespace lockscope
