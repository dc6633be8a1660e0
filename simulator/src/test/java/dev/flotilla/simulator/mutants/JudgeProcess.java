package dev.flotilla.simulator.mutants;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The other end of a {@link Judge}. */
final class JudgeProcess {
    private final Process process;
    private final BufferedWriter questions;
    private final BufferedReader answers;

    private JudgeProcess(Process process) {
        this.process = process;
        this.questions = process.outputWriter();
        this.answers = process.inputReader();
    }

    static JudgeProcess start(List<String> command) throws IOException {
        return new JudgeProcess(new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start());
    }

    /** The verdict; null where the process ended because a world does not. */
    @Nullable
    Verdict ask(String question) throws IOException, InterruptedException {
        questions.write(question);
        questions.newLine();
        questions.flush();
        String answer = answers.readLine();
        if (answer != null) {
            return Verdict.of(answer);
        }
        int status = process.waitFor();
        if (status != Verdict.ENDLESS) {
            throw new IllegalStateException(
                    "a JVM that judges mutants ended with status " + status + " at " + question);
        }
        return null;
    }

    void close() {
        process.destroy();
    }
}
