package dev.flotilla.testkit.process;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A child process, with a log {@code NAME.log} in a folder. A JVM logs its standard error, and prints on its standard
 * output when it is ready; another program logs both.
 */
public final class ChildProcess implements AutoCloseable {
    /** How a component logs, to standard error. */
    public static final String LOG_OPTION = "-Dflotilla.log.level=info,org.apache.kafka=warn";

    /** Long, because the machine may be busy; a process that ends is noticed at once. */
    private static final Duration START_TIMEOUT = Duration.ofMinutes(3);

    private static final Duration END_TIMEOUT = Duration.ofSeconds(60);
    private static final Duration POLL_INTERVAL = Duration.ofMillis(50);
    /** Lines that nobody has awaited yet; older ones are dropped. */
    private static final int UNREAD_LINES = 1_000;

    private static final int LOG_LINES = 20;

    private static final Pattern ADDRESS = Pattern.compile("https?://[^\\s\",]+");

    /**
     * Kills a program when this JVM has died, which closes the script's pipe. Other programs do not watch their parent,
     * and Linux's parent-death signal is bound to the thread that started the program.
     */
    private static final String WATCH_SCRIPT = "trap '' INT TERM HUP; read -r over || kill -9 \"$0\" 2>/dev/null";

    private final String name;
    private final Path log;
    private final Process process;
    private final LinkedBlockingQueue<String> output = new LinkedBlockingQueue<>(UNREAD_LINES);
    private final CompletableFuture<URI> address = new CompletableFuture<>();
    private volatile boolean endRequested;

    private ChildProcess(String name, Path log, Process process) {
        this.name = name;
        this.log = log;
        this.process = process;
    }

