package dev.flotilla.cli;

import dev.flotilla.cli.command.HelpExamples;
import dev.flotilla.cli.terminal.ExitCode;
import dev.flotilla.cli.terminal.Terminal;
import java.util.concurrent.Callable;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code flotilla completion}. */
@Command(
        name = "completion",
        mixinStandardHelpOptions = true,
        description = "Prints a script that makes a shell complete commands and options.")
final class CompletionCommand implements Callable<Integer> {
    /** Supported shells; zsh runs the bash script. */
    enum Shell {
        bash,
        zsh
    }

    private final CommandLine root;
    private final Terminal terminal;

    @Parameters(paramLabel = "SHELL", description = "Shell. One of: ${COMPLETION-CANDIDATES}.")
    private Shell shell = Shell.bash;

    private CompletionCommand(CommandLine root, Terminal terminal) {
        this.root = root;
        this.terminal = terminal;
    }

    static CommandLine of(CommandLine root, Terminal terminal) {
        CommandLine command = new CommandLine(new CompletionCommand(root, terminal));
        HelpExamples.set(
                command,
                "source <(flotilla completion bash)",
                "flotilla completion bash > ~/.local/share/bash-completion/completions/flotilla");
        return command;
    }

    @Override
    public Integer call() {
        if (shell == Shell.zsh) {
            terminal.out().println("autoload -U +X bashcompinit && bashcompinit");
        }
        terminal.out().print(AutoComplete.bash("flotilla", root));
        return ExitCode.DONE;
    }
}
