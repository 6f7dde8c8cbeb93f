// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/options.h"

#include "app/optiontable.h"
#include "app/words.h"
#include "core/base/printable.h"
#include "core/family/userfamilies.h"
#include "core/monitor/clientfinder.h"
#include "core/words/phrases.h"

#include <QFile>

#include <algorithm>
#include <cstring>

namespace lockscope {

namespace {

QString shown(const QByteArray &bytes)
{
    return printable(bytes, 40);
}

class Parser
{
public:
    Parser(Program program, std::span<char *const> arguments) : m_program(program), m_rest(arguments) {}

    Result<Options> parse()
    {
        m_options.server.password = qgetenv("REDISCLI_AUTH");
        m_options.server.sentinelPassword = qgetenv("LOCKSCOPE_SENTINEL_AUTH");
        m_options.server.keyPassphrase = qgetenv("LOCKSCOPE_KEY_PASSPHRASE");
        for (const auto step : {&Parser::split, &Parser::takeVerb, &Parser::takeOptions,
                                &Parser::decodeBase64, &Parser::checkServer, &Parser::checkAction}) {
            if (const Result<void> done = (this->*step)(); !done)
                return tl::unexpected(done.error());
        }
        return m_options;
    }

private:
    struct Given
    {
        const OptionRow *row;
        QByteArray value;
    };

    bool given(QByteArrayView name) const
    {
        return std::ranges::any_of(m_given, [&](const Given &given) {
            return given.row->name == name || (name.size() == 1 && given.row->letter == name[0]);
        });
    }

    /// Splits the words into options with values and the rest, in order.
    Result<void> split()
    {
        while (!m_rest.empty()) {
            char *word = m_rest.front();
            m_rest = m_rest.subspan(1);
            const QByteArray text(word);
            if (text == "--") {
                for (const char *left : m_rest)
                    m_words.append(left);
                m_rest = {};
            } else if (text.size() > 1 && text.startsWith('-')) {
                if (const Result<void> done = splitOption(word); !done)
                    return done;
            } else {
                m_words.append(text);
            }
        }
        return {};
    }

    Result<void> splitOption(char *word)
    {
        const QByteArray text(word);
        const bool isLong = text.startsWith("--");
        const qsizetype equals = isLong ? text.indexOf('=') : -1;
        const QByteArray name = isLong ? text.mid(2, equals < 0 ? -1 : equals - 2) : text.mid(1, 1);
        const auto row = std::ranges::find_if(optionRows(), [&](const OptionRow &candidate) {
            return isLong ? !name.isEmpty() && candidate.name == name : candidate.letter == name[0];
        });
        // Beyond the name nothing is repeated: it may be a password.
        if (row == optionRows().end())
            return usageError(Words::tr("Unknown option '%1'. See --help.")
                                  .arg(QLatin1String(isLong ? "--" : "-") + shown(name)));
        if (!isLong && text.size() > 2)
            return usageError(Words::tr("Write '%1' and its value as two words.").arg(written(*row)));
        if (row->argument.isEmpty()) {
            if (equals >= 0)
                return usageError(Words::tr("'%1' takes no value.").arg(written(*row)));
            m_given.append(Given{&*row, {}});
            return {};
        }
        char *value = equals >= 0 ? word + equals + 1 : nullptr;
        if (value == nullptr) {
            if (m_rest.empty())
                return usageError(
                    Words::tr("'%1' needs a value: %2.").arg(written(*row), QLatin1String(row->argument)));
            value = m_rest.front();
            m_rest = m_rest.subspan(1);
        }
        m_given.append(Given{&*row, value});
        if (row->letter == 'a' || row->letter == 'u' || row->name == "webhook")
            hide(value);
        return {};
    }

    static void hide(char *secret) { std::memset(secret, 'x', std::strlen(secret)); }

