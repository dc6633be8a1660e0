package dev.flotilla.cli.completion;

import picocli.AutoComplete;
import picocli.CommandLine;

/** Scripts that make a shell complete command lines. */
final class CompletionScripts {
    /** Commands and options are in the script; for names it runs the program. */
    private static final String BASH = """

            # Names of the fleet, where nothing else can follow.
            function _complete_flotilla_with_names() {
              _complete_flotilla
              local typed=${COMP_WORDS[COMP_CWORD]} line
              if [[ ${#COMPREPLY[@]} -gt 0 || $typed == -* ]]; then return; fi
              while IFS= read -r line; do
                case $line in
                  # No files beside names.
                  :4) compopt +o default 2>/dev/null ;;
                  :6) compopt +o default -o nospace 2>/dev/null ;;
                  :*) ;;
                  *) COMPREPLY+=("${line%%$'\\t'*}") ;;
                esac
              done < <("${COMP_WORDS[0]}" __complete "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
            }
            complete -F _complete_flotilla_with_names -o default flotilla flotilla.sh flotilla.bash
            """;

    private static final String FISH = """
            # Completion of flotilla: candidates with their descriptions come from the program itself.
            function __flotilla_candidates
              set -l words (commandline -opc) (commandline -ct)
              $words[1] __complete $words[2..-1] 2>/dev/null | string match -v ':*'
            end
            complete -c flotilla -a '(__flotilla_candidates)'
            """;

    private CompletionScripts() {}

    static String bash(CommandLine root) {
        return AutoComplete.bash("flotilla", root) + BASH;
    }

    /** Zsh runs the script of bash. */
    static String zsh(CommandLine root) {
        return "autoload -U +X bashcompinit && bashcompinit\n" + bash(root);
    }

    static String fish() {
        return FISH;
    }
}
