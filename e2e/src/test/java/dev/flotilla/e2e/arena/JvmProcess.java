package dev.flotilla.e2e.arena;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A process in its own JVM. Its log goes to a file; it is ready when it has printed its address. */
public final class JvmProcess implements AutoCloseable {
    private static final long READY_WITHIN = 120;
    private static final long ENDS_WITHIN = 60;
    private static final Pattern URL = Pattern.compile("http://[^\\s\",]+");

    private final String name;
    private final Process process;
    private final Path log;
    private final CompletableFuture<URI> ready = new CompletableFuture<>();

    private JvmProcess(String name, Process process, Path log) {
        this.name = name;
        this.process = process;
        this.log = log;
    }

    /**
     * Starts a process.
     *
     * @param options of the JVM
     */
    static JvmProcess start(
            Path folder, String name, String classPath, List<String> options, String main, List<String> arguments) {
        Path log = folder.resolve(name + ".log");
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-XX:+ExitOnOutOfMemoryError",
                "-Dkeystore.pkcs12.keyPbeIterationCount=1",
                "-Dflotilla.log.level=info,org.apache.kafka=warn"));
        command.addAll(options);
        command.add(main);
        command.addAll(arguments);
        ProcessBuilder builder =
                new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.appendTo(log.toFile()));
        builder.environment().put("CLASSPATH", classPath);
        try {
            JvmProcess started = new JvmProcess(name, builder.start(), log);
            Thread.ofPlatform().daemon().name("listening to " + name).start(started::listen);
            return started;
        } catch (IOException e) {
            throw new UncheckedIOException("starting " + name, e);
        }
    }

    private void listen() {
        try (BufferedReader out = process.inputReader()) {
            String line = out.readLine();
            while (line != null) {
                Matcher url = URL.matcher(line);
                if (url.find()) {
                    ready.complete(URI.create(url.group()));
                }
                line = out.readLine();
            }
        } catch (IOException e) {
            // The stream closes when the process ends.
        }
        ready.completeExceptionally(new IOException("ended"));
    }

    /** Its address; waits until it is ready. */
    public URI uri() {
        try {
            return ready.get(READY_WITHIN, TimeUnit.SECONDS);
        } catch (ExecutionException | TimeoutException e) {
            throw new AssertionError(name + " is not ready: " + e + "; see " + log, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }

    public boolean isReady() {
        return ready.isDone() && !ready.isCompletedExceptionally() && process.isAlive();
    }

    public boolean isAlive() {
        return process.isAlive();
    }

    public String name() {
        return name;
    }

    public Path log() {
        return log;
    }

    /** Sends SIGKILL and waits for its end. */
    public void kill() {
        process.destroyForcibly();
        exit();
    }

    /** Sends SIGTERM, so that it ends in order. */
    public void terminate() {
        process.destroy();
    }

    /** Sends SIGSTOP, which suspends it at any instant. */
    public void suspend() {
        signal("-STOP");
    }

    /** Sends SIGCONT, which resumes it. */
    public void resume() {
        signal("-CONT");
    }

    /** Waits for its end and returns its exit code. */
    public int exit() {
        try {
            if (!process.waitFor(ENDS_WITHIN, TimeUnit.SECONDS)) {
                throw new AssertionError(name + " does not end; see " + log);
            }
            return process.exitValue();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }

    private void signal(String signal) {
        try {
            Process sent = new ProcessBuilder("kill", signal, Long.toString(process.pid())).start();
            if (sent.waitFor() != 0) {
                throw new AssertionError("kill " + signal + " failed for " + name);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("kill " + signal, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