    Result<void> takeVerb()
    {
        if (given("help") || given("version"))
            return {};
        if (m_program == Program::Window)
            return m_words.isEmpty()
                       ? Result<void>()
                       : usageError(
                             Words::tr("The window takes options only. Give a server's address with -u."));
        if (m_words.isEmpty())
            return usageError(Words::tr("The verb is missing, as in: lockscope-cli list. See --help."));
        QByteArray name = m_words.takeFirst();
        const bool isAclCheck = name == "acl" && m_words.value(0) == "check";
        const bool isPair = name == "audit" || name == "family";
        if ((isPair && !m_words.isEmpty()) || isAclCheck)
            name += ' ' + m_words.takeFirst();
        const auto row = std::ranges::find(verbRows(), QByteArrayView(name), &VerbRow::name);
        if (row == verbRows().end())
            return name.contains('@') || name.contains("://")
                       ? usageError(Words::tr("Give a server's address with -u."))
                       : usageError(Words::tr("Unknown verb '%1'. See --help.").arg(shown(name)));
        m_options.verb = row->verb;
        return takeArguments(*row);
    }

    Result<void> takeArguments(const VerbRow &row)
    {
        const bool takesKey = row.arguments.startsWith("KEY");
        const bool takesFile = row.verb == Verb::AuditVerify;
        const bool isOfFamilies = row.name.startsWith("family");
        const bool takesName = row.arguments == "NAME";
        const bool takesSeveral = row.arguments == "FILE...";
        const bool takesRecording = row.arguments == "FILE" || takesSeveral;
        if (row.verb == Verb::AclLine || row.verb == Verb::AclCheck)
            return takeRole(row);
        if (takesKey && m_words.isEmpty())
            return usageError(Words::tr("'%1' needs a KEY.").arg(QLatin1String(row.name)));
        if (takesRecording && m_words.value(0).isEmpty())
            return usageError(Words::tr("'%1' needs a FILE.").arg(QLatin1String(row.name)));
        if (takesName && m_words.value(0).isEmpty())
            return usageError(Words::tr("'%1' needs a NAME.").arg(QLatin1String(row.name)));
        if (!takesSeveral && m_words.size() > (takesKey || takesFile || takesRecording || takesName ? 1 : 0))
            return usageError((takesKey
                                   ? Words::tr("'%1' was given too many arguments. Quote a KEY with spaces.")
                                   : Words::tr("'%1' was given too many arguments."))
                                  .arg(QLatin1String(row.name)));
        if (takesKey)
            m_options.key = LockKey(m_words.front());
        else if (isOfFamilies)
            m_options.familyArguments = m_words;
        else if (takesRecording)
            m_options.recording.file = m_words.front();
        else if (takesFile && !m_words.isEmpty())
            m_options.auditFile = m_words.front();
        if (takesKey && m_options.key.isEmpty())
            return usageError(Words::tr("KEY must not be empty."));
        return {};
    }

    Result<void> takeRole(const VerbRow &row)
    {
        const bool checks = row.verb == Verb::AclCheck;
        m_options.role = aclRoleName.valueOf(m_words.value(0));
        const bool isKnown = m_options.role && !(checks && m_options.role == AclRole::Sentinels);
        if (m_words.size() > 1 || (!isKnown && !(checks && m_words.isEmpty())))
            return usageError(
                checks ? Words::tr("'acl check' takes a role: monitor or operator.")
                       : Words::tr("'acl' takes a role: monitor, operator or sentinels; or check."));
        return {};
    }

