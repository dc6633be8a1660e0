package dev.flotilla.cli.demo.stage;

import dev.flotilla.testkit.process.ChildProcess;
import java.net.URI;

/**
 * A component of the demonstration, as a process.
 *
 * @param what the component
 */
public record DemoProcess(String what, ChildProcess process) {
    /** Address of the component, once it is ready. */
    public URI uri() {
        return process.awaitAddress();
    }

    /** Waits until it is ready. */
    void awaitReady() throws DemoProcessException {
        try {
            process.awaitAddress();
        } catch (IllegalStateException e) {
            String reason = String.valueOf(e.getMessage()).lines().findFirst().orElse("");
            // The log may be deleted before the user looks.
            throw new DemoProcessException(
                    process.isAlive() ? reason : reason + ", whose last line is: " + process.lastLogLines(1));
        }
    }
}
