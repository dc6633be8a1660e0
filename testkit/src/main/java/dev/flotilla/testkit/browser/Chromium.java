package dev.flotilla.testkit.browser;

import dev.flotilla.testkit.process.ChildProcess;
import dev.flotilla.testkit.process.LocalProgram;
import java.io.File;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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

    private final Path profile;
    private final ChildProcess process;
    private final DevToolsConnection devToolsConnection;

    private Chromium(Path profile, ChildProcess process, DevToolsConnection devToolsConnection) {
        this.profile = profile;
        this.process = process;
        this.devToolsConnection = devToolsConnection;
    }

    /** Whether Chromium is installed. Prints a line if not, and throws if it is required. */
    public static boolean present() {
        return present(System.getenv(), System.err);
    }

    static boolean present(Map<String, String> environment, PrintStream err) {
        return LocalProgram.isPresent(find(environment).isPresent(), "FLOTILLA_BROWSER", MISSING, environment, err);
    }

    private static Optional<Path> find(Map<String, String> environment) {
        return Stream.of(environment.getOrDefault("PATH", "").split(File.pathSeparator, -1))
                .filter(folder -> !folder.isEmpty())
                .flatMap(folder -> PROGRAM_NAMES.stream().map(name -> Path.of(folder, name)))
                .filter(Files::isExecutable)
                .findFirst();
    }

    /** Starts a Chromium; {@link #close} ends it. */
    public static Chromium start() throws IOException {
        Path program = find(System.getenv()).orElseThrow(() -> new IOException(MISSING));
        Path profile = Files.createTempDirectory("chromium-");
        List<String> command = List.of(
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
                "about:blank");
        ChildProcess process = ChildProcess.startProgram("chromium", profile, command, Map.of());
        try {
            process.awaitReady(() -> addressLines(profile).size() == 2);
            List<String> address = addressLines(profile);
            String url = "ws://127.0.0.1:" + address.get(0) + address.get(1);
            return new Chromium(profile, process, DevToolsConnection.connect(url));
        } catch (RuntimeException e) {
            process.close();
            throw e;
        }
    }

    /** The port and the path at which it listens, which it writes into its profile. */
    private static List<String> addressLines(Path profile) {
        Path file = profile.resolve("DevToolsActivePort");
        try {
            return Files.exists(file) ? Files.readAllLines(file) : List.of();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + file, e);
        }
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
        process.stop();
        try (Stream<Path> files = Files.walk(profile)) {
            // Files that its last child processes still write remain for the system's own cleanup.
            files.sorted(Comparator.reverseOrder())
                    .forEach(file -> file.toFile().delete());
        }
    }
}