    Result<void> takeOptions()
    {
        // What else is given wins over the address.
        std::stable_partition(m_given.begin(), m_given.end(), [](const Given &given) {
            return given.row->letter == 'u' || given.row->name == "connect";
        });
        if (const OptionRow *twice = givenTwice())
            return usageError(Words::tr("'%1' is given twice. Give the option once.").arg(written(*twice)));
        const unsigned allowed = m_program == Program::Window ? window : scopeOf(m_options.verb);
        for (const Given &given : m_given) {
            const unsigned scope = given.row->scope;
            if ((scope & allowed) == 0)
                return m_program == Program::Window
                           ? usageError(Words::tr("'%1' belongs to lockscope-cli.").arg(written(*given.row)))
                           : usageError(Words::tr("This verb does not take '%1'. See --help.")
                                            .arg(written(*given.row)));
            if (const Result<void> taken = given.row->take(m_options, given.value); !taken)
                return taken;
        }
        return {};
    }

    /// Returns an option given twice: the last value would win silently.
    const OptionRow *givenTwice() const
    {
        for (auto given = m_given.begin(); given != m_given.end(); ++given) {
            const OptionRow *row = given->row;
            if (row->argument.isEmpty() || row->target.isRepeatable)
                continue;
            const bool again =
                std::any_of(m_given.begin(), given, [row](const Given &other) { return other.row == row; });
            if (again)
                return row;
        }
        return nullptr;
    }

    Result<void> decodeBase64()
    {
        if (!m_options.base64)
            return {};
        QList<QByteArray *> encoded{&m_options.key.bytes, &m_options.owner.bytes, &m_options.confirmedName};
        for (LockOwner &holder : m_options.expected)
            encoded.append(&holder.owner.bytes);
        for (QByteArray *bytes : encoded) {
            const auto decoded =
                QByteArray::fromBase64Encoding(*bytes, QByteArray::AbortOnBase64DecodingErrors);
            // Qt takes it without its padding, too, and then for less than was cut off.
            if (!decoded || bytes->size() % 4 != 0 || (decoded.decoded.isEmpty() && !bytes->isEmpty()))
                return usageError(
                    Words::tr("With --base64, KEY and owners must be base64 of at least one byte."));
            *bytes = decoded.decoded;
        }
        return {};
    }

    Result<void> checkServer()
    {
        ServerAddress &server = m_options.server;
        const bool named = std::ranges::any_of(
            m_given, [](const Given &given) { return (given.row->scope & namesServer) != 0; });
        m_options.serverGiven = named;
        m_options.passwordGiven = given("a");
        if (m_options.demo && named)
            return usageError(
                Words::tr("--demo starts its own server. Remove the options that name another server."));
        if (const Result<void> usable = checkStored(); !usable)
            return usable;
        if (given("s") && (given("h") || given("p") || given("tls")))
            return usageError(Words::tr("Give either a socket with -s or a host with -h, -p and --tls."));
        if (const Result<void> usable = checkSentinels(); !usable)
            return usable;
        if (const Result<void> usable = checkGroup(); !usable)
            return usable;
        if ((given("h") || given("p")) && server.transport == ServerAddress::Transport::Unix) {
            server.transport = ServerAddress::Transport::Tcp;
            server.socketPath.clear();
        }
        // Settings of an encryption that is not switched on would give a false sense of safety.
        const bool encrypted = server.transport == ServerAddress::Transport::Tls;
        for (const char *name :
             {"cacert", "cacertdir", "cert", "key", "key-askpass", "sni", "pin", "insecure"}) {
            if (given(name) && !encrypted)
                return usageError(
                    Words::tr("'--%1' needs --tls or a rediss:// address.").arg(QLatin1String(name)));
        }
        if (given("cert") != given("key"))
            return usageError(Words::tr("--cert and --key belong together."));
        if (given("cacert") && given("cacertdir"))
            return usageError(Words::tr("Give either --cacert or --cacertdir."));
        if (given("pin") && given("insecure"))
            return usageError(Words::tr("--pin trusts one certificate, --insecure any: give either."));
        if (given("key-askpass") && !given("key"))
            return usageError(Words::tr("--key-askpass needs --key."));
        if (server.keyFile.isEmpty())
            server.keyPassphrase.clear(); // what the environment has of it
        // An empty one that is given is meant: the server may let this user in without any.
        // The one creates that user, the other needs no server.
        constexpr unsigned without =
            scopeOf(Verb::AclLine, Verb::Replay, Verb::FamilyList, Verb::FamilyShow, Verb::FamilyCheck);
        const bool logsIn = (scopeOf(m_options.verb) & without) == 0;
        if (logsIn && m_options.stored.size() <= 1 && !server.user.isEmpty() && server.password.isEmpty() &&
            !m_options.askPassword && !given("a") && !isInKeychain(server))
            return usageError(Words::tr("The user needs a password: give --askpass or set REDISCLI_AUTH. For "
                                        "a user without a password, give -a ''."));
        if (m_options.demo)
            server.password.clear();
        if (!server.isBySentinels())
            server.clearSentinels(); // what the environment has of them
        return {};
    }

