package dev.flotilla.cli.allinone;

import dev.flotilla.clusterapi.config.ManagementClusterConfig;
import dev.flotilla.kube.FlotillaResourceDefinitions;
import dev.flotilla.kube.KubeApiClient;
import dev.flotilla.kube.KubeApiPath;
import dev.flotilla.kube.KubeObject;
import dev.flotilla.kube.KubeResponse;
import dev.flotilla.schemas.json.tree.DocumentLimits;
import dev.flotilla.schemas.json.tree.JsonObjectReader;
import dev.flotilla.schemas.json.tree.ParseResult;
import dev.flotilla.schemas.json.tree.YamlReader;
import dev.flotilla.schemas.row.NodeUpgradeTemplateRef;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Checks the management cluster, installs what Flotilla needs in it, and counts what it has. */
final class ManagementClusterSetup {
    /** The name of the template whose NodeUpgrades are only simulated. */
    static final String SIMULATED_TEMPLATE = "simulated";

    private static final String EXTENSION_NAMESPACE = ManagementClusterConfig.DEFAULT.namespace();
    private static final String MANAGED_FIELDS = "?fieldManager=flotilla-all-in-one&force=true";
    private static final String VERSION = "flotilla.dev/v1alpha1";
    private static final String CLUSTER_API = "cluster.x-k8s.io/v1beta2";
    private static final String DEFINITIONS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/";
    private static final int MAX_OBJECTS = 100_000;
    private static final Duration SERVED_TIMEOUT = Duration.ofSeconds(30);
    private static final Duration POLL = Duration.ofMillis(200);

    private final KubeApiClient api;
    private final Path kubeconfig;

    ManagementClusterSetup(KubeApiClient api, Path kubeconfig) {
        this.api = api;
        this.kubeconfig = kubeconfig;
    }

    /** Checks that the API server answers and serves Cluster API. */
    void checkReachable() throws AllInOneException {
        KubeResponse version = api.get("/version");
        if (!(version instanceof KubeResponse.SuccessResponse)) {
            throw new AllInOneException("the API server " + api.root() + " of " + kubeconfig + " cannot be reached: "
                    + version.problem() + ". Check it with: kubectl --kubeconfig " + kubeconfig + " version");
        }
        KubeResponse served = api.get("/apis/" + CLUSTER_API);
        if (!(served instanceof KubeResponse.SuccessResponse)) {
            throw new AllInOneException("the cluster at " + api.root() + " does not serve " + CLUSTER_API
                    + (served.isMissing() ? "" : " (" + served.problem() + ")")
                    + ": name a management cluster of Cluster API, 1.11 or newer, or install it with: clusterctl init");
        }
    }

    /** Installs Flotilla's CRDs, and waits until they are served. */
    void installDefinitions() throws AllInOneException, InterruptedException {
        for (Map.Entry<String, String> each :
                FlotillaResourceDefinitions.manifests().entrySet()) {
            apply(DEFINITIONS + each.getKey(), "CRD " + each.getKey(), parse(each.getValue()));
        }
        requireDefinitions(SERVED_TIMEOUT);
    }

    /** Waits until all of Flotilla's kinds are served. */
    void requireDefinitions(Duration timeout) throws AllInOneException, InterruptedException {
        long end = System.nanoTime() + timeout.toNanos();
        for (String name : FlotillaResourceDefinitions.manifests().keySet()) {
            String path = KubeApiPath.listPath(VERSION, name.substring(0, name.indexOf('.'))) + "?limit=1";
            KubeResponse read = api.get(path);
            while (!(read instanceof KubeResponse.SuccessResponse)) {
                if (read.isForbidden()) {
                    throw new AllInOneException("CRD " + name + " cannot be read: " + read.problem()
                            + ". Use a kubeconfig whose user may read and write " + VERSION
                            + ", such as an administrator's");
                }
                if (System.nanoTime() >= end) {
                    throw new AllInOneException("CRD " + name + " is not served"
                            + (read.isMissing() ? "" : ": " + read.problem())
                            + ". Install it with: kubectl apply -f deploy/crds");
                }
                Thread.sleep(POLL);
                read = api.get(path);
            }
        }
    }

