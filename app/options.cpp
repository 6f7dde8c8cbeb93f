// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/options.h"

#include "app/optiontable.h"
#include "core/base/editdistance.h"
#include "core/base/printable.h"
#include "core/family/userfamilies.h"
#include "core/monitor/clientfinder.h"
#include "core/redis/sharedservers.h"
#include "core/words/phrases.h"

#include <QFile>

#include <algorithm>
#include <cstring>
#include <utility>

namespace lockscope {

namespace {

constexpr qsizetype likelyTypos = 2;

QString shown(const QByteArray &bytes)
{
    return printable(bytes, 40);
}

class Parser
{
    Q_DECLARE_TR_FUNCTIONS(lockscope::app)

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

    static QString unknownVerb(const QByteArray &name)
    {
        const auto row = std::ranges::min_element(
            verbRows(), {}, [&](const VerbRow &each) { return editDistance(name, each.name); });
        return editDistance(name, row->name) <= std::min(likelyTypos, name.size() / 2)
                   ? tr("Unknown verb '%1'. Did you mean '%2'?").arg(shown(name), QLatin1String(row->name))
                   : tr("Unknown verb '%1'. See --help.").arg(shown(name));
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
            char *word = next();
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

    char *next()
    {
        char *word = m_rest.front();
        m_rest = m_rest.subspan(1);
        return word;
    }

    Result<void> splitOption(char *word)
    {
        const QByteArray text(word);
        const bool isLong = text.startsWith("--");
        const qsizetype equals = isLong ? text.indexOf('=') : -1;
        const QByteArray typed = text.mid(0, isLong ? equals : 2);
        const qsizetype dashes = isLong ? 2 : 1;
        const OptionRow *row = rowFor(typed == "-V" ? QByteArray("--version") : typed, m_words.value(0));
        // Beyond the name nothing is repeated: it may be a password.
        if (row == nullptr)
            return usageError(tr("Unknown option '%1'. See --help.")
                                  .arg(QLatin1String("--", dashes) + shown(typed.sliced(dashes))));
        if (!isLong && text.size() > 2)
            return usageError(tr("Write '%1' and its value as two words.").arg(written(*row)));
        if (row->argument.isEmpty()) {
            if (equals >= 0)
                return usageError(tr("'%1' takes no value.").arg(written(*row)));
            m_given.append(Given{row, {}});
            return {};
        }
        if (equals < 0 && m_rest.empty())
            return usageError(needText(written(*row), QLatin1String(row->argument)));
        char *value = equals < 0 ? next() : word + equals + 1;
        const bool isAgain = std::ranges::count(m_given, row, &Given::row) > 0;
        if (isAgain && !row->target.isRepeatable && m_twice == nullptr)
            m_twice = row;
        m_given.append(Given{row, value});
        if (row->letter == 'a' || row->letter == 'u' || row->name == "webhook" || row->name == "proxy")
            std::memset(value, 'x', std::strlen(value));
        return {};
    }

    Result<void> takeVerb()
    {
        if (given("help") || given("version"))
            return {};
        if (m_program == Program::Window)
            return takeLink(m_options, m_words);
        if (m_words.isEmpty())
            return usageError(tr("The verb is missing. See --help."));
        QByteArray name = m_words.takeFirst();
        const bool isAclCheck = name == "acl" && m_words.value(0) == "check";
        const bool isPair = name == "audit" || name == "family";
        if ((isPair && !m_words.isEmpty()) || isAclCheck)
            name += ' ' + m_words.takeFirst();
        const auto row = std::ranges::find(verbRows(), QByteArrayView(name), &VerbRow::name);
        if (row == verbRows().end())
            return name.contains('@') || name.contains("://")
                       ? usageError(tr("Give a server's address with -u."))
                       : usageError(unknownVerb(name));
        m_options.verb = row->verb;
        m_takes = QLatin1String(row->name);
        return takeArguments(*row);
    }

    Result<void> takeArguments(const VerbRow &row)
    {
        if (row.verb == Verb::AclLine || row.verb == Verb::AclCheck)
            return takeRole(row);
        const QString verb = QLatin1String(row.name);
        const QByteArray first = m_words.value(0);
        const bool takesKey = row.arguments.startsWith("KEY");
        const bool takesFile = row.arguments.startsWith("FILE");
        const bool takesName = row.arguments == "NAME";
        const bool takesOne = takesKey || takesFile || takesName || row.verb == Verb::AuditVerify;
        const bool isTooMuch = row.arguments != "FILE..." && m_words.size() > (takesOne ? 1 : 0);
        const auto fits = firstBroken({
            {takesKey && m_words.isEmpty(), needText(verb, QStringLiteral("KEY"))},
            {takesFile && first.isEmpty(), needText(verb, QStringLiteral("FILE"))},
            {takesName && first.isEmpty(), needText(verb, QStringLiteral("NAME"))},
            {isTooMuch, tr("Too many arguments for %1. Quote values with spaces.").arg(verb)},
            {takesKey && first.isEmpty(), tr(emptyRefusal).arg(QStringLiteral("KEY"))},
        });
        if (takesKey)
            m_options.key = LockKey(first);
        else if (row.name.startsWith("family"))
            m_options.familyArguments = m_words;
        else if (takesFile)
            m_options.recording.file = first;
        else
            m_options.auditFile = first;
        return fits;
    }

    Result<void> takeRole(const VerbRow &row)
    {
        const bool checks = row.verb == Verb::AclCheck;
        m_options.role = aclRoleName.valueOf(m_words.value(0));
        const bool isKnown = m_options.role && !(checks && m_options.role == AclRole::Sentinels);
        if (m_words.size() > 1 || (!isKnown && !(checks && m_words.isEmpty())))
            return usageError(
                choiceText(QLatin1String(row.name),
                           QByteArrayList{"monitor", "operator"} +
                               (checks ? QByteArrayList() : QByteArrayList{"sentinels", "check"})));
        return {};
    }

    Result<void> takeOptions()
    {
        // What else is given wins over the address.
        std::stable_partition(m_given.begin(), m_given.end(), [](const Given &given) {
            return given.row->letter == 'u' || given.row->name == "connect";
        });
        if (m_twice != nullptr)
            return usageError(tr("'%1' is given twice.").arg(written(*m_twice)));
        const unsigned allowed = m_program == Program::Window ? window : scopeOf(m_options.verb);
        for (const Given &given : m_given) {
            const unsigned scope = given.row->scope;
            if ((scope & allowed) == 0)
                return usageError(tr("%1 does not take '%2'. See --help.").arg(m_takes, written(*given.row)));
            if (const Result<void> taken = given.row->take(m_options, given.value); !taken)
                return taken;
        }
        return {};
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
                return usageError(tr("With --base64, KEY and owners must be base64."));
            *bytes = decoded.decoded;
        }
        return {};
    }

