package dev.flotilla.nodeworker.management;

import dev.flotilla.kube.Brief;
import dev.flotilla.kube.JsonPatch;
import dev.flotilla.kube.Kube;
import dev.flotilla.kube.KubeApi;
import dev.flotilla.kube.KubePath;
import dev.flotilla.kube.Reply;
import dev.flotilla.kube.ServedVersions;
import dev.flotilla.schemas.id.ClusterKey;
import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.json.tree.JsonObjectReader;
import java.util.Locale;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** Machines, their clusters and their owners, in the version that the management cluster serves. */
public final class Machines {
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

    private final KubeApi api;
    private final Brief<String, Reply> shared;
    private final ServedVersions versions;
    private final Brief<String, Integer> ports;

    public Machines(KubeApi api, LongSupplier ticks) {
        this.api = api;
        this.shared = new Brief<>(MOST_SHARED, SHARED_NANOS, ticks);
        this.versions = new ServedVersions(api);
        this.ports = new Brief<>(MOST_SHARED, PORT_NANOS, ticks);
    }

    /** A Machine as it is now. */
    public Reply machine(MachineKey key) {
        return asked("machines", version -> api.get(path(version, key)));
    }

    /** Changes a Machine. */
    public Reply merge(MachineKey key, JsonObjectReader body) {
        return asked("machines", version -> api.merge(path(version, key), body));
    }

    /** Changes a Machine step by step. */
    public Reply patch(MachineKey key, JsonPatch patch) {
        return asked("machines", version -> api.patch(path(version, key), patch));
    }

    /** The Cluster as it was at most a second ago. */
    public Reply cluster(ClusterKey key) {
        return asked("clusters", version -> shared(KubePath.of(version, key.namespace(), "clusters", key.name())));
    }

    /** What decides how many machines there are of its kind, as it was at most a second ago; null if nothing does. */
    public @Nullable Reply owner(Kube machine) {
        String deployment = machine.label(DEPLOYMENT);
        if (deployment != null) {
            return asked(
                    "machinedeployments",
                    served -> shared(KubePath.of(served, machine.namespace(), "machinedeployments", deployment)));
        }
        Kube owner = machine.controller();
        String version = owner == null ? null : owner.text("apiVersion");
        String kind = owner == null ? null : owner.text("kind");
        String name = owner == null ? null : owner.text("name");
        if (version == null || kind == null || name == null) {
            return null;
        }
        // The version of the reference may be one that is not served any more.
        String plural = kind.toLowerCase(Locale.ROOT) + "s";
        return versions.asked(
                version.substring(0, Math.max(0, version.indexOf('/'))),
                plural,
                served -> shared(KubePath.of(served, machine.namespace(), plural, name)));
    }

    /** Where a machine's k8sd listens. */
    public sealed interface K8sdPort {

        /**
         * There.
         *
         * @param borrowed whether another machine of its owner was said to listen there, and not this one
         */
        record At(int port, boolean borrowed) implements K8sdPort {}

        /** Nobody can say. */
        record Unknown(String why) implements K8sdPort {}
    }

    /** What was said of another machine of its owner, or else of itself. */
    public K8sdPort likelyPort(Kube machine, int usual) {
        Integer known = ports.get(siblings(machine));
        return known == null ? k8sdPort(machine, usual) : new K8sdPort.At(known, true);
    }

    private static String siblings(Kube machine) {
        String deployment = machine.label(DEPLOYMENT);
        Kube owner = machine.controller();
        return machine.namespace() + "/"
                + (deployment != null ? deployment : owner == null ? machine.uid() : owner.text("uid"));
    }

    /**
     * What a machine's CK8sConfig says of its k8sd's port. Where there is no such object, or it does not say, the usual one.
     */
    public K8sdPort k8sdPort(Kube machine, int usual) {
        Kube ref = machine.part("spec", "bootstrap", "configRef");
        String name = ref.text("name");
        if (name == null || !CONFIG.equals(ref.text("kind"))) {
            return new K8sdPort.At(usual, false);
        }
        Reply read = versions.asked(
                CONFIG_GROUP,
                "ck8sconfigs",
                served -> api.get(KubePath.of(served, machine.namespace(), "ck8sconfigs", name)));
        if (!(read instanceof Reply.Done) && !read.isMissing()) {
            return new K8sdPort.Unknown(CONFIG + " " + name + " cannot be read: " + read.problem());
        }
        Long said = read instanceof Reply.Done done
                ? done.object().whole("spec", "controlPlane", "microclusterPort")
                : null;
        if (said != null && (said < 1 || said > MOST_PORT)) {
            return new K8sdPort.Unknown(
                    CONFIG + " " + name + " says that k8sd listens at " + said + ", which is no port");
        }
        int port = said == null ? usual : said.intValue();
        ports.put(siblings(machine), port);
        return new K8sdPort.At(port, false);
    }

    /** All rules for draining machines of a namespace. */
    public Reply drainRules(String namespace) {
        return asked("machinedrainrules", version -> api.get(KubePath.of(version, namespace, "machinedrainrules")));
    }

    private Reply shared(String path) {
        Reply kept = shared.get(path);
        if (kept != null) {
            return kept;
        }
        Reply read = api.get(path);
        if (read instanceof Reply.Done) {
            shared.put(path, read);
        }
        return read;
    }

    private static String path(String version, MachineKey key) {
        return KubePath.of(version, key.namespace(), "machines", key.name());
    }

    private Reply asked(String kinds, Function<String, Reply> request) {
        return versions.asked(GROUP, kinds, request);
    }
}
