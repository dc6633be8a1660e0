package dev.flotilla.nodeworker.pins;

import dev.flotilla.kube.ExpiringCache;
import dev.flotilla.kube.KubeObject;
import dev.flotilla.kube.KubeApiClient;
import dev.flotilla.kube.KubeResponse;
import dev.flotilla.nodeworker.k8sd.Pin;
import dev.flotilla.nodeworker.pins.PinObject.Kind;
import dev.flotilla.schemas.id.ClusterKey;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The pins of a cluster's machines, in one ConfigMap, which is made beforehand: a worker has no right to create objects. Written
 * at first contact and never over another: a node that shows a new certificate is refused until somebody says that it may. A new
 * machine of an old name is a new machine.
 *
 * <p>Earlier versions kept pins in a Secret of the same name. What it says holds, and is copied.
 */
public final class Pins {
    /** Machines of a cluster are met at the same time, by several workers too. */
    private static final int TRIES = 16;

    private static final long KEPT_NANOS = 300_000_000_000L;
    private static final int MOST_KEPT = 500;

    private final KubeApiClient api;
    private final ExpiringCache<ClusterKey, KubeObject> kept;

    public Pins(KubeApiClient api, LongSupplier ticks) {
        this.api = api;
        this.kept = new ExpiringCache<>(MOST_KEPT, KEPT_NANOS, ticks);
    }

    /** What is known of a machine's certificate. */
    public sealed interface Trust {

        /** It must show this one. */
        record Pinned(Pin pin) implements Trust {}

        /** Nobody has seen one yet. */
        record Stranger() implements Trust {}

        /** It cannot be told, or the machine shows another than it should: it gets no token. */
        record None(String why) implements Trust {}
    }

    /** A node is not as is known here: others may have written meanwhile. */
    public void refused(ClusterKey cluster) {
        kept.remove(cluster);
    }

    /** What was pinned when it was read shortly before; else null. */
    public @Nullable Pin kept(ClusterKey cluster, Bearer bearer) {
        KubeObject pins = kept.get(cluster);
        return pins != null && PinObject.of(Kind.CONFIG_MAP, cluster).trust(pins, bearer) instanceof Trust.Pinned pinned
                ? pinned.pin()
                : null;
    }

    /** What is known of what one shows. */
    public Trust of(ClusterKey cluster, Bearer bearer) {
        Pin known = kept(cluster, bearer);
        if (known != null) {
            return new Trust.Pinned(known);
        }
        PinObject pins = PinObject.of(Kind.CONFIG_MAP, cluster);
        return trust(cluster, bearer, pins, api.get(pins.path()));
    }

    /** What the ConfigMap says, or else the Secret of an earlier version. */
    private Trust trust(ClusterKey cluster, Bearer bearer, PinObject pins, KubeResponse read) {
        if (!(read instanceof KubeResponse.SuccessResponse) && !read.isMissing()) {
            return new Trust.None(pins + " cannot be read: " + read.problem());
        }
        if (read instanceof KubeResponse.SuccessResponse successResponse) {
            kept.put(cluster, successResponse.object());
            Trust there = pins.trust(successResponse.object(), bearer);
            if (!(there instanceof Trust.Stranger)) {
                return there;
            }
        }
        return inherited(cluster, bearer, pins, read);
    }

    private Trust inherited(ClusterKey cluster, Bearer bearer, PinObject pins, KubeResponse read) {
        PinObject secret = PinObject.of(Kind.SECRET, cluster);
        KubeResponse old = api.get(secret.path());
        if (old.isMissing()) {
            return new Trust.Stranger();
        }
        if (!(old instanceof KubeResponse.SuccessResponse there)) {
            return new Trust.None(secret + " cannot be read: " + old.problem());
        }
        Trust trust = secret.trust(there.object(), bearer);
        // What is not copied now is copied at the next look.
        if (trust instanceof Trust.Pinned pinned
                && read instanceof KubeResponse.SuccessResponse successResponse
                && api.mergePatch(pins.path(), pins.with(successResponse.object(), bearer, pinned.pin()))
                        instanceof KubeResponse.SuccessResponse copied) {
            kept.put(cluster, copied.object());
        }
        return trust;
    }

    /** One showed a certificate at first contact. What is pinned then is what counts, whoever wrote it. */
    public Trust meet(ClusterKey cluster, Bearer bearer, Pin shown) {
        PinObject pins = PinObject.of(Kind.CONFIG_MAP, cluster);
        for (int i = 0; i < TRIES; i++) {
            KubeResponse read = api.get(pins.path());
            Trust there = trust(cluster, bearer, pins, read);
            if (!(there instanceof Trust.Stranger)) {
                return !(there instanceof Trust.Pinned pinned) || pinned.pin().equals(shown)
                        ? there
                        : new Trust.None(bearer + " shows another certificate than the one that is"
                                + " pinned; if it may, reset its trust");
            }
            if (!(read instanceof KubeResponse.SuccessResponse successResponse)) {
                return new Trust.None(pins + " does not exist in namespace " + cluster.namespace()
                        + "; `flotilla site rbac` prints it for kubectl apply");
            }
            KubeResponse written = api.mergePatch(pins.path(), pins.with(successResponse.object(), bearer, shown));
            if (written instanceof KubeResponse.SuccessResponse now) {
                kept.put(cluster, now.object());
                return new Trust.Pinned(shown);
            }
            if (!written.isConflict()) {
                return new Trust.None(pins + " cannot be written: " + written.problem());
            }
        }
        return new Trust.None(pins + " changes under every try");
    }

    /** Somebody says that one may show a new certificate. Null once it is so; else what went wrong. */
    public @Nullable String reset(ClusterKey cluster, Bearer bearer) {
        // The earlier version's first: while it is there, it holds.
        String problem = reset(cluster, bearer, PinObject.of(Kind.SECRET, cluster));
        return problem == null ? reset(cluster, bearer, PinObject.of(Kind.CONFIG_MAP, cluster)) : problem;
    }

    private @Nullable String reset(ClusterKey cluster, Bearer bearer, PinObject pins) {
        for (int i = 0; i < TRIES; i++) {
            kept.remove(cluster);
            KubeResponse read = api.get(pins.path());
            if (read.isMissing()
                    || (read instanceof KubeResponse.SuccessResponse successResponse && !successResponse.object().has("data", bearer.key()))) {
                return null;
            }
            KubeResponse written = read instanceof KubeResponse.SuccessResponse successResponse
                    ? api.mergePatch(pins.path(), pins.without(successResponse.object(), bearer))
                    : read;
            if (written instanceof KubeResponse.SuccessResponse) {
                return null;
            }
            if (!written.isConflict()) {
                return pins + " cannot be written: " + written.problem();
            }
        }
        return pins + " changes under every try";
    }
}