    Result<void> checkServer()
    {
        ServerAddress &server = m_options.server;
        m_options.serverGiven = std::ranges::any_of(m_given, isOfServer);
        m_options.passwordGiven = given("a");
        if ((given("h") || given("p")) && !given("s") && server.transport == ServerAddress::Transport::Unix) {
            server.transport = ServerAddress::Transport::Tcp;
            server.socketPath.clear();
        }
        for (const auto check :
             {&Parser::checkSource, &Parser::checkSentinels, &Parser::checkGroup, &Parser::checkEncryption}) {
            if (const Result<void> fits = (this->*check)(); !fits)
                return fits;
        }
        if (m_options.stored.size() == 1)
            takeStored();
        if (m_program == Program::Terminal) // a window's other servers are not meant
            m_options.readOnly |= m_options.serverGiven && protectedServer({{}, server}).readOnly;
        if (server.keyFile.isEmpty())
            server.keyPassphrase.clear(); // what the environment has of it
        if (!server.proxy.isEmpty() && server.proxyPassword.isEmpty())
            server.proxyPassword = qgetenv("LOCKSCOPE_PROXY_AUTH");
        if (!server.proxy.isEmpty() &&
            (!server.sshHost.isEmpty() || server.transport == ServerAddress::Transport::Unix))
            return usageError(conflictText(QStringLiteral("--proxy"), server.sshHost.isEmpty()
                                                                          ? QStringLiteral("unix://")
                                                                          : QStringLiteral("--ssh")));
        // An empty one that is given is meant: the server may let this user in without any.
        constexpr unsigned without = scopeOf(Verb::AclLine, Verb::Replay, Verb::Verify, Verb::FamilyList,
                                             Verb::FamilyShow, Verb::FamilyCheck);
        const bool logsIn = (scopeOf(m_options.verb) & without) == 0;
        if (logsIn && m_options.stored.size() <= 1 && !m_options.askPassword && lacksPassword())
            return usageError(tr("The user needs a password: --askpass, REDISCLI_AUTH, or -a '' for none."));
        if (m_options.demo)
            server.password.clear();
        if (!server.isBySentinels())
            server.clearSentinels(); // what the environment has of them
        return {};
    }

    static bool isOfServer(const Given &given) { return (given.row->scope & namesServer) != 0; }

    /// Only the window asks the keychain: in a script it might wait for the user to unlock it. Passwords
    /// never go to an unverified server.
    bool lacksPassword() const
    {
        const ServerAddress &server = m_options.server;
        return !server.user.isEmpty() && server.password.isEmpty() && server.passwordCommand.isEmpty() &&
               !given("a") && !(m_program == Program::Window && !server.insecure && keepsPasswords(server));
    }

