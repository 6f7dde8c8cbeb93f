// SPDX-License-Identifier: GPL-3.0-or-later
#include "packaging/commandline/guidepage.h"

#include "app/optiontable.h"

#include <algorithm>
#include <array>
#include <functional>

namespace lockscope::guidepage {

namespace {

constexpr QByteArrayView head = R"(# lockscope-cli

`lockscope-cli [OPTIONS] VERB ...` shows the locks of a server and acts on them. `lockscope-cli VERB --help` and `man lockscope-cli`
have the same options and examples; [json.md](json.md) describes what `--json` prints. `-V` prints the version.

- KEY and ID are bytes. `\xNN` in an output is a byte that is not UTF-8; `--base64` takes any bytes.
- `list` and `replay --at` fit their table to the terminal. In a pipe it is whole. Of `list`, `search` and `replay --at` the
  summary goes to standard error then.
- Without a server, `localhost:6379` is asked. Passwords: `REDISCLI_AUTH`, `LOCKSCOPE_SENTINEL_AUTH`,
  `LOCKSCOPE_KEY_PASSPHRASE`, `LOCKSCOPE_PROXY_AUTH`, or `--askpass`.
- Actions are recorded in the audit log. No command is sent twice: where a reply is missing, the outcome is unknown (exit
  status 3) and the key is read again.
- Colors: not with `NO_COLOR`, `TERM=dumb` or in a pipe.

| exit status | |
|---|---|
| 0 | done |
| 1 | the answer is no: see the verb |
| 2 | wrong usage |
| 3 | server not reached, permission refused, outcome unknown, or result incomplete |
| 4 | refused by read-only mode |
| 5 | result not written |

)";

struct MeaningOfOne
{
    Verb verb;
    QByteArrayView text;
};

constexpr std::array meaningsOfOne{
    MeaningOfOne{Verb::Get, "there is no lock"},
    MeaningOfOne{Verb::Acquire, "held by another"},
    MeaningOfOne{Verb::Release, "not held, or held by another"},
    MeaningOfOne{Verb::Extend, "not held, or held by another"},
    MeaningOfOne{Verb::ForceExpire,
                 "owner or hold count changed, already gone, or renewed in the grace period"},
    MeaningOfOne{Verb::RemoveWaiter, "not in the queue, or alive"},
    MeaningOfOne{Verb::Wake, "nobody to wake"},
    MeaningOfOne{Verb::Check, "a rule is broken; `--server`: a risk"},
    MeaningOfOne{Verb::Orphans, "there are orphans"},
    MeaningOfOne{Verb::Verify, "violated; 3: undecided"},
    MeaningOfOne{Verb::AuditVerify, "the chain is broken"},
    MeaningOfOne{Verb::AclCheck, "permissions are missing"},
    MeaningOfOne{Verb::Simulate, "a scenario's expectation was not met"},
    MeaningOfOne{Verb::FamilyCheck, "a file is invalid"},
};

QByteArray code(const QByteArray &text)
{
    QByteArray inTable = text;
    return '`' + inTable.replace('|', "\\|") + '`';
}

QByteArray optionTable(const std::function<bool(const OptionRow &)> &wanted)
{
    QByteArray rows;
    for (const OptionRow &row : explainedOptions()) {
        if (!wanted(row))
            continue;
        const QByteArray argument = row.argument.isEmpty() ? QByteArray() : ' ' + row.argument.toByteArray();
        const bool hasBoth = row.letter != 0 && !row.name.isEmpty();
        rows += "| " + code(row.written() + argument) +
                (hasBoth ? ", " + code("--" + row.name.toByteArray()) : "") + " | " +
                helpOf(row).toUtf8().replace('|', "\\|").replace('<', "&lt;").replace('*', "\\*") + " |\n";
    }
    return rows.isEmpty() ? rows : "| option | |\n|---|---|\n" + rows + '\n';
}

QByteArray section(const VerbRow &verb)
{
    QByteArray text = "## " + verb.name.toByteArray() + "\n\n`lockscope-cli " +
                      (verb.name.toByteArray() + ' ' + verb.arguments.toByteArray()).trimmed() +
                      "`: " + verb.help + ".\n\n";
    text += optionTable(
        [&](const OptionRow &row) { return !isCommon(row) && (row.scope & scopeOf(verb.verb)) != 0; });
    text += "```sh\n";
    for (const QByteArray &example : verb.examples.toByteArray().split('\n'))
        text += "lockscope-cli " + example + '\n';
    text += "```\n\n";
    const auto one = std::ranges::find(meaningsOfOne, verb.verb, &MeaningOfOne::verb);
    return one == meaningsOfOne.end() ? text : text + "Exit status 1: " + one->text.toByteArray() + ".\n\n";
}

} // namespace

QByteArray text()
{
    QByteArray page = head.toByteArray();
    for (const VerbRow &verb : verbRows())
        page += section(verb);
    page += "## Connection\n\n" +
            optionTable([](const OptionRow &row) { return (row.scope & namesServer) != 0; }) +
            "## Common options\n\n" +
            optionTable([](const OptionRow &row) { return isCommon(row) && (row.scope & namesServer) == 0; });
    return page.chopped(1);
}

} // namespace lockscope::guidepage
