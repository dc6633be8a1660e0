package dev.flotilla.testkit.helm;

import dev.flotilla.testkit.kube.KubeBinaries;
import dev.flotilla.testkit.process.LocalProgram;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/**
 * helm, in the folder in which {@code testkit/helm/build} puts it. A test that needs it and a real API server is annotated with
 * {@code @EnabledIf(value = HelmBinary.PRESENT, disabledReason = HelmBinary.MISSING)}: without them it is skipped and a line on standard
 * error says so; with {@code FLOTILLA_KUBE=required} it fails.
 */
public record HelmBinary(Path program) {
    /** The method with which JUnit checks whether helm and the programs of Kubernetes are present. */
    public static final String PRESENT = "dev.flotilla.testkit.helm.HelmBinary#present";

    public static final String MISSING =
            "SKIPPED: helm or the Kubernetes test bed is not built; build them once with testkit/helm/build and testkit/kube/build";

    /** The version in the go.mod beside the script. */
    static final String VERSION = "helm-3.22.0";

    /** The program, or empty if it is not built. */
    public static Optional<HelmBinary> find() {
        return find(System.getenv());
    }

    static Optional<HelmBinary> find(Map<String, String> environment) {
        return LocalProgram.findInCache(environment, "helm", VERSION, "helm").map(HelmBinary::new);
    }

    /** Whether helm and a Kubernetes with kubectl are present. Prints a line if not, and throws if they are required. */
    public static boolean present() {
        return present(System.getenv(), System.err) && KubeBinaries.presentWithKubectl();
    }

    static boolean present(Map<String, String> environment, PrintStream err) {
        return LocalProgram.isPresent(find(environment).isPresent(), "FLOTILLA_KUBE", MISSING, environment, err);
    }
}
