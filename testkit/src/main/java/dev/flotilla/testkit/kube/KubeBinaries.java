package dev.flotilla.testkit.kube;

import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The programs of the test bed, where {@code testkit/kube/build} put them. A test that needs them says
 * {@code @EnabledIf(value = KubeBinaries.PRESENT, disabledReason = KubeBinaries.MISSING)}: without them it is skipped, and
 * a line on standard error says so; where {@code FLOTILLA_KUBE=required}, it fails.
 */
public record KubeBinaries(Path folder) {
    /** What JUnit asks whether they are there. */
    public static final String PRESENT = "dev.flotilla.testkit.kube.KubeBinaries#present";

    /** The same, with kubectl beside them. */
    public static final String PRESENT_WITH_KUBECTL = "dev.flotilla.testkit.kube.KubeBinaries#presentWithKubectl";

    public static final String MISSING =
            "SKIPPED, there is no Kubernetes test bed; to build it once: testkit/kube/build";

    /** As the go.mod beside the script says. */
    static final String VERSIONS = "kubernetes-1.36.3-etcd-3.6.7-kwok-0.8.0";

    /** A program of the test bed. */
    enum Program {
        ETCD("etcd"),
        API_SERVER("kube-apiserver"),
        CONTROLLERS("kube-controller-manager"),
        KUBELETS("kwok"),
        KUBECTL("kubectl");

        /** What every cluster is made of. */
        private static final Set<Program> OF_A_CLUSTER = EnumSet.complementOf(EnumSet.of(KUBECTL));

        private final String file;

        Program(String file) {
            this.file = file;
        }
    }

    /** All of them, or nothing: a build that was broken off is none. */
    public static Optional<KubeBinaries> find() {
        return find(System.getenv());
    }

    static Optional<KubeBinaries> find(Map<String, String> environment) {
        String set = environment.getOrDefault("XDG_CACHE_HOME", "");
        Path cache = set.isEmpty() ? Path.of(System.getProperty("user.home"), ".cache") : Path.of(set);
        KubeBinaries found =
                new KubeBinaries(cache.resolve("flotilla").resolve("kube").resolve(VERSIONS));
        boolean whole = Program.OF_A_CLUSTER.stream().map(found::path).allMatch(Files::isExecutable);
        return whole ? Optional.of(found) : Optional.empty();
    }

    /** Whether they are there; says loudly where not, and refuses to go on where they are required. */
    public static boolean present() {
        return present(false, System.getenv(), System.err);
    }

    /** The same for them and kubectl. */
    public static boolean presentWithKubectl() {
        return present(true, System.getenv(), System.err);
    }

    static boolean present(boolean withKubectl, Map<String, String> environment, PrintStream loud) {
        if (find(environment)
                .filter(found -> !withKubectl || Files.isExecutable(found.kubectl()))
                .isPresent()) {
            return true;
        }
        if ("required".equals(environment.get("FLOTILLA_KUBE"))) {
            throw new IllegalStateException("FLOTILLA_KUBE=required, and there is no Kubernetes test bed (" + VERSIONS
                    + "): testkit/kube/build");
        }
        loud.println(MISSING);
        return false;
    }

    /** Where kubectl is, if it was built too. */
    public Path kubectl() {
        return path(Program.KUBECTL);
    }

    Path path(Program program) {
        return folder.resolve(program.file);
    }
}
