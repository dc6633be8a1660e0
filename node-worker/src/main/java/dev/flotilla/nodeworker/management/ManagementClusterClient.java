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
import java.util.Locale;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** Machines, their clusters and their owners, in the version that the management cluster serves. */
public final class ManagementClusterClient {
    private static final String GROUP = "cluster.x-k8s.io";
    private static final String CONFIG = "CK8sConfig";
    private static final String CONFIG_GROUP = "bootstrap.cluster.x-k8s.io";
    private static final String DEPLOYMENT = "cluster.x-k8s.io/deployment-name";

    /**
     * Clusters and owners stay valid for so long: less than the command delay, in which a freeze may still be overtaken.
     * Machines that start together share the reads.
     */
    private static final long SHARED_NANOS = 900_000_000L;

    private static final int MOST_SHARED = 1_000;
    private static final int MOST_PORT = 65_535;

    /** Machines of one owner listen at the same port, and are upgraded one after the other. */
    private static final long PORT_NANOS = 3_600_000_000_000L;

    private final KubeApiClient api;
    private final ExpiringCache<String, KubeResponse> shared;
    private final ServedApiVersions versions;
    private final ExpiringCache<String, Integer> ports;

    public ManagementClusterClient(KubeApiClient api, LongSupplier ticks) {
        this.api = api;
        this.shared = new ExpiringCache<>(MOST_SHARED, SHARED_NANOS, ticks);
        this.versions = new ServedApiVersions(api);
        this.ports = new ExpiringCache<>(MOST_SHARED, PORT_NANOS, ticks);
    }

    /** A Machine as it is now. */
    public KubeResponse machine(MachineKey key) {
        return asked("machines", version -> api.get(path(version, key)));
    }

    /** Changes a Machine. */
    public KubeResponse mergePatchMachine(MachineKey key, JsonObjectReader body) {
        return asked("machines", version -> api.mergePatch(path(version, key), body));
    }

    /** Changes a Machine step by step. */
    public KubeResponse jsonPatchMachine(MachineKey key, JsonPatchBuilder patch) {
        return asked("machines", version -> api.jsonPatch(path(version, key), patch));
    }

    /** The Cluster as it was at most a second ago. */
    public KubeResponse cluster(ClusterKey key) {
        return asked(
                "clusters",
                version -> shared(KubeApiPath.groupObject(version, key.namespace(), "clusters", key.name())));
    }

    /** What decides how many machines there are of its kind, as it was at most a second ago; null if nothing does. */
    public @Nullable KubeResponse owner(KubeObject machine) {
        String deployment = machine.label(DEPLOYMENT);
        if (deployment != null) {
            return asked(
                    "machinedeployments",
                    served -> shared(
                            KubeApiPath.groupObject(served, machine.namespace(), "machinedeployments", deployment)));
        }
        KubeObject owner = machine.controller();
        String version = owner == null ? null : owner.text("apiVersion");
        String kind = owner == null ? null : owner.text("kind");
        String name = owner == null ? null : owner.text("name");
        if (version == null || kind == null || name == null) {
            return null;
        }
        // The version of the reference may be one that is not served any more.
        String plural = kind.toLowerCase(Locale.ROOT) + "s";
        return versions.requestWithVersion(
                version.substring(0, Math.max(0, version.indexOf('/'))),
                plural,
                served -> shared(KubeApiPath.groupObject(served, machine.namespace(), plural, name)));
    }

    /** Where a machine's k8sd listens. */
    public sealed interface K8sdPortResult {

        /**
         * There.
         *
         * @param fromOtherMachine whether another machine of its owner was said to listen there, and not this one
         */
        record KnownPort(int port, boolean fromOtherMachine) implements K8sdPortResult {}

        /** Nobody can say. */
        record UnknownPort(String reason) implements K8sdPortResult {}
    }

    /** What was said of another machine of its owner, or else of itself. */
    public K8sdPortResult likelyPort(KubeObject machine, int usual) {
        Integer known = ports.get(siblings(machine));
        return known == null ? k8sdPort(machine, usual) : new K8sdPortResult.KnownPort(known, true);
    }

    private static String siblings(KubeObject machine) {
        String deployment = machine.label(DEPLOYMENT);
        KubeObject owner = machine.controller();
        return machine.namespace() + "/"
                + (deployment != null ? deployment : owner == null ? machine.uid() : owner.text("uid"));
    }

    /**
     * What a machine's CK8sConfig says of its k8sd's port. Where there is no such object, or it does not say, the usual one.
     */
    public K8sdPortResult k8sdPort(KubeObject machine, int usual) {
        KubeObject ref = machine.object("spec", "bootstrap", "configRef");
        String name = ref.text("name");
        if (name == null || !CONFIG.equals(ref.text("kind"))) {
            return new K8sdPortResult.KnownPort(usual, false);
        }
        KubeResponse read = versions.requestWithVersion(
                CONFIG_GROUP,
                "ck8sconfigs",
                served -> api.get(KubeApiPath.groupObject(served, machine.namespace(), "ck8sconfigs", name)));
        if (!(read instanceof KubeResponse.SuccessResponse) && !read.isMissing()) {
            return new K8sdPortResult.UnknownPort(CONFIG + " " + name + " cannot be read: " + read.problem());
        }
        Long said = read instanceof KubeResponse.SuccessResponse successResponse
                ? successResponse.object().number("spec", "controlPlane", "microclusterPort")
                : null;
        if (said != null && (said < 1 || said > MOST_PORT)) {
            return new K8sdPortResult.UnknownPort(
                    CONFIG + " " + name + " says that k8sd listens at " + said + ", which is no port");
        }
        int port = said == null ? usual : said.intValue();
        ports.put(siblings(machine), port);
        return new K8sdPortResult.KnownPort(port, false);
    }

    /** All rules for draining machines of a namespace. */
    public KubeResponse drainRules(String namespace) {
        return asked(
                "machinedrainrules",
                version -> api.get(KubeApiPath.groupObject(version, namespace, "machinedrainrules")));
    }

    private KubeResponse shared(String path) {
        KubeResponse kept = shared.get(path);
        if (kept != null) {
            return kept;
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

    private KubeResponse asked(String kinds, Function<String, KubeResponse> request) {
        return versions.requestWithVersion(GROUP, kinds, request);
    }
}
