package dev.flotilla.nodeworker.hands;

import dev.flotilla.kube.KubeObject;
import dev.flotilla.kube.KubeResponse;
import dev.flotilla.schemas.id.ClusterKey;
import dev.flotilla.schemas.id.NameValidator;
import org.jspecify.annotations.Nullable;

/** Where an attempt's machine is: what its Machine says that does not change while it lives, remembered to save a read. */
final class Whereabouts {
    private final Site site;
    private final Errand errand;
    private volatile @Nullable Known known;

    Whereabouts(Site site, Errand errand) {
        this.site = site;
        this.errand = errand;
    }

    /**
     * A machine that is there.
     *
     * @param machine as it was seen last
     * @param address of its node; null before the node was seen
     */
    record Known(
            KubeObject machine,
            ClusterKey cluster,
            String node,
            @Nullable String address) {}

    /** What came of looking for it. */
    sealed interface Found {
        record It(Known known) implements Found {}

        record Gone() implements Found {}

        record Dark(String text) implements Found {}
    }

    /** Looks for it. */
    Found find() {
        KubeResponse reply = site.machines.machine(errand.key());
        if (reply.isMissing()) {
            return new Found.Gone();
        }
        if (!(reply instanceof KubeResponse.SuccessResponse successResponse)) {
            return new Found.Dark("the management cluster does not tell of the machine: " + reply.problem());
        }
        KubeObject machine = successResponse.object();
        if (!machine.uid().equals(errand.uid())) {
            return new Found.Gone();
        }
        String cluster = machine.text("spec", "clusterName");
        String node = machine.text("status", "nodeRef", "name");
        if (cluster == null || node == null) {
            return new Found.Dark("the machine has no node yet");
        }
        if (NameValidator.problemOfSubdomain(cluster) != null || NameValidator.problemOfSubdomain(node) != null) {
            return new Found.Dark("the machine names a cluster or a node that has no right name");
        }
        Known it = new Known(
                machine, new ClusterKey(errand.key().site(), errand.key().namespace(), cluster), node, null);
        known = it;
        return new Found.It(it);
    }

    /** As it was found, or finds it. */
    Found remembered() {
        Known it = known;
        return it == null ? find() : new Found.It(it);
    }

    /** As it was found; null before. */
    @Nullable
    Known known() {
        return known;
    }

    @Nullable
    ClusterKey cluster() {
        Known it = known;
        return it == null ? null : it.cluster();
    }

    @Nullable
    String address() {
        Known it = known;
        return it == null ? null : it.address();
    }

    void address(Known it, @Nullable String address) {
        known = new Known(it.machine(), it.cluster(), it.node(), address);
    }

    void machine(Known it, KubeObject machine) {
        known = new Known(machine, it.cluster(), it.node(), it.address());
    }
}