    /// Only the window asks the keychain: in a script it might wait for the user to unlock it. Passwords
    /// never go to an unverified server.
    bool isInKeychain(const ServerAddress &server) const
    {
        return m_program == Program::Window && !server.insecure && keepsPasswords(server);
    }

    // NOLINTNEXTLINE(readability-make-member-function-const): a step of parse(), as the others are
    Result<void> checkStored()
    {
        if (m_options.stored.isEmpty())
            return {};
        for (const char *name : {"u", "h", "p", "s", "sentinel", "master", "redlock", "environment"}) {
            if (given(name))
                return usageError(
                    Words::tr("--connect names the server: leave out -u, -h, -p, -s, --sentinel, "
                              "--redlock and --environment."));
        }
        const bool isWindow = m_program == Program::Window;
        if (m_options.stored.size() > 1) {
            const bool isMore = std::ranges::any_of(m_given, [](const Given &given) {
                return (given.row->scope & namesServer) != 0 && given.row->name != "connect";
            });
            if (!isWindow || isMore)
                return usageError(isWindow
                                      ? Words::tr("With several servers, give no other option of a server.")
                                      : Words::tr("'--connect' is given twice. Give the option once."));
            return {};
        }
        m_options.readOnly = m_options.readOnly || m_options.stored.first().readOnly;
        // The first page asks for it.
        const bool lacksPassword = !m_options.server.user.isEmpty() && m_options.server.password.isEmpty();
        m_options.askPassword = m_options.askPassword ||
                                (isWindow && lacksPassword && !given("a") && !isInKeychain(m_options.server));
        return {};
    }

    Result<void> checkSentinels() const
    {
        const ServerAddress &server = m_options.server;
        if (server.isBySentinels() && (given("h") || given("p") || given("s")))
            return usageError(Words::tr("The Sentinels name the server: leave out -h, -p and -s."));
        if (given("sentinel") && server.transport == ServerAddress::Transport::Unix)
            return usageError(Words::tr("The Sentinels name the server: leave the socket out."));
        if (server.isBySentinels() && server.primaryName.isEmpty())
            return usageError(
                Words::tr("--sentinel needs --master NAME: the name of the primary that they watch."));
        for (const char *name : {"master", "sentinel-user", "sentinel-askpass", "replica"}) {
            if (given(name) && !server.isBySentinels())
                return usageError(Words::tr("'--%1' needs --sentinel or a redis-sentinel:// address.")
                                      .arg(QLatin1String(name)));
        }
        if (!server.sentinelUser.isEmpty() && server.sentinelPassword.isEmpty() &&
            !m_options.askSentinelPassword)
            return usageError(
                Words::tr("The Sentinels' user needs a password: give --sentinel-askpass or set "
                          "LOCKSCOPE_SENTINEL_AUTH."));
        return {};
    }

