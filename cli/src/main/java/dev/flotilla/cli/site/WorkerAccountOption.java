package dev.flotilla.cli.site;

import dev.flotilla.schemas.id.NameValidator;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The option that names the service account of a site's node-workers. */
public final class WorkerAccountOption {
    @Option(
            names = "--service-account",
            paramLabel = "NAMESPACE/NAME",
            description = "Service account of the workers. Default: ${DEFAULT-VALUE}.")
    private String serviceAccount = "flotilla/flotilla-node-worker";

    /** Returns the account; null, and one more problem, if the option names none. */
    public @Nullable ServiceAccount parse(List<String> problems) {
        int slash = serviceAccount.indexOf('/');
        String namespace = serviceAccount.substring(0, Math.max(0, slash));
        String name = serviceAccount.substring(slash + 1);
        if (NameValidator.problemOfLabel(namespace) != null || NameValidator.problemOfSubdomain(name) != null) {
            problems.add("--service-account \"" + serviceAccount + "\" is not a service account: write"
                    + " <namespace>/<name>");
            return null;
        }
        return new ServiceAccount(namespace, name);
    }
}
