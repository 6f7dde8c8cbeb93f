// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/jsondocuments.h"

#include <QSet>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <mutex>

namespace lockscope {

namespace {

struct Kept
{
    std::mutex mutex;
    QSet<QByteArray> lines; ///< schema, tab, document
};

Kept &kept()
{
    static Kept all;
    return all;
}

/// Empty without a verb.
QByteArray schemaFor(const QByteArrayList &arguments)
{
    static const QByteArrayList own{"list",  "get",    "search", "check",  "orphans", "watch",
                                    "alert", "record", "export", "verify", "simulate"};
    static const QByteArrayList actions{"acquire",      "release",       "extend",
                                        "force-expire", "remove-waiter", "wake"};
    for (qsizetype i = 0; i < arguments.size(); ++i) {
        const QByteArray verb = arguments[i];
        const QByteArray next = arguments.value(i + 1);
        const auto has = [&](const char *option) {
            return std::ranges::any_of(arguments, [option](const QByteArray &each) {
                return each == option || each.startsWith(QByteArray(option) + '=');
            });
        };
        if (verb == "check" && has("--server"))
            return "check-server";
        if (own.contains(verb) || verb == "who")
            return verb;
        if (actions.contains(verb))
            return "action";
        if (verb == "audit" || verb == "family")
            return verb + '-' + next;
        if (verb == "acl")
            return next == "check" ? "acl-check" : "acl";
        if (verb == "replay")
            return has("--info")    ? "replay-info"
                   : has("--at")    ? "replay-at"
                   : has("--blame") ? "blame"
                   : has("--order") ? "order"
                                    : "replay";
    }
    return {};
}

} // namespace

void keepJson(const QByteArrayList &arguments, const QByteArray &out)
{
    const QByteArray schema = arguments.contains("--json") ? schemaFor(arguments) : QByteArray();
    if (!schema.isEmpty())
        keptJson(schema, out);
}

QByteArray keptJson(const char *schema, const QByteArray &out)
{
    const std::scoped_lock lock(kept().mutex);
    for (const QByteArray &line : out.first(out.lastIndexOf('\n') + 1).split('\n')) {
        if (!line.isEmpty())
            kept().lines.insert(schema + QByteArray("\t") + line);
    }
    return out;
}

int checkKeptJson(int code)
{
    const std::scoped_lock lock(kept().mutex);
    if (kept().lines.isEmpty())
        return code;
    // There is no QCoreApplication any more, which a QProcess needs.
    FILE *check = ::popen("/usr/bin/python3 " LOCKSCOPE_SOURCE_DIR "/tests/support/jsondocuments.py", "w");
    if (!check)
        return std::max(code, 1);
    std::signal(SIGPIPE, SIG_IGN); // it may end before it has read all
    for (const QByteArray &line : kept().lines) {
        std::fwrite(line.constData(), 1, size_t(line.size()), check);
        std::fputc('\n', check);
    }
    return ::pclose(check) == 0 ? code : std::max(code, 1);
}

} // namespace lockscope