    /** Creates the namespace in which the Cluster API extension keeps the key of its hashes. */
    void createExtensionNamespace() throws AllInOneException {
        apply("/api/v1/namespaces/" + EXTENSION_NAMESPACE, "Namespace " + EXTENSION_NAMESPACE, parse("""
                        apiVersion: v1
                        kind: Namespace
                        metadata:
                          name: %s
                        """.formatted(
                        EXTENSION_NAMESPACE)));
    }

    /** Creates the template of simulated NodeUpgrades in the namespaces that have machines. */
    void createSimulatedTemplates() throws AllInOneException {
        for (String namespace : readMachines().namespaces()) {
            apply(
                    KubeApiPath.groupObject(VERSION, namespace, "nodeupgradetemplates", SIMULATED_TEMPLATE),
                    "NodeUpgradeTemplate " + namespace + "/" + SIMULATED_TEMPLATE,
                    parse("""
                            apiVersion: flotilla.dev/v1alpha1
                            kind: NodeUpgradeTemplate
                            metadata:
                              name: %1$s
                              namespace: %2$s
                            spec:
                              template:
                                spec:
                                  plan: %1$s
                            """.formatted(SIMULATED_TEMPLATE, namespace)));
        }
    }

    /** What the management cluster has. */
    record FoundMachines(int clusters, int machines, SortedSet<String> namespaces) {}

    FoundMachines readMachines() throws AllInOneException {
        int[] clusters = {0};
        int[] machines = {0};
        SortedSet<String> namespaces = new TreeSet<>();
        forEach(CLUSTER_API, "clusters", cluster -> clusters[0]++);
        forEach(CLUSTER_API, "machines", machine -> {
            machines[0]++;
            namespaces.add(machine.namespace());
        });
        return new FoundMachines(clusters[0], machines[0], namespaces);
    }

    /** The template that all namespaces with templates have; null if there is none, or if there are several names. */
    @Nullable
    NodeUpgradeTemplateRef findOnlyTemplate() throws AllInOneException {
        SortedSet<String> names = new TreeSet<>();
        forEach(VERSION, "nodeupgradetemplates", template -> names.add(template.name()));
        return names.size() == 1 ? template(names.getFirst()) : null;
    }

    static NodeUpgradeTemplateRef template(String name) {
        return new NodeUpgradeTemplateRef(VERSION, "NodeUpgradeTemplate", name);
    }

    private void forEach(String version, String kinds, Consumer<KubeObject> taker) throws AllInOneException {
        String path = KubeApiPath.listPath(version, kinds);
        String problem = api.forEachObject(path, "", MAX_OBJECTS, taker);
        if (problem != null) {
            throw new AllInOneException("the " + kinds + " of " + api.root() + " cannot be read: " + problem
                    + (api.readListVersion(path).isForbidden()
                            ? ". Use a kubeconfig whose user may read and write them, such as an administrator's"
                            : ""));
        }
    }

    private void apply(String path, String what, JsonObjectReader object) throws AllInOneException {
        KubeResponse response = api.serverSideApply(path + MANAGED_FIELDS, object);
        if (!(response instanceof KubeResponse.SuccessResponse)) {
            throw new AllInOneException(what + " cannot be applied: " + response.problem()
                    + (response.isForbidden()
                            ? ". Use a kubeconfig that may do so, or apply deploy/crds yourself and give --no-crds"
                            : ""));
        }
    }

    private static JsonObjectReader parse(String yaml) {
        if (YamlReader.read(yaml, DocumentLimits.SPECIFICATION_BYTES) instanceof ParseResult.ParsedDocument document
                && document.value() instanceof JsonObjectReader object) {
            return object;
        }
        throw new IllegalStateException("a manifest of this build is not YAML");
    }
}
