package dev.flotilla.testkit.kube;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** A running program of the test bed. Its output goes to a log with its name. */
final class KubeProcess {
    private static final Duration START_TIMEOUT = Duration.ofSeconds(90);
    private static final Duration STOP_TIMEOUT = Duration.ofSeconds(30);
    private static final Duration POLL_INTERVAL = Duration.ofMillis(50);
    private static final int LOG_LINES = 20;

    /**
     * A shell script that ends when it reads a line, and kills the program when the pipe closes without one, because
     * this JVM has died. Go programs do not watch their parent, and Linux's parent-death signal is bound to the thread
     * that started the program.
     */
    private static final String WATCH_SCRIPT = "trap '' INT TERM HUP; read -r over || kill -9 \"$0\" 2>/dev/null";

    private final Path log;
    private final Process process;
    private final Process watchProcess;

    private KubeProcess(Path log, Process process, Process watch) {
        this.log = log;
        this.process = process;
        this.watchProcess = watch;
    }

    /** Starts a program in a folder, and waits until it is ready. */
    static KubeProcess start(String name, Path folder, List<String> command, BooleanSupplier ready) {
        Path log = folder.resolve(name + ".log");
        KubeProcess started;
        try {
            ProcessBuilder builder = new ProcessBuilder(command)
                    .directory(folder.toFile())
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
            // The user's configuration for tools of the same names must not apply.
            builder.environment().put("HOME", folder.toString());
            builder.environment().remove("KUBECONFIG");
            Process process = builder.start();
            Process watch = new ProcessBuilder("sh", "-c", WATCH_SCRIPT, Long.toString(process.pid())).start();
            started = new KubeProcess(log, process, watch);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot start " + name + " in " + folder, e);
        }
        if (!started.waitUntilReady(ready)) {
            String what = started.isAlive()
                    ? " was not ready within " + START_TIMEOUT.toSeconds() + " s\n"
                    : " ended before it was ready\n";
            started.kill();
            throw new IllegalStateException(name + what + started.lastLogLines());
        }
        return started;
    }

    private boolean waitUntilReady(BooleanSupplier ready) {
        long since = System.nanoTime();
        while (System.nanoTime() - since < START_TIMEOUT.toNanos()) {
            if (waitForEnd(POLL_INTERVAL)) {
                return false;
            }
            if (ready.getAsBoolean()) {
                return true;
            }
        }
        return false;
    }

    boolean isAlive() {
        return process.isAlive();
    }

    long pid() {
        return process.pid();
    }

    /** Kills it like {@code kill -9}, and waits until it has ended and its port is free. */
    void kill() {
        process.destroyForcibly();
        if (!waitForEnd(STOP_TIMEOUT)) {
            throw new IllegalStateException(
                    "process " + process.pid() + " did not end within " + STOP_TIMEOUT.toSeconds() + " s, see " + log);
        }
        try {
            watchProcess.getOutputStream().write('\n');
            watchProcess.getOutputStream().close();
        } catch (IOException alreadyEnded) {
            // The watching script has already ended, which is the purpose.
        }
    }

    private boolean waitForEnd(Duration within) {
        try {
            return process.waitFor(within.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            process.destroyForcibly();
            throw new IllegalStateException("interrupted while waiting for process " + process.pid(), e);
        }
    }

    private String lastLogLines() {
        try {
            List<String> lines = Files.readAllLines(log);
            return String.join("\n", lines.subList(Math.max(0, lines.size() - LOG_LINES), lines.size()));
        } catch (IOException e) {
            return "the log cannot be read: " + e;
        }
    }
}