    void takeStored()
    {
        m_options.readOnly = m_options.readOnly || m_options.stored.first().readOnly;
        // The first page asks for it.
        m_options.askPassword = m_options.askPassword || (m_program == Program::Window && lacksPassword());
    }

    Result<void> checkSource() const
    {
        const bool areSeveral = m_options.stored.size() > 1;
        const bool isLink = m_program == Program::Window && !m_words.isEmpty();
        const auto more = std::ranges::find_if(
            m_given, [](const Given &given) { return isOfServer(given) && given.row->name != "connect"; });
        const QString other = more == m_given.end() ? QString() : written(*more->row);
        const QString named = other.isEmpty() ? QStringLiteral("--connect") : other;
        return firstBroken({
            {isLink && m_options.demo, conflictText(QStringLiteral("LINK"), QStringLiteral("--demo"))},
            {isLink && m_options.serverGiven, conflictText(QStringLiteral("LINK"), named)},
            {m_options.demo && m_options.serverGiven, conflictText(QStringLiteral("--demo"), named)},
            conflict("connect", {"u", "h", "p", "s", "sentinel", "master", "redlock", "environment"}),
            {areSeveral && m_program != Program::Window,
             tr("'%1' is given twice.").arg(QStringLiteral("--connect"))},
            {areSeveral && !other.isEmpty(), conflictText(QStringLiteral("--connect"), other)},
            conflict("s", {"h", "p", "tls"}),
        });
    }

    Result<void> checkSentinels() const
    {
        const ServerAddress &server = m_options.server;
        const bool isUsed = server.isBySentinels();
        const bool lacksTheirPassword = !server.sentinelUser.isEmpty() && server.sentinelPassword.isEmpty() &&
                                        !m_options.askSentinelPassword;
        const QByteArrayView theirs = firstGiven({"master", "sentinel-user", "sentinel-askpass", "replica"});
        const auto sentinel = QStringLiteral("--sentinel");
        return firstBroken({
            conflict("sentinel", {"h", "p", "s"}, isUsed),
            {given("sentinel") && server.transport == ServerAddress::Transport::Unix,
             conflictText(sentinel, QStringLiteral("unix://"))},
            {isUsed && server.primaryName.isEmpty(), needText(sentinel, QStringLiteral("--master NAME"))},
            {!isUsed && !theirs.isEmpty(), needText(typed(theirs), sentinel)},
            {lacksTheirPassword,
             needText(QStringLiteral("--sentinel-user"), QStringLiteral("--sentinel-askpass"))},
        });
    }

    Result<void> checkGroup() const
    {
        const ServerAddress &server = m_options.server;
        const auto redlock = QStringLiteral("--redlock");
        return !server.isGroup()
                   ? Result<void>()
                   : firstBroken({
                         conflict("redlock", {"h", "p", "s"}, true),
                         {server.transport == ServerAddress::Transport::Unix,
                          conflictText(redlock, QStringLiteral("unix://"))},
                         {server.isBySentinels(), conflictText(redlock, QStringLiteral("--sentinel"))},
                         {m_options.verb == Verb::Simulate,
                          conflictText(QStringLiteral("simulate"), redlock)},
                     });
    }

    /// Settings of an encryption that is not switched on would give a false sense of safety.
    Result<void> checkEncryption() const
    {
        const bool isOn = m_options.server.transport == ServerAddress::Transport::Tls;
        const QByteArrayView any =
            firstGiven({"cacert", "cacertdir", "cert", "key", "key-askpass", "sni", "pin", "insecure"});
        return firstBroken({
            {!isOn && !any.isEmpty(), needText(typed(any), QStringLiteral("--tls"))},
            need("cert", "key"),
            need("key", "cert"),
            conflict("cacert", {"cacertdir"}),
            conflict("pin", {"insecure"}),
            need("key-askpass", "key"),
        });
    }

    // NOLINTNEXTLINE(readability-make-member-function-const): a step of parse(), as the others are
    Result<void> checkAction()
    {
        if (m_program == Program::Window)
            return checkWindowRecording(m_options, given("max-size") || given("anonymous"));
        const Verb verb = m_options.verb;
        for (const OptionRow &row : optionRows()) {
            if ((row.needed & scopeOf(verb)) != 0 && !given(row.name))
                return usageError(needText(m_takes, written(row) + u' ' + QLatin1String(row.argument)));
        }
        const bool isTooLong =
            m_options.duration.value_or(ClientFinder::usualTime) > ClientFinder::longestTime;
        if (verb == Verb::Replay)
            return checkRecording(m_options.recording, given("by"));
        if (verb == Verb::Simulate)
            return completeSimulation(m_options, givenNames());
        if (verb == Verb::Top) {
            const Result<void> fits = firstBroken({need("at", "replay")});
            return fits ? checkWindowRecording(m_options, false) : fits;
        }
        return firstBroken({
            {verb == Verb::Who && isTooLong, tr("%1 takes at most 30 seconds.").arg(QStringLiteral("who"))},
            {given("per-minute") && !given("end"), needText(typed("per-minute"), typed("end"))},
            {m_options.checksServer && (m_options.rules.maxHeld || m_options.rules.maxWaiters ||
                                        given("problems") || given("no-expiry")),
             conflictText(QStringLiteral("--server"), tr("rules for locks"))},
            {verb == Verb::Check && given("state") && !m_options.rules.maxHeld,
             needText(QStringLiteral("--state"), QStringLiteral("--max-held SECONDS"))},
        });
    }

