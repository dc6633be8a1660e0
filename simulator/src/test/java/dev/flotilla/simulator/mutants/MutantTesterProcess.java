package dev.flotilla.simulator.mutants;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The other end of a {@link MutantTester}. */
final class MutantTesterProcess {
    private final Process process;
    private final BufferedWriter questions;
    private final BufferedReader answers;

    private MutantTesterProcess(Process process) {
        this.process = process;
        this.questions = process.outputWriter();
        this.answers = process.inputReader();
    }

    static MutantTesterProcess start(List<String> command) throws IOException {
        return new MutantTesterProcess(new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start());
    }

    /** The verdict; null where the process ended because a world does not. */
    @Nullable
    MutantTestResult ask(String question) throws IOException, InterruptedException {
        questions.write(question);
        questions.newLine();
        questions.flush();
        String answer = answers.readLine();
        if (answer != null) {
            return MutantTestResult.of(answer);
        }
        int status = process.waitFor();
        if (status != MutantTestResult.ENDLESS) {
            throw new IllegalStateException(
                    "a JVM that judges mutants ended with status " + status + " at " + question);
        }
        return null;
    }

    void close() {
        process.destroy();
    }
}
