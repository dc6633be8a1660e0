package dev.flotilla.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.testkit.clusterapi.ClusterApiBinaries;
import dev.flotilla.testkit.clusterapi.ClusterApiRelease;
import dev.flotilla.testkit.kube.KubeBinaries;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;

/** Runs the commands of the tutorial with the real managers of Cluster API, from the registered extension on. */
@Tag("nightly")
@EnabledIf(value = ClusterApiBinaries.PRESENT, disabledReason = ClusterApiBinaries.MISSING)
class ClusterApiTutorialIT {
    static final String PAGE = "docs/tutorial-cluster-api.md";
    private static final Duration PATIENCE = Duration.ofMinutes(3);

    /** Commands that change nothing, which are repeated until they print what is shown. */
    private static final Pattern READS =
            Pattern.compile("kubectl (get|wait) .*|\\./flotilla (machine|campaign get|cluster-api plan) .*");

    @TempDir
    private Path folder;

    @Test
    void stepsOfThePagePrintTheShownOutput() throws IOException {
        try (InPlaceUpdateLab lab = new InPlaceUpdateLab(
                Files.createDirectory(folder.resolve("lab")), ClusterApiRelease.NEWEST, "tutorial")) {
            // As in deploy/cluster-api/extension-config.yaml.
            lab.management.merge(
                    "/apis/runtime.cluster.x-k8s.io/v1beta2/extensionconfigs/flotilla",
                    "{\"spec\":{\"settings\":{\"uncovered\":\"stop\"}}}");
            Path repository = makeRepository();
            for (PageStep step : PageStep.readAll(PAGE)) {
                lab.note("$ " + step.command());
                AtomicReference<Output> last = new AtomicReference<>(run(repository, step, lab));
                if (READS.matcher(step.command()).matches()) {
                    awaitShown(lab, step, repository, last);
                }
                Output output = last.get();
                output.text().lines().forEach(lab::note);
                assertThat(output.shows(step))
                        .as(step + "\nexit code " + output.exit() + "\n" + output.text())
                        .isTrue();
            }
            assertThat(lab.violations()).isEmpty();
        }
    }

    private static void awaitShown(InPlaceUpdateLab lab, PageStep step, Path repository, AtomicReference<Output> last) {
        long end = System.nanoTime() + PATIENCE.toNanos();
        lab.await(step.command(), () -> {
            if (last.get().shows(step) || System.nanoTime() > end) {
                return true;
            }
            last.set(run(repository, step, lab));
            return last.get().shows(step);
        });
    }

    /**
     * What a command has printed.
     *
     * @param text what it has written to stdout and stderr
     */
    private record Output(int exit, String text) {
        /** A command whose output the page does not show must succeed. */
        boolean shows(PageStep step) {
            return step.shown().isEmpty() ? exit == 0 : step.isShownIn(text);
        }
    }

    /** Makes a folder in which the commands find what they find in this repository. */
    private Path makeRepository() throws IOException {
        Path repository = Files.createDirectory(folder.resolve("repository"));
        Files.createSymbolicLink(repository.resolve("examples"), CliResult.ROOT.resolve("examples"));
        Path launcher =
                Files.writeString(repository.resolve("flotilla"), """
                #!/bin/sh
                exec "%s/bin/java" -XX:+UseSerialGC -XX:TieredStopAtLevel=1 --enable-native-access=ALL-UNNAMED dev.flotilla.cli.Main "$@"
                """.formatted(System.getProperty("java.home")));
        Files.setPosixFilePermissions(launcher, PosixFilePermissions.fromString("rwx------"));
        return repository;
    }

    private static Output run(Path repository, PageStep step, InPlaceUpdateLab lab) {
        Path programs = KubeBinaries.find().orElseThrow().folder();
        ProcessBuilder builder = new ProcessBuilder("bash", "-c", step.command())
                .directory(repository.toFile())
                .redirectErrorStream(true);
        Map<String, String> environment = builder.environment();
        environment.keySet().removeIf(name -> name.startsWith("FLOTILLA_"));
        environment.put("CLASSPATH", System.getProperty("java.class.path"));
        environment.put("KUBECONFIG", lab.management.kubeconfig().toString());
        environment.put("PATH", programs + File.pathSeparator + environment.get("PATH"));
        try {
            environment.put("FLOTILLA_BOOTSTRAP_SERVERS", lab.bootstrap());
            Process process = builder.start();
            String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            return new Output(process.waitFor(), text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }
}
