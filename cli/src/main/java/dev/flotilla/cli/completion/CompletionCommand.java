package dev.flotilla.cli.completion;

import dev.flotilla.cli.command.HelpExamples;
import dev.flotilla.cli.terminal.ExitCode;
import dev.flotilla.cli.terminal.Terminal;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code flotilla completion}. */
@Command(
        name = "completion",
        mixinStandardHelpOptions = true,
        description = {
            "Prints a script that makes a shell complete commands, options and names.",
            "Names of campaigns, sites and machines are read from the Kafka that the command line, the environment or the"
                    + " current context names. If it does not answer within 3 s, nothing is offered."
        })
public final class CompletionCommand implements Callable<Integer> {
    /** Supported shells. */
    enum Shell {
        bash,
        zsh,
        fish
    }

    private final CommandLine root;
    private final Terminal terminal;

    @Parameters(paramLabel = "SHELL", description = "Shell. One of: ${COMPLETION-CANDIDATES}.")
    private Shell shell = Shell.bash;

    private CompletionCommand(CommandLine root, Terminal terminal) {
        this.root = root;
        this.terminal = terminal;
    }

    public static CommandLine of(CommandLine root, Terminal terminal) {
        CommandLine command = new CommandLine(new CompletionCommand(root, terminal));
        HelpExamples.set(
                command,
                "source <(flotilla completion bash)",
                "flotilla completion bash > ~/.local/share/bash-completion/completions/flotilla",
                "flotilla completion fish > ~/.config/fish/completions/flotilla.fish");
        return command;
    }

    @Override
    public Integer call() {
        terminal.out()
                .print(
                        switch (shell) {
                            case bash -> CompletionScripts.bash(root);
                            case zsh -> CompletionScripts.zsh(root);
                            case fish -> CompletionScripts.fish();
                        });
        return ExitCode.DONE;
    }
}
