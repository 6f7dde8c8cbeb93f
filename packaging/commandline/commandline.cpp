// SPDX-License-Identifier: GPL-3.0-or-later
// FILE [LANGUAGE]: prints that manual page or completion with what the programs themselves know in the places of its @names@.
// --guide: prints packaging/docs/cli.md.
#include "app/language.h"
#include "packaging/commandline/completion.h"
#include "packaging/commandline/guidepage.h"
#include "packaging/commandline/manpage.h"

#include <QCoreApplication>
#include <QFile>

#include <algorithm>
#include <array>
#include <cstdio>

using namespace lockscope;

namespace {

struct Place
{
    QByteArrayView name;
    QByteArray (*text)() = nullptr;
};

QByteArray version()
{
    return versionText(Program::Window).trimmed().split(' ').last();
}

constexpr std::array places{
    Place{"@version@", version},
    Place{"@man-connection@\n", manpage::connection},
    Place{"@man-common-window@\n", [] { return manpage::common(Program::Window); }},
    Place{"@man-common-terminal@\n", [] { return manpage::common(Program::Terminal); }},
    Place{"@man-verbs@\n", manpage::verbs},
    Place{"@bash-verbs@\n", completion::bashVerbs},
    Place{"@bash-options@\n", completion::bashOptions},
    Place{"@zsh-verbs@\n", completion::zshVerbs},
    Place{"@zsh-options@\n", completion::zshOptions},
};

} // namespace

int main(int argc, char *argv[])
{
    const QCoreApplication application(argc, argv);
    const bool isGuide = argc == 2 && QByteArrayView(argv[1]) == "--guide";
    QFile file(QString::fromLocal8Bit(argc == 2 || argc == 3 ? argv[1] : ""));
    if (!isGuide && !file.open(QIODevice::ReadOnly)) {
        std::fprintf(
            stderr,
            "usage: commandline --guide | FILE [LANGUAGE]: a manual page or completion to complete\n");
        return 1;
    }
    const bool isTranslated = argc == 3;
    if (isTranslated)
        installTranslations(QLocale(QString::fromLocal8Bit(argv[2])));
    QByteArray text = isGuide ? guidepage::text() : file.readAll();
    for (const Place &place : places) {
        if (text.contains(place.name))
            text.replace(place.name, place.text());
    }
    if (isTranslated)
        text = manpage::breakable(text);
    const auto size = static_cast<size_t>(text.size());
    return std::fwrite(text.constData(), 1, size, stdout) == size && std::fflush(stdout) == 0 ? 0 : 1;
}