    using Rule = std::pair<bool, QString>;

    static QString typed(QByteArrayView name)
    {
        return QLatin1String(name.size() == 1 ? "-" : "--") + QLatin1String(name);
    }
    Rule need(QByteArrayView name, QByteArrayView other) const
    {
        return {given(name) && !given(other), needText(typed(name), typed(other))};
    }
    /// `isMeant`: the option, or an address that says the same, is given.
    Rule conflict(QByteArrayView name, std::initializer_list<QByteArrayView> others, bool isMeant) const
    {
        const QByteArrayView other = firstGiven(others);
        return {isMeant && !other.isEmpty(), conflictText(typed(name), typed(other))};
    }
    Rule conflict(QByteArrayView name, std::initializer_list<QByteArrayView> others) const
    {
        return conflict(name, others, given(name));
    }

    /// Returns the first of these options that is given; empty: none is.
    QByteArrayView firstGiven(std::initializer_list<QByteArrayView> names) const
    {
        const auto *name = std::ranges::find_if(names, [this](QByteArrayView each) { return given(each); });
        return name == names.end() ? QByteArrayView() : *name;
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
    QString m_takes = QStringLiteral("lockscope"); ///< whose options are given: the verb, or the window
    const OptionRow *m_twice = nullptr; ///< first option given again: the last value would win silently
    Options m_options;
};

/// Returns what is neither an option nor the value of one.
QByteArrayList wordsIn(std::span<char *const> arguments)
{
    QByteArrayList words;
    for (auto word = arguments.begin(); word != arguments.end(); ++word) {
        const OptionRow *row = rowFor(QByteArrayView(*word), words.value(0));
        if (row && !row->argument.isEmpty() && ++word == arguments.end())
            break;
        if (!row && **word != '-')
            words.append(*word);
    }
    return words;
}

/// Returns the last value of an option that is needed before the others, whose errors do not matter then; for a
/// flag that is given, its name.
QByteArray early(std::span<char *const> arguments, QByteArrayView option)
{
    const bool isFlag = rowOf(option)->argument.isEmpty();
    QByteArray found;
    const QByteArray verb = wordsIn(arguments).value(0);
    for (auto word = arguments.begin(); word != arguments.end() && QByteArrayView(*word) != "--"; ++word) {
        const QByteArrayView text(*word);
        const OptionRow *row = rowFor(text, verb);
        if (row && !row->argument.isEmpty() && ++word == arguments.end())
            break;
        if (text == option)
            found = *word;
        else if (!isFlag && text.startsWith(option) && text.sliced(option.size()).startsWith('='))
            found = text.sliced(option.size() + 1).toByteArray();
    }
    return found;
}

} // namespace

Result<Options> parseOptions(Program program, std::span<char *const> arguments)
{
    Options options;
    const QByteArrayList words = wordsIn(arguments);
    const bool isHelp = program == Program::Terminal && words.value(0) == "help";
    options.help = isHelp || !early(arguments, "--help").isEmpty();
    options.helpOn = words.value(isHelp ? 1 : 0);
    options.version = !early(arguments, "--version").isEmpty();
    if (isHelp && !options.helpOn.isEmpty() && !hasHelp(options.helpOn))
        return usageError(Parser::unknownVerb(options.helpOn));
    if (options.help || options.version)
        return options;
    QStringList folders = familyFolders();
    if (const QByteArray folder = early(arguments, "--families"); !folder.isEmpty())
        folders.append(QFile::decodeName(folder));
    const QList<RefusedFamily> refused = loadFamilies(folders); // before any family is asked for
    Result<Options> parsed = Parser(program, arguments).parse();
    if (!parsed)
        return parsed;
    for (const RefusedFamily &family : refused)
        parsed->warnings.append(inWords(faultInFile(family.path, family.fault)));
    for (const Phrase &fault : sharedServers().faults)
        parsed->warnings.append(inWords(fault));
    return parsed;
}

} // namespace lockscope
