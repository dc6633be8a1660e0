package dev.flotilla.cli.simulate;

import dev.flotilla.cli.terminal.ExitCode;
import dev.flotilla.cli.terminal.Terminal;
import dev.flotilla.simulator.run.SimulationRunner;

/** {@code simulate --seed N --transcript}. */
final class TranscriptRun {
    private final long seed;
    private final Terminal terminal;

    TranscriptRun(long seed, Terminal terminal) {
        this.seed = seed;
        this.terminal = terminal;
    }

    int call() {
        terminal.out().print(SimulationRunner.transcript(seed));
        return ExitCode.DONE;
    }
}
