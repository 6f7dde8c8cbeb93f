#compdef lockscope lockscope-cli
# SPDX-License-Identifier: GPL-3.0-or-later
# Completes lockscope and lockscope-cli in zsh. The two tables are made of the programs' own.

_lockscope_stored() {
    local -a names expl
    names=(${(f)"$(_call_program stored-servers lockscope-cli stored-servers 2>/dev/null)"})
    _wanted stored-servers expl 'stored server' compadd -a names
}

_lockscope_first() {
    _describe -t verbs verb first
}

# What follows "audit" or "acl": a verb of two words, or the argument of a verb of one.
_lockscope_second() {
    _describe -t verbs verb second
    [[ -z $argument ]] || compadd -- ${=argument}
}

_lockscope() {
    # A verb, "_" between its words; what it does; the values or the action of its argument.
    local -a verbs=(
@zsh-verbs@
    )
    # The verbs that take an option; the option.
    local -a options=(
@zsh-options@
    )
    local -a specs given first second
    local -A takes_value
    local scopes spec verb help value argument= scope= only_words= i word

    for scopes spec in $options; do
        [[ $spec != *\]:* ]] || takes_value[${${spec#\*}%%[=\[]*}]=1
    done
    if [[ $service == lockscope ]]; then
        scope=window
    else
        for ((i = 2; i < CURRENT; i++)); do
            word=$words[i]
            if [[ -n $only_words || $word != -?* ]]; then
                given+=($word)
            elif [[ $word == -- ]]; then
                only_words=yes
            elif (($+takes_value[$word])); then
                ((++i))
            fi
        done
        scope=$given[1]
        for verb help value in "${verbs[@]}"; do
            [[ $verb != ${given[1]}_$given[2] ]] || scope=$verb
        done
        for verb help value in "${verbs[@]}"; do
            [[ -n ${(M)first:#${verb%%_*}:*} ]] || first+=("${verb%%_*}:$help")
            [[ $verb != ${scope}_* ]] || second+=("${verb#*_}:$help")
            [[ $verb != $scope ]] || argument=$value
        done
        specs+=('1:verb:_lockscope_first')
        case $scope:$argument in
            *_*:_*) specs+=("3:argument:$argument") ;;
            *_*:?*) specs+=("3:argument:($argument)") ;;
            *:_*) specs+=("2:argument:$argument") ;;
            *) (($#second)) && specs+=('2:argument:_lockscope_second') ;;
        esac
    fi
    for scopes spec in $options; do
        case ,$scopes, in
            *,all,*) specs+=($spec) ;;
            *,verbs,*) [[ $scope == window ]] || specs+=($spec) ;;
            *,${scope:-window},*) specs+=($spec) ;;
        esac
    done
    _arguments -S $specs
}

_lockscope "$@"