    /** Starts a JVM with this JDK. */
    public static ChildProcess startJvm(
            String name, Path folder, String classPath, List<String> options, String main, List<String> arguments) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(options);
        command.add(main);
        command.addAll(arguments);
        Path log = folder.resolve(name + ".log");
        ProcessBuilder builder =
                new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.appendTo(log.toFile()));
        builder.environment().put("CLASSPATH", classPath);
        ChildProcess started = new ChildProcess(name, log, start(name, builder));
        Thread.ofPlatform().daemon().name("output of " + name).start(started::readOutput);
        return started;
    }

    /** Options for a JVM that must start quickly and lives for minutes at most. */
    public static List<String> quickStartOptions(String classPath) {
        List<String> options = new ArrayList<>(List.of(
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                // Key stores never leave memory.
                "-Dkeystore.pkcs12.keyPbeIterationCount=1"));
        // The launcher has created the class data archive for its own class path.
        String archive = System.getProperty("flotilla.archive");
        if (archive != null && classPath.equals(ComponentClassPaths.own())) {
            options.add("-XX:SharedArchiveFile=" + archive);
        }
        return options;
    }

    /** Starts another program in its folder; it ends with this JVM. */
    public static ChildProcess startProgram(
            String name, Path folder, List<String> command, Map<String, String> environment) {
        Path log = folder.resolve(name + ".log");
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
        builder.environment().putAll(environment);
        return new ChildProcess(name, log, start(name, builder)).endWithParent();
    }

    /** Lets it end with this JVM, also if that is killed. */
    public ChildProcess endWithParent() {
        Process watch = start("sh", new ProcessBuilder("sh", "-c", WATCH_SCRIPT, Long.toString(pid())));
        var unused = process.onExit().thenRun(() -> endWatch(watch));
        return this;
    }

    private static Process start(String name, ProcessBuilder builder) {
        try {
            return builder.start();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot start " + name, e);
        }
    }

    private static void endWatch(Process watch) {
        try (Writer stdin = watch.outputWriter()) {
            stdin.write('\n');
        } catch (IOException e) {
            // The script has already ended.
        }
    }

    private void readOutput() {
        try (BufferedReader out = process.inputReader()) {
            for (String line = out.readLine(); line != null; line = out.readLine()) {
                Matcher found = ADDRESS.matcher(line);
                if (found.find()) {
                    address.complete(URI.create(found.group()));
                }
                while (!output.offer(line)) {
                    output.poll();
                }
            }
        } catch (IOException e) {
            // The stream closes when the process ends.
        }
        address.completeExceptionally(new IOException("ended"));
    }

    /** Waits until the JVM has printed an address, and returns it. */
    public URI awaitAddress() {
        try {
            return address.get(START_TIMEOUT.toSeconds(), TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            // Its output ends a moment before the process does.
            hasEnded(END_TIMEOUT);
            throw notReady();
        } catch (TimeoutException e) {
            throw notReady();
        } catch (InterruptedException e) {
            throw interrupted(e);
        }
    }

    /** Waits until the JVM prints a line that contains a text, and returns the line. */
    public String awaitLine(String part) {
        long until = System.nanoTime() + START_TIMEOUT.toNanos();
        try {
            while (System.nanoTime() < until) {
                boolean alive = process.isAlive();
                String line = output.poll(POLL_INTERVAL.toMillis(), TimeUnit.MILLISECONDS);
                if (line != null && line.contains(part)) {
                    return line;
                }
                if (line == null && !alive) {
                    break;
                }
            }
        } catch (InterruptedException e) {
            throw interrupted(e);
        }
        throw notReady();
    }

    /** Waits until a program is ready; ends it if it is not. */
    public ChildProcess awaitReady(BooleanSupplier ready) {
        long until = System.nanoTime() + START_TIMEOUT.toNanos();
        while (!ready.getAsBoolean()) {
            if (hasEnded(POLL_INTERVAL) || System.nanoTime() > until) {
                IllegalStateException failure = notReady();
                kill();
                throw failure;
            }
        }
        return this;
    }

    private IllegalStateException notReady() {
        return new IllegalStateException(name
                + (process.isAlive()
                        ? " was not ready within " + START_TIMEOUT.toSeconds() + " s"
                        : " ended before it was ready")
                + "; see " + log + "\n" + lastLogLines(LOG_LINES));
    }

    private IllegalStateException interrupted(InterruptedException e) {
        Thread.currentThread().interrupt();
        return new IllegalStateException("interrupted while waiting for " + name, e);
    }

    /** Whether it has printed its address and still runs. */
    public boolean isReady() {
        return address.isDone() && !address.isCompletedExceptionally() && process.isAlive();
    }

    public boolean isAlive() {
        return process.isAlive();
    }

    /** Whether it has ended, and this JVM did not end it. */
    public boolean hasCrashed() {
        return !endRequested && !process.isAlive();
    }

    public String name() {
        return name;
    }

    public long pid() {
        return process.pid();
    }

    /** The handle of the process. */
    public ProcessHandle handle() {
        return process.toHandle();
    }

    public Path log() {
        return log;
    }

    /** The last lines of its log, without stack frames, blank lines, and where to find the help. */
    public String lastLogLines(int count) {
        try (Stream<String> all = Files.lines(log)) {
            List<String> lines = all.filter(line -> !line.isBlank()
                            && !line.stripLeading().startsWith("at ")
                            && !line.startsWith("See flotilla "))
                    .toList();
            return String.join("\n", lines.subList(Math.max(0, lines.size() - count), lines.size()));
        } catch (IOException | UncheckedIOException e) {
            return "the log cannot be read: " + e;
        }
    }

    /** Writes a line to its standard input. */
    public void sendLine(String line) throws IOException {
        Writer in = process.outputWriter();
        in.write(line + "\n");
        in.flush();
    }

    /** Sends SIGTERM, so that it ends in order. */
    public void terminate() {
        endRequested = true;
        process.destroy();
    }

    /** Sends SIGKILL and waits for its end. */
    public void kill() {
        close();
        awaitExit();
    }

    /** Sends SIGTERM, then SIGKILL if that does not end it. */
    public void stop() {
        terminate();
        if (!hasEnded(END_TIMEOUT)) {
            kill();
        }
    }

    /** Suspends it at any instant, with its connections open. */
    public void suspend() {
        signal("-STOP");
    }

    /** Resumes it. */
    public void resume() {
        signal("-CONT");
    }

    /** Waits for its end and returns its exit code. */
    public int awaitExit() {
        if (!hasEnded(END_TIMEOUT)) {
            throw new IllegalStateException(name + " did not end within " + END_TIMEOUT.toSeconds() + " s; see " + log);
        }
        return process.exitValue();
    }

    private boolean hasEnded(Duration timeout) {
        try {
            return process.waitFor(timeout.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            throw interrupted(e);
        }
    }

    private void signal(String signal) {
        try {
            int exit = new ProcessBuilder("kill", signal, Long.toString(pid()))
                    .start()
                    .waitFor();
            if (exit != 0) {
                throw new IllegalStateException("kill " + signal + " failed for " + name);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("cannot run kill " + signal, e);
        } catch (InterruptedException e) {
            throw interrupted(e);
        }
    }

    /** Sends SIGKILL. */
    @Override
    public void close() {
        endRequested = true;
        process.destroyForcibly();
    }
}
