package dev.flotilla.testkit.clusterapi;

import dev.flotilla.testkit.kube.KubeBinaries;
import dev.flotilla.testkit.process.LocalProgram;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;

/**
 * The managers of Cluster API and their manifests, in the folder in which {@code testkit/capi/build} puts them. A test that needs them
 * is annotated with {@code @EnabledIf(value = ClusterApiBinaries.PRESENT, disabledReason = ClusterApiBinaries.MISSING)}: without
 * them, or without a Kubernetes, it is skipped and a line on standard error says so; with {@code FLOTILLA_CAPI=required} it
 * fails.
 */
public record ClusterApiBinaries(Path folder) {
    /** The method with which JUnit checks whether they are present. */
    public static final String PRESENT = "dev.flotilla.testkit.clusterapi.ClusterApiBinaries#present";

    /** The method with which JUnit checks whether the managers of all releases are present. */
    public static final String PRESENT_IN_ALL_RELEASES =
            "dev.flotilla.testkit.clusterapi.ClusterApiBinaries#allPresent";

    public static final String MISSING_RELEASES =
            "SKIPPED: not all releases of Cluster API are built; build them once with testkit/capi/build --release 1.12,"
                    + " --release 1.13 and without an option";

    public static final String MISSING =
            "SKIPPED: the managers of Cluster API are not built; build them once with testkit/capi/build";

    /** All programs of the newest release, or empty: an incomplete build does not count. */
    static Optional<ClusterApiBinaries> find(Map<String, String> environment) {
        return find(ClusterApiRelease.NEWEST, environment);
    }

    static Optional<ClusterApiBinaries> find(ClusterApiRelease release, Map<String, String> environment) {
        String set = environment.getOrDefault("XDG_CACHE_HOME", "");
        Path cache = set.isEmpty() ? Path.of(System.getProperty("user.home"), ".cache") : Path.of(set);
        ClusterApiBinaries found =
                new ClusterApiBinaries(cache.resolve("flotilla").resolve("capi").resolve(release.folder()));
        boolean complete =
                Arrays.stream(ClusterApiProvider.values()).map(found::program).allMatch(Files::isExecutable);
        return complete ? Optional.of(found) : Optional.empty();
    }

    /** Whether the programs and a Kubernetes are present. Prints a line if not, and throws if they are required. */
    public static boolean present() {
        return present(System.getenv(), System.err) && KubeBinaries.present();
    }

    /** Whether the programs of all releases are present, and a Kubernetes. Prints a line if not, and throws if they are required. */
    public static boolean allPresent() {
        boolean all = Arrays.stream(ClusterApiRelease.values())
                .allMatch(release -> find(release, System.getenv()).isPresent());
        return LocalProgram.isPresent(all, "FLOTILLA_CAPI", MISSING_RELEASES, System.getenv(), System.err)
                && KubeBinaries.present();
    }

    static boolean present(Map<String, String> environment, PrintStream err) {
        return LocalProgram.isPresent(find(environment).isPresent(), "FLOTILLA_CAPI", MISSING, environment, err);
    }

    Path program(ClusterApiProvider manager) {
        return folder.resolve(manager.program());
    }

    /** Reads the manager's CustomResourceDefinitions. */
    String definitions(ClusterApiProvider manager) {
        return read(manager.program() + "-crds.yaml");
    }

    /** Reads the manager's webhook configurations. */
    String webhooks(ClusterApiProvider manager) {
        return read(manager.program() + "-webhooks.yaml");
    }

    private String read(String file) {
        try {
            return Files.readString(folder.resolve(file));
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + file + " in " + folder, e);
        }
    }
}