    Result<void> checkGroup() const
    {
        const ServerAddress &server = m_options.server;
        if (!server.isGroup())
            return {};
        if (given("h") || given("p") || given("s") || server.transport == ServerAddress::Transport::Unix)
            return usageError(Words::tr("The Redlock group names its servers: leave out -h, -p and -s."));
        if (server.isBySentinels())
            return usageError(Words::tr("Give either Sentinels or a Redlock group."));
        if (m_options.verb == Verb::Simulate)
            return usageError(
                Words::tr("'simulate' runs on one server. Name one, or none for a private server."));
        return {};
    }

    // NOLINTNEXTLINE(readability-make-member-function-const): a step of parse(), as the others are
    Result<void> checkAction()
    {
        if (m_program == Program::Window)
            return checkWindowRecording(m_options, given("max-size") || given("anonymous"));
        const Verb verb = m_options.verb;
        for (const OptionRow &row : optionRows()) {
            if ((row.needed & scopeOf(verb)) != 0 && !given(row.name))
                return usageError(
                    Words::tr("%1 is needed.").arg(written(row) + u' ' + QLatin1String(row.argument)));
        }
        if (verb == Verb::Who &&
            m_options.duration.value_or(ClientFinder::usualTime) > ClientFinder::longestTime)
            return usageError(
                Words::tr("'who' takes at most 30 seconds, because it is costly for the server."));
        if (verb == Verb::Check && given("state") && !m_options.rules.maxHeld)
            return usageError(Words::tr("--state needs --max-held SECONDS."));
        if (verb == Verb::Replay)
            return checkRecording(m_options);
        if (verb == Verb::Simulate)
            return completeSimulation(m_options, givenNames());
        return {};
    }

    QList<QByteArrayView> givenNames() const
    {
        QList<QByteArrayView> names;
        for (const Given &given : m_given)
            names.append(given.row->name);
        return names;
    }

    Program m_program;
    std::span<char *const> m_rest;
    QList<QByteArray> m_words;
    QList<Given> m_given;
    Options m_options;
};

/// True for an option like --help before "--": other errors do not matter then.
bool asksFor(std::span<char *const> arguments, QByteArrayView option)
{
    for (auto word = arguments.begin(); word != arguments.end(); ++word) {
        const QByteArrayView text(*word);
        if (text == "--")
            return false;
        if (text == option)
            return true;
        const bool takesNext = std::ranges::any_of(optionRows(), [text](const OptionRow &row) {
            const bool isNamed = text.startsWith("--") ? text.sliced(2) == row.name
                                                       : row.letter != 0 && text.size() == 2 &&
                                                             text[0] == '-' && text[1] == row.letter;
            return isNamed && !row.argument.isEmpty();
        });
        if (takesNext && ++word == arguments.end())
            return false;
    }
    return false;
}

/// Returns the last value of an option that is needed before the others.
QStringList given(std::span<char *const> arguments, QByteArrayView option)
{
    QByteArrayView value;
    for (size_t i = 0; i < arguments.size() && QByteArrayView(arguments[i]) != "--"; ++i) {
        const QByteArrayView word(arguments[i]);
        if (word == option && i + 1 < arguments.size())
            value = arguments[++i];
        else if (word.startsWith(option) && word.sliced(option.size()).startsWith('='))
            value = word.sliced(option.size() + 1);
    }
    return value.isEmpty() ? QStringList() : QStringList{QFile::decodeName(value.toByteArray())};
}

} // namespace

Result<Options> parseOptions(Program program, std::span<char *const> arguments)
{
    Options options;
    options.help = asksFor(arguments, "--help");
    options.version = asksFor(arguments, "--version");
    if (options.help || options.version)
        return options;
    // Before any family is asked for.
    const QList<RefusedFamily> refused = loadFamilies(familyFolders() + given(arguments, "--families"));
    Result<Options> parsed = Parser(program, arguments).parse();
    for (const RefusedFamily &family : refused) {
        if (parsed)
            parsed->warnings.append(inWords(faultInFile(family.path, family.fault)));
    }
    return parsed;
}

} // namespace lockscope
