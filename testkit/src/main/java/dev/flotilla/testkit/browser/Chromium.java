package dev.flotilla.testkit.browser;

import java.io.File;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * A Chromium with its own profile. A test that needs it is annotated with
 * {@code @EnabledIf(value = Chromium.PRESENT, disabledReason = Chromium.MISSING)}: without Chromium the test is skipped
 * and a line on standard error says so; with {@code FLOTILLA_BROWSER=required} it fails.
 */
public final class Chromium implements AutoCloseable {
    /** The method with which JUnit checks whether Chromium is installed. */
    public static final String PRESENT = "dev.flotilla.testkit.browser.Chromium#present";

    public static final String MISSING = "SKIPPED: Chromium is not installed; on Debian: apt-get install chromium";

    private static final List<String> PROGRAM_NAMES = List.of("chromium", "chromium-browser", "google-chrome");
    private static final long START_TIMEOUT_NANOS = TimeUnit.SECONDS.toNanos(60);
    private static final int STOP_TIMEOUT_SECONDS = 20;

    private final Path profile;
    private final Process process;
    private final DevToolsConnection devToolsConnection;

    private Chromium(Path profile, Process process, DevToolsConnection devToolsConnection) {
        this.profile = profile;
        this.process = process;
        this.devToolsConnection = devToolsConnection;
    }

    /** Whether Chromium is installed. Prints a line if not, and throws if it is required. */
    public static boolean present() {
        return present(System.getenv(), System.err);
    }

    static boolean present(Map<String, String> environment, PrintStream err) {
        if (find(environment).isPresent()) {
            return true;
        }
        if ("required".equals(environment.get("FLOTILLA_BROWSER"))) {
            throw new IllegalStateException(
                    "FLOTILLA_BROWSER=required, but there is no Chromium on the PATH; on Debian: apt-get install chromium");
        }
        err.println(MISSING);
        return false;
    }

    private static Optional<Path> find(Map<String, String> environment) {
        return Stream.of(environment.getOrDefault("PATH", "").split(File.pathSeparator, -1))
                .filter(folder -> !folder.isEmpty())
                .flatMap(folder -> PROGRAM_NAMES.stream().map(name -> Path.of(folder, name)))
                .filter(Files::isExecutable)
                .findFirst();
    }

    /** Starts a Chromium; {@link #close} ends it. */
    public static Chromium start() throws IOException, InterruptedException {
        Path program = find(System.getenv()).orElseThrow(() -> new IOException(MISSING));
        Path profile = Files.createTempDirectory("chromium-");
        Process process = new ProcessBuilder(
                        program.toString(),
                        "--headless=new",
                        // It only shows pages of this build, and its own sandbox does not start as root.
                        "--no-sandbox",
                        "--disable-gpu",
                        "--disable-dev-shm-usage",
                        "--no-first-run",
                        "--disable-background-networking",
                        "--disable-component-update",
                        "--hide-scrollbars",
                        "--remote-debugging-port=0",
                        "--user-data-dir=" + profile,
                        "about:blank")
                .redirectErrorStream(true)
                .redirectOutput(profile.resolve("chromium.log").toFile())
                .start();
        try {
            return new Chromium(profile, process, DevToolsConnection.connect(address(profile, process)));
        } catch (IOException | InterruptedException | RuntimeException e) {
            process.destroyForcibly();
            throw e;
        }
    }

    /** The address at which it listens, which it writes into its profile. */
    private static String address(Path profile, Process process) throws IOException, InterruptedException {
        Path file = profile.resolve("DevToolsActivePort");
        long until = System.nanoTime() + START_TIMEOUT_NANOS;
        while (System.nanoTime() < until && !process.waitFor(20, TimeUnit.MILLISECONDS)) {
            List<String> lines = Files.exists(file) ? Files.readAllLines(file) : List.of();
            if (lines.size() == 2) {
                return "ws://127.0.0.1:" + lines.get(0) + lines.get(1);
            }
        }
        throw new IOException("Chromium did not start: " + Files.readString(profile.resolve("chromium.log")));
    }

    /** Opens a page in a new tab. */
    public BrowserTab open(String url, Viewport viewport) {
        BrowserTab tab = BrowserTab.open(devToolsConnection, viewport);
        tab.navigate(url);
        return tab;
    }

    @Override
    public void close() throws IOException {
        devToolsConnection.close();
        process.destroy();
        try {
            if (!process.waitFor(STOP_TIMEOUT_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly().waitFor();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
        try (Stream<Path> files = Files.walk(profile)) {
            // Files that its last child processes still write remain for the system's own cleanup.
            files.sorted(Comparator.reverseOrder())
                    .forEach(file -> file.toFile().delete());
        }
    }
}
