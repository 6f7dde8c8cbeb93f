// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/phrase.h"
#include "core/family/forms.h"
#include "core/family/spec.h"

namespace lockscope {

// Defaults of a family's forms if its file does not set them.

/// True if the stored value includes the moment of expiry.
bool tellsEnd(const Form &form);
/// A required part that the form lacks; empty: none.
Phrase lackingIn(const Form &form);
/// A required part that the companion's form lacks; empty: none. `scripts`: those that end such locks.
Phrase lackingIn(const CompanionForm &form, const Scripts &scripts, std::span<const Form> forms);
/// A part that the scripts require and the forms lack; empty: none.
Phrase lackingFor(const Scripts &scripts, const Forms &forms);
/// Sets the types and formats of the forms, and those that match under any name.
void noteFormats(FamilySpec &spec, Forms &forms);
/// The stored form for display: "string: `{owner:uuid4}`, under `gitlab:*`".
QByteArray storedAs(const Form &form, const NameGlobs &names);
const Scripts *scriptsFor(const Form &form);

} // namespace lockscope
