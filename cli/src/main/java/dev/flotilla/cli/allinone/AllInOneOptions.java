package dev.flotilla.cli.allinone;

import dev.flotilla.cli.terminal.JsonFileOption;
import dev.flotilla.runtime.config.HostPort;
import dev.flotilla.schemas.id.NameValidator;
import dev.flotilla.schemas.id.SiteId;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Options of {@code flotilla all-in-one}, and what is wrong with them. */
final class AllInOneOptions {
    private static final String HOME = System.getProperty("user.home", ".");

    @Option(
            names = "--kubeconfig",
            paramLabel = "FILE",
            description = "Kubeconfig of the management cluster. Required.")
    private @Nullable Path kubeconfig;

    @Option(
            names = "--site",
            paramLabel = "NAME",
            description = "Name of the site: lower-case letters, digits and '-'. Default: ${DEFAULT-VALUE}.")
    private String site = "local";

    @Option(
            names = "--data",
            paramLabel = "DIR",
            description = "Folder of the broker's data and of all logs. A later start with the same folder goes on."
                    + " Default: ~/.local/share/flotilla.")
    private Path data = Path.of(HOME, ".local", "share", "flotilla");

    @Option(
            names = "--listen",
            paramLabel = "HOST:PORT",
            description = "Address of the live page and the API. Default: a free port of 127.0.0.1.")
    private String listen = "127.0.0.1:0";

    @Option(
            names = "--upgrader",
            paramLabel = "MODE",
            completionCandidates = UpgraderNames.class,
            description = "What fulfils NodeUpgrades: jobs (default), a node-upgrader that runs Jobs on the nodes; or"
                    + " simulated, for labs whose clusters have no kubelets: it writes the version onto the Node, and"
                    + " nothing is upgraded.")
    private String upgrader = NodeUpgraderMode.JOBS.label();

    @Option(names = "--no-crds", description = "Install no CRDs; they must be there: deploy/crds.")
    private boolean noCrds;

    @Option(
            names = "--no-roles",
            description = "Install no roles in the workload clusters; they must be there: rbac-workload.yaml in"
                    + " deploy/node-worker and deploy/node-upgrader.")
    private boolean noRoles;

    @Option(
            names = "--endpoints",
            paramLabel = "FILE",
            description = "Write the addresses of all processes to FILE, as JSON, as soon as everything is ready.")
    private @Nullable String endpoints;

    @Option(
            names = "--extension-listen",
            paramLabel = "HOST:PORT",
            description =
                    "Address of Cluster API's extension, for in-place updates that Cluster API drives. Default: no"
                            + " extension. Register it with an ExtensionConfig: docs/cluster-api.md.")
    private @Nullable String extensionListen;

    @Option(
            names = "--extension-cert",
            paramLabel = "FILE",
            description = "The extension's certificate, PEM, for the name in the ExtensionConfig's URL.")
    private @Nullable Path extensionCert;

    @Option(names = "--extension-key", paramLabel = "FILE", description = "The key of that certificate, PEM (PKCS 8).")
    private @Nullable Path extensionKey;

    /** What a shell completes. */
    static final class UpgraderNames implements Iterable<String> {
        @Override
        public Iterator<String> iterator() {
            return Stream.of(NodeUpgraderMode.values())
                    .map(NodeUpgraderMode::label)
                    .iterator();
        }
    }

    /** Finds all problems. */
    List<String> findProblems() {
        List<String> problems = new ArrayList<>();
        problems.addAll(findExtensionProblems());
        Path file = kubeconfig;
        if (file == null) {
            problems.add("--kubeconfig FILE is missing: name the kubeconfig of the management cluster");
        } else if (!Files.isReadable(file) || Files.isDirectory(file)) {
            problems.add("--kubeconfig " + file + " cannot be read: there is no such file, or it is not yours");
        }
        String siteProblem = NameValidator.problemOfOwnName(site);
        if (siteProblem != null) {
            problems.add("--site \"" + site + "\" " + siteProblem);
        }
        String listenProblem = findListenProblem(listen);
        if (listenProblem != null) {
            problems.add("--listen " + listenProblem);
        }
        if (List.of(NodeUpgraderMode.values()).stream()
                .noneMatch(mode -> mode.label().equals(upgrader))) {
            problems.add("--upgrader " + upgrader + " is unknown: use jobs or simulated");
        }
        if (Files.exists(data) && !(Files.isDirectory(data) && Files.isWritable(data))) {
            problems.add("--data " + data + " is not a folder that you can write to");
        }
        String unwritable = endpoints == null ? null : JsonFileOption.findProblem("--endpoints", endpoints);
        if (unwritable != null) {
            problems.add(unwritable);
        }
        return problems;
    }

    private List<String> findExtensionProblems() {
        List<String> problems = new ArrayList<>();
        String address = extensionListen;
        if (address == null) {
            if (extensionCert != null || extensionKey != null) {
                problems.add("--extension-listen HOST:PORT is missing: --extension-cert and --extension-key are of the"
                        + " extension");
            }
            return problems;
        }
        String listenProblem = findListenProblem(address);
        if (listenProblem != null) {
            problems.add("--extension-listen " + listenProblem);
        }
        if (extensionCert == null || !Files.isReadable(extensionCert)) {
            problems.add("--extension-cert "
                    + (extensionCert == null ? "FILE is missing" : extensionCert + " cannot be read")
                    + ": Cluster API calls extensions with TLS only");
        }
        if (extensionKey == null || !Files.isReadable(extensionKey)) {
            problems.add(
                    "--extension-key " + (extensionKey == null ? "FILE is missing" : extensionKey + " cannot be read")
                            + ": name the key of the certificate");
        }
        return problems;
    }

    /** Finds out whether a process can listen there, before anything is installed; null if it can. */
    private static @Nullable String findListenProblem(String listen) {
        try {
            HostPort address = HostPort.parse(listen);
            try (ServerSocket socket = new ServerSocket()) {
                socket.bind(new InetSocketAddress(address.host(), address.port()));
                return null;
            }
        } catch (IllegalArgumentException e) {
            return e.getMessage();
        } catch (IOException e) {
            return listen + " cannot be used (" + e.getMessage() + "): name another port, or end what listens there";
        }
    }

    Path kubeconfig() {
        Path file = kubeconfig;
        if (file == null) {
            throw new IllegalStateException("--kubeconfig is missing");
        }
        return file.toAbsolutePath();
    }

    /** The kubeconfig as the user has named it, for commands to try. */
    String kubeconfigAsTyped() {
        return String.valueOf(kubeconfig);
    }

    SiteId site() {
        return new SiteId(site);
    }

    Path data() {
        return data.toAbsolutePath();
    }

    String listen() {
        return listen;
    }

    NodeUpgraderMode upgrader() {
        return upgrader.equals(NodeUpgraderMode.SIMULATED.label()) ? NodeUpgraderMode.SIMULATED : NodeUpgraderMode.JOBS;
    }

    /** The extension of Cluster API that was asked for; null for none. */
    @Nullable
    ExtensionOptions extension() {
        return extensionListen == null || extensionCert == null || extensionKey == null
                ? null
                : new ExtensionOptions(extensionListen, extensionCert.toAbsolutePath(), extensionKey.toAbsolutePath());
    }

    /** Where Cluster API's extension listens, and its certificate. */
    record ExtensionOptions(String listen, Path cert, Path key) {}

    boolean installsCrds() {
        return !noCrds;
    }

    boolean installsRoles() {
        return !noRoles;
    }

    @Nullable
    String endpoints() {
        return endpoints;
    }
}
