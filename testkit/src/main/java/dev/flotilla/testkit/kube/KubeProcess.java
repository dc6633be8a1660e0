package dev.flotilla.testkit.kube;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** A program of the test bed while it runs. What it says is in a log of its name. */
final class KubeProcess {
    private static final Duration STARTS_WITHIN = Duration.ofSeconds(90);
    private static final Duration ENDS_WITHIN = Duration.ofSeconds(30);
    private static final Duration LOOK = Duration.ofMillis(50);
    private static final int COMPLAINTS = 20;

    /**
     * Ends with a word from us, or kills when the pipe to us closes without one: then this JVM is gone, however it went. A
     * Go program does not watch its parent, and Linux's own way is bound to the thread that started it.
     */
    private static final String WATCH = "trap '' INT TERM HUP; read -r over || kill -9 \"$0\" 2>/dev/null";

    private final Path log;
    private final Process process;
    private final Process watch;

    private KubeProcess(Path log, Process process, Process watch) {
        this.log = log;
        this.process = process;
        this.watch = watch;
    }

    /** Starts it in a folder, and waits until it is ready. */
    static KubeProcess start(String name, Path folder, List<String> command, BooleanSupplier ready) {
        Path log = folder.resolve(name + ".log");
        KubeProcess started;
        try {
            ProcessBuilder builder = new ProcessBuilder(command)
                    .directory(folder.toFile())
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
            // What a person configured for tools of the same names is not for these.
            builder.environment().put("HOME", folder.toString());
            builder.environment().remove("KUBECONFIG");
            Process process = builder.start();
            Process watch = new ProcessBuilder("sh", "-c", WATCH, Long.toString(process.pid())).start();
            started = new KubeProcess(log, process, watch);
        } catch (IOException e) {
            throw new UncheckedIOException("starting " + name + " in " + folder, e);
        }
        if (!started.becomes(ready)) {
            String what = started.isAlive()
                    ? " was not ready within " + STARTS_WITHIN.toSeconds() + " s\n"
                    : " ended before it was ready\n";
            started.kill();
            throw new IllegalStateException(name + what + started.complaints());
        }
        return started;
    }

    private boolean becomes(BooleanSupplier ready) {
        long since = System.nanoTime();
        while (System.nanoTime() - since < STARTS_WITHIN.toNanos()) {
            if (ended(LOOK)) {
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

    /** As {@code kill -9}; comes back when it is gone and its port is free. */
    void kill() {
        process.destroyForcibly();
        if (!ended(ENDS_WITHIN)) {
            throw new IllegalStateException("process " + process.pid() + " does not end, see " + log);
        }
        try {
            watch.getOutputStream().write('\n');
            watch.getOutputStream().close();
        } catch (IOException gone) {
            // It watches no more: that is what was wanted.
        }
    }

    private boolean ended(Duration within) {
        try {
            return process.waitFor(within.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            process.destroyForcibly();
            throw new IllegalStateException("interrupted while waiting for process " + process.pid(), e);
        }
    }

    private String complaints() {
        try {
            List<String> lines = Files.readAllLines(log);
            return String.join("\n", lines.subList(Math.max(0, lines.size() - COMPLAINTS), lines.size()));
        } catch (IOException e) {
            return "no log: " + e;
        }
    }
}
