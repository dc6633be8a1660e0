package dev.flotilla.cli.demo.stage;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A child process with the same JDK. It is ready when it has printed its address; its log goes to a file.
 */
public final class JavaProcess implements AutoCloseable {
    /** Long, because the machine may be busy; a process that ends is noticed at once. */
    private static final int READY_WITHIN_SECONDS = 180;

    private static final int ENDS_WITHIN_SECONDS = 10;
    private static final Pattern URL = Pattern.compile("http://[^\\s\",]+");

    private final String what;
    private final String name;
    private final Process process;
    private final Path log;
    private final CompletableFuture<URI> ready = new CompletableFuture<>();
    private volatile boolean expectedToEnd;

    private JavaProcess(String what, String name, Process process, Path log) {
        this.what = what;
        this.name = name;
        this.process = process;
        this.log = log;
    }

    /**
     * Starts a process.
     *
     * @param what component
     * @param name name of the process
     * @param heap largest heap, as a JVM option
     */
    static JavaProcess start(
            String what, String name, String classPath, String heap, String main, List<String> args, Path folder)
            throws DemoProcessException {
        Path log = folder.resolve(name + ".log");
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx" + heap,
                // Temporary files of a killed process are deleted with the folder.
                "-Djava.io.tmpdir=" + folder,
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                // Compile early, because these short-lived JVMs need speed at the start.
                "-XX:CompileThresholdScaling=0.2",
                "--enable-native-access=ALL-UNNAMED",
                // As in the launcher: key stores never leave memory.
                "-Dkeystore.pkcs12.keyPbeIterationCount=1",
                // Otherwise each handshake computes a second key that is not used, which is slow without the optimising
                // compiler.
                "-Djdk.tls.namedGroups=x25519",
                "-Dflotilla.log.level=info,org.apache.kafka=warn",
                main));
        // Class data sharing archive of the launcher.
        String archive = System.getProperty("flotilla.archive");
        if (archive != null && classPath.equals(ComponentClassPaths.own())) {
            command.add(1, "-XX:SharedArchiveFile=" + archive);
        }
        command.addAll(args);
        ProcessBuilder builder =
                new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.appendTo(log.toFile()));
        builder.environment().put("CLASSPATH", classPath);
        try {
            JavaProcess started = new JavaProcess(what, name, builder.start(), log);
            Thread listening = new Thread(started::listen, "listening to " + name);
            listening.setDaemon(true);
            listening.start();
            return started;
        } catch (IOException e) {
            throw new DemoProcessException(name + " cannot be started: " + e.getMessage());
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

    /** Waits until the process has printed its address. */
    URI awaitReady() throws DemoProcessException, InterruptedException {
        try {
            return ready.get(READY_WITHIN_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            throw new DemoProcessException(name + " ended before it was ready; see " + log + lastLogLine());
        } catch (TimeoutException e) {
            throw new DemoProcessException(name + " was not ready within " + READY_WITHIN_SECONDS + " s; see " + log);
        }
    }

    /** Reads the last line of the log, which may be deleted before the user looks. */
    private String lastLogLine() {
        try (Stream<String> lines = Files.lines(log)) {
            List<String> printed = lines.filter(line -> !line.isBlank()).toList();
            return printed.isEmpty() ? "" : ", whose last line is: " + printed.getLast();
        } catch (IOException | UncheckedIOException e) {
            return "";
        }
    }

    /** Whether it has printed its address and still runs. */
    boolean isReady() {
        return ready.isDone() && !ready.isCompletedExceptionally() && process.isAlive();
    }

    /** Its address; only when ready. */
    public URI uri() {
        return ready.join();
    }

    public String what() {
        return what;
    }

    public String name() {
        return name;
    }

    public long pid() {
        return process.pid();
    }

    Path log() {
        return log;
    }

    /** Whether it has ended unexpectedly. */
    boolean hasCrashed() {
        return !expectedToEnd && !process.isAlive();
    }

    /** Kills it, as {@code kill -9}, and waits for its end. */
    void kill() throws InterruptedException {
        expectedToEnd = true;
        process.destroyForcibly();
        process.waitFor(ENDS_WITHIN_SECONDS, TimeUnit.SECONDS);
    }

    @Override
    public void close() {
        expectedToEnd = true;
        process.destroyForcibly();
    }
}
