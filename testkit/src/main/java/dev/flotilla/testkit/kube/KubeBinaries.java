package dev.flotilla.testkit.kube;

import dev.flotilla.testkit.process.LocalProgram;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The programs of the test bed, in the folder in which {@code testkit/kube/build} puts them. A test that needs them is
 * annotated with {@code @EnabledIf(value = KubeBinaries.PRESENT, disabledReason = KubeBinaries.MISSING)}: without them
 * it is skipped and a line on standard error says so; with {@code FLOTILLA_KUBE=required} it fails.
 */
public record KubeBinaries(Path folder) {
    /** The method with which JUnit checks whether they are present. */
    public static final String PRESENT = "dev.flotilla.testkit.kube.KubeBinaries#present";

    /** The same, including kubectl. */
    public static final String PRESENT_WITH_KUBECTL = "dev.flotilla.testkit.kube.KubeBinaries#presentWithKubectl";

    public static final String MISSING =
            "SKIPPED: the Kubernetes test bed is not built; build it once with testkit/kube/build";

    /** The versions in the go.mod beside the script. */
    static final String VERSIONS = "kubernetes-1.36.3-etcd-3.6.7-kwok-0.8.0";

    /** A program of the test bed. */
    enum Program {
        ETCD("etcd"),
        API_SERVER("kube-apiserver"),
        CONTROLLERS("kube-controller-manager"),
        KUBELETS("kwok"),
        KUBECTL("kubectl");

        /** The programs that every cluster needs. */
        private static final Set<Program> REQUIRED_BY_CLUSTERS = EnumSet.complementOf(EnumSet.of(KUBECTL));

        private final String file;

        Program(String file) {
            this.file = file;
        }
    }

    /** All programs, or empty: an incomplete build does not count. */
    public static Optional<KubeBinaries> find() {
        return find(System.getenv());
    }

    static Optional<KubeBinaries> find(Map<String, String> environment) {
        String set = environment.getOrDefault("XDG_CACHE_HOME", "");
        Path cache = set.isEmpty() ? Path.of(System.getProperty("user.home"), ".cache") : Path.of(set);
        KubeBinaries found =
                new KubeBinaries(cache.resolve("flotilla").resolve("kube").resolve(VERSIONS));
        boolean complete =
                Program.REQUIRED_BY_CLUSTERS.stream().map(found::path).allMatch(Files::isExecutable);
        return complete ? Optional.of(found) : Optional.empty();
    }

    /** Whether the programs are present. Prints a line if not, and throws if they are required. */
    public static boolean present() {
        return present(false, System.getenv(), System.err);
    }

    /** The same, including kubectl. */
    public static boolean presentWithKubectl() {
        return present(true, System.getenv(), System.err);
    }

    static boolean present(boolean withKubectl, Map<String, String> environment, PrintStream err) {
        boolean found = find(environment)
                .filter(each -> !withKubectl || Files.isExecutable(each.kubectl()))
                .isPresent();
        return LocalProgram.isPresent(found, "FLOTILLA_KUBE", MISSING, environment, err);
    }

    /** The path of kubectl, if it was built. */
    public Path kubectl() {
        return path(Program.KUBECTL);
    }

    Path path(Program program) {
        return folder.resolve(program.file);
    }
}
