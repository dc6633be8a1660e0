package dev.flotilla.nodeworker.management;

import dev.flotilla.kube.ExpiringCache;
import dev.flotilla.kube.JsonPatchBuilder;
import dev.flotilla.kube.KubeApiClient;
import dev.flotilla.kube.KubeApiPath;
import dev.flotilla.kube.KubeObject;
import dev.flotilla.kube.KubeResponse;
import dev.flotilla.kube.ServedApiVersions;
import dev.flotilla.schemas.id.ClusterKey;
import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.json.tree.JsonObjectReader;
import dev.flotilla.schemas.kube.LabelKeys;
import java.util.Locale;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Reads and patches Machines, and reads their Clusters and owners, in the version that the management cluster serves.
 */
public final class ManagementClusterClient {
    private static final String GROUP = "cluster.x-k8s.io";
    private static final String CONFIG = "CK8sConfig";
    private static final String CONFIG_GROUP = "bootstrap.cluster.x-k8s.io";

    /**
     * Clusters and owners are cached for this time: shorter than the command delay, in which a freeze may still be too
     * late. Machines that start together share the reads.
     */
    private static final long SHARED_NANOS = 900_000_000L;

    private static final int MAX_CACHED = 1_000;
    private static final int MAX_PORT = 65_535;

    /**
     * Ports are cached for this time, because machines of one owner use the same port and are upgraded one after
     * another.
     */
    private static final long PORT_NANOS = 3_600_000_000_000L;

    private final KubeApiClient api;
    private final ExpiringCache<String, KubeResponse> shared;
    private final ServedApiVersions versions;
    private final ExpiringCache<String, Integer> ports;

    public ManagementClusterClient(KubeApiClient api, LongSupplier ticks) {
        this.api = api;
        this.shared = new ExpiringCache<>(MAX_CACHED, SHARED_NANOS, ticks);
        this.versions = new ServedApiVersions(api);
        this.ports = new ExpiringCache<>(MAX_CACHED, PORT_NANOS, ticks);
    }

    /** Reads a Machine. */
    public KubeResponse machine(MachineKey key) {
        return request("machines", version -> api.get(path(version, key)));
    }

    /** Merge-patches a Machine. */
    public KubeResponse mergePatchMachine(MachineKey key, JsonObjectReader body) {
        return request("machines", version -> api.mergePatch(path(version, key), body));
    }

    /** Patches a Machine with a JSON patch. */
    public KubeResponse jsonPatchMachine(MachineKey key, JsonPatchBuilder patch) {
        return request("machines", version -> api.jsonPatch(path(version, key), patch));
    }

    /** Reads the Cluster, cached for less than a second. */
    public KubeResponse cluster(ClusterKey key) {
        return request(
                "clusters",
                version -> readCached(KubeApiPath.groupObject(version, key.namespace(), "clusters", key.name())));
    }

    /** Reads the owner that sets the number of machines, cached for less than a second; null for none. */
    public @Nullable KubeResponse owner(KubeObject machine) {
        String deployment = machine.label(LabelKeys.DEPLOYMENT_NAME);
        if (deployment != null) {
            return request(
                    "machinedeployments",
                    served -> readCached(
                            KubeApiPath.groupObject(served, machine.namespace(), "machinedeployments", deployment)));
        }
        KubeObject owner = machine.controller();
        String version = owner == null ? null : owner.text("apiVersion");
        String kind = owner == null ? null : owner.text("kind");
        String name = owner == null ? null : owner.text("name");
        if (version == null || kind == null || name == null) {
            return null;
        }
        // The version in the owner reference may not be served any more.
        String plural = kind.toLowerCase(Locale.ROOT) + "s";
        return versions.requestWithVersion(
                version.substring(0, Math.max(0, version.indexOf('/'))),
                plural,
                served -> readCached(KubeApiPath.groupObject(served, machine.namespace(), plural, name)));
    }

    /** Result of finding the port of a machine's k8sd. */
    public sealed interface K8sdPortResult {

        /**
         * The port is known.
         *
         * @param fromOtherMachine whether it is the port of another machine of the same owner
         */
        record KnownPort(int port, boolean fromOtherMachine) implements K8sdPortResult {}

        /** The port cannot be determined. */
        record UnknownPort(String reason) implements K8sdPortResult {}
    }

    /** Returns the port of another machine of the owner, or else of the machine itself. */
    public K8sdPortResult likelyPort(KubeObject machine, int defaultPort) {
        Integer known = ports.get(ownerId(machine));
        return known == null ? k8sdPort(machine, defaultPort) : new K8sdPortResult.KnownPort(known, true);
    }

    private static String ownerId(KubeObject machine) {
        String deployment = machine.label(LabelKeys.DEPLOYMENT_NAME);
        KubeObject owner = machine.controller();
        return machine.namespace() + "/"
                + (deployment != null ? deployment : owner == null ? machine.uid() : owner.text("uid"));
    }

    /** Reads the port of k8sd from a machine's CK8sConfig; the default port if there is none or it has no port. */
    public K8sdPortResult k8sdPort(KubeObject machine, int defaultPort) {
        KubeObject ref = machine.object("spec", "bootstrap", "configRef");
        String name = ref.text("name");
        if (name == null || !CONFIG.equals(ref.text("kind"))) {
            return new K8sdPortResult.KnownPort(defaultPort, false);
        }
        KubeResponse read = versions.requestWithVersion(
                CONFIG_GROUP,
                "ck8sconfigs",
                served -> api.get(KubeApiPath.groupObject(served, machine.namespace(), "ck8sconfigs", name)));
        if (!(read instanceof KubeResponse.SuccessResponse) && !read.isMissing()) {
            return new K8sdPortResult.UnknownPort(CONFIG + " " + name + " cannot be read: " + read.problem());
        }
        Long configured = read instanceof KubeResponse.SuccessResponse successResponse
                ? successResponse.object().number("spec", "controlPlane", "microclusterPort")
                : null;
        if (configured != null && (configured < 1 || configured > MAX_PORT)) {
            return new K8sdPortResult.UnknownPort(CONFIG + " " + name + " has the port " + configured
                    + " for k8sd, which is not between 1 and " + MAX_PORT);
        }
        int port = configured == null ? defaultPort : configured.intValue();
        ports.put(ownerId(machine), port);
        return new K8sdPortResult.KnownPort(port, false);
    }

    /** Lists the drain rules of a namespace. */
    public KubeResponse drainRules(String namespace) {
        return request(
                "machinedrainrules",
                version -> api.get(KubeApiPath.groupObject(version, namespace, "machinedrainrules")));
    }

    private KubeResponse readCached(String path) {
        KubeResponse cached = shared.get(path);
        if (cached != null) {
            return cached;
        }
        KubeResponse read = api.get(path);
        if (read instanceof KubeResponse.SuccessResponse) {
            shared.put(path, read);
        }
        return read;
    }

    private static String path(String version, MachineKey key) {
        return KubeApiPath.groupObject(version, key.namespace(), "machines", key.name());
    }

    private KubeResponse request(String kinds, Function<String, KubeResponse> request) {
        return versions.requestWithVersion(GROUP, kinds, request);
    }
}
