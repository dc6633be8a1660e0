package dev.flotilla.simulator.mutants;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The parent process's side of a {@link MutantTester}. */
final class MutantTesterProcess {
    private final Process process;
    private final BufferedWriter requests;
    private final BufferedReader responses;

    private MutantTesterProcess(Process process) {
        this.process = process;
        this.requests = process.outputWriter();
        this.responses = process.inputReader();
    }

    static MutantTesterProcess start(List<String> command) throws IOException {
        return new MutantTesterProcess(new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start());
    }

    /** Sends a request. Returns the result; null if the process ended because a world does not end. */
    @Nullable
    MutantTestResult request(String request) throws IOException, InterruptedException {
        requests.write(request);
        requests.newLine();
        requests.flush();
        String answer = responses.readLine();
        if (answer != null) {
            return MutantTestResult.of(answer);
        }
        int status = process.waitFor();
        if (status != MutantTestResult.ENDLESS) {
            throw new IllegalStateException(
                    "a JVM that tests mutants ended with status " + status + " for request " + request);
        }
        return null;
    }

    void close() {
        process.destroy();
    }
}
