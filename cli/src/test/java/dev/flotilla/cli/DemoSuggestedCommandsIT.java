package dev.flotilla.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.cli.terminal.ExitCode;
import dev.flotilla.testkit.kube.KubeBinaries;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs the commands that a demonstration with {@code --keep} suggests. */
class DemoSuggestedCommandsIT {
    private static final int TERMINATED = 128 + 15;
    private static final String LAST = "journal tail";
    private static final String ALL_RUN = "waiting until the orchestrator knows every machine";
    private static final String FOLDER = "-Djava.io.tmpdir=";
    private static final Duration WITHIN = Duration.ofSeconds(20);

    @TempDir
    Path none;

    @Test
    void suggestedCommandsWork() throws IOException, InterruptedException {
        runSuggestedCommands("k8sd", "w-1 v1beta2.k8sd.io/in-place-upgrade-to=channel=", "k8s-1-33");
    }

    @Tag("nightly")
    @Test
    void suggestedCommandsOfANodeUpgradeWork() throws IOException, InterruptedException {
        runSuggestedCommands("node-upgrade", "cp-0 flotilla.dev/upgrade-to=version=", "k8s-1-33-node-upgrade");
    }

    private static void runSuggestedCommands(String provider, String annotated, String campaign)
            throws IOException, InterruptedException {
        try (FlotillaProcess demo = kept("--provider=" + provider)) {
            List<String> said = demo.saysUpTo(LAST);

            assertThat(said).last().asString().contains(LAST);
            List<String> commands = said.stream()
                    .filter(line -> line.startsWith("  ") && !line.contains(" s  "))
                    .map(String::strip)
                    .toList();
            assertThat(commands)
                    .hasSizeGreaterThan(5)
                    .anyMatch(command -> command.contains(annotated))
                    .anyMatch(command -> command.contains("campaign watch " + campaign + " "));
            for (String command : commands) {
                tryIt(command);
            }
            List<ProcessHandle> running = demo.children();
            assertThat(running).hasSizeGreaterThan(5);
            demo.interrupt();
            assertThat(demo.exit()).isEqualTo(TERMINATED);
            assertThat(running)
                    .allSatisfy(process -> assertThat(process.onExit()).succeedsWithin(WITHIN));
        }
    }

    @Test
    void leavesNothingBehindWhenKilled() throws IOException, InterruptedException {
        try (FlotillaProcess demo = kept()) {
            assertThat(demo.saysUpTo(ALL_RUN)).last().asString().contains(ALL_RUN);
            List<ProcessHandle> running = demo.children();
            Path folder = running.stream()
                    .flatMap(process -> Stream.of(process.info().arguments().orElse(new String[0])))
                    .filter(argument -> argument.startsWith(FOLDER))
                    .map(argument -> Path.of(argument.substring(FOLDER.length())))
                    .findFirst()
                    .orElseThrow();
            assertThat(folder).exists();
            assertThat(running).hasSizeGreaterThan(5);

            demo.kill();

            assertThat(running)
                    .allSatisfy(process -> assertThat(process.onExit()).succeedsWithin(WITHIN));
            assertThat(folder).doesNotExist();
        }
    }

    private static FlotillaProcess kept(String... more) throws IOException {
        List<String> words = new ArrayList<>(List.of(
                "demo",
                "--machines=3",
                "--clusters=1",
                "--sites=1",
                "--cap=1",
                "--fail-rate=0",
                "--speed=600",
                "--keep"));
        words.addAll(List.of(more));
        return FlotillaProcess.start(Map.of(), words.toArray(String[]::new));
    }

    @Test
    void realKubernetesWithoutItsProgramsExitsWithThree() throws IOException, InterruptedException {
        try (FlotillaProcess demo =
                FlotillaProcess.start(Map.of("XDG_CACHE_HOME", none.toString()), "demo", "--kubernetes", "real")) {
            assertThat(demo.saysUpTo("testkit/kube/build"))
                    .hasSize(1)
                    .last()
                    .asString()
                    .contains("never built");
            assertThat(demo.exit()).isEqualTo(ExitCode.UNREACHABLE);
        }
    }

    private static void tryIt(String command) throws IOException, InterruptedException {
        List<String> words = new ArrayList<>(Arrays.asList(command.split(" ")));
        if (words.getFirst().equals("xdg-open")) {
            // xdg-open needs a desktop, so the page is fetched instead.
            try (HttpClient browser = HttpClient.newHttpClient()) {
                HttpRequest page =
                        HttpRequest.newBuilder(URI.create(words.getLast())).build();
                assertThat(browser.send(page, HttpResponse.BodyHandlers.ofString())
                                .body())
                        .as(command)
                        .contains("<html");
            }
            return;
        }
        if (words.getFirst().equals("./flotilla")) {
            CliResult cliResult =
                    CliResult.flotilla(words.subList(1, words.size()).toArray(String[]::new));
            assertThat(cliResult.exit()).as(command + "\n" + cliResult.all()).isZero();
            assertThat(cliResult.out()).as(command).isNotBlank();
            return;
        }
        String program = program(words.getFirst());
        if (program == null) {
            System.err.println("NOT TRIED, there is no " + words.getFirst() + ": " + command);
            return;
        }
        words.set(0, program);
        Process process = new ProcessBuilder(words).redirectErrorStream(true).start();
        String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(command + "\n" + out).isZero();
        assertThat(out).as(command).isNotBlank();
    }

    /** Path of a program; null if it is not installed. */
    private static @Nullable String program(String name) {
        Stream<Path> onPath = Arrays.stream(
                        Objects.requireNonNull(System.getenv("PATH")).split(File.pathSeparator))
                .map(folder -> Path.of(folder, name));
        Stream<Path> built =
                name.equals("kubectl") ? KubeBinaries.find().stream().map(KubeBinaries::kubectl) : Stream.empty();
        return Stream.concat(built, onPath)
                .filter(Files::isExecutable)
                .map(Path::toString)
                .findFirst()
                .orElse(null);
    }
}
