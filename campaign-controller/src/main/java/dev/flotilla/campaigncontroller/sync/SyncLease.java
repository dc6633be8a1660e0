package dev.flotilla.campaigncontroller.sync;

import dev.flotilla.kube.KubeApiClient;
import dev.flotilla.kube.KubeApiPath;
import dev.flotilla.kube.KubeObject;
import dev.flotilla.kube.KubeResponse;
import dev.flotilla.schemas.json.tree.JsonObjectReader;
import java.time.Duration;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Objects;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Lets one of several controllers work: the one that a Lease of the hub cluster names. Another one takes the Lease when it has seen no
 * renewal for the whole duration. Each controller measures that with its own clock, so clocks of machines are never compared. Used by one
 * thread.
 */
public final class SyncLease {
    private static final String API_VERSION = "coordination.k8s.io/v1";
    private static final String NAME = "flotilla-campaign-controller";
    private static final Duration DURATION = Duration.ofSeconds(15);
    private static final Duration RENEW_EVERY = Duration.ofSeconds(5);
    /** A holder that could not renew stops well before another one may take the Lease. */
    private static final Duration HELD_FOR = Duration.ofSeconds(10);

    private static final DateTimeFormatter MICROS =
            DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss.SSSSSS'Z'").withZone(ZoneOffset.UTC);

    private final KubeApiClient api;
    private final String listPath;
    private final String path;
    private final String namespace;
    private final String holder;
    private final InstantSource clock;
    private final LongSupplier nanos;

    /** The version of the Lease that was read last, and since when it has been that one. */
    private String seenVersion = "";

    private long seenAt;
    private @Nullable Long renewedAt;
    private String otherHolder = "";
    private String problem = "";

    /**
     * @param holder a name that no other controller has, nor this one after a restart
     * @param nanos a monotonic clock
     */
    public SyncLease(KubeApiClient api, String namespace, String holder, InstantSource clock, LongSupplier nanos) {
        this.api = api;
        this.namespace = namespace;
        this.holder = holder;
        this.clock = clock;
        this.nanos = nanos;
        this.listPath = KubeApiPath.listPath(API_VERSION, namespace, "leases");
        this.path = listPath + "/" + NAME;
    }

    /** Whether this controller may write now. */
    boolean isHeld() {
        return renewedAt != null && nanos.getAsLong() - renewedAt < HELD_FOR.toNanos();
    }

    /** Takes or renews the Lease if it is time to. Returns whether this controller may work. */
    boolean takeOrRenew() {
        if (renewedAt != null && nanos.getAsLong() - renewedAt < RENEW_EVERY.toNanos()) {
            return true;
        }
        problem = "";
        KubeResponse read = api.get(path);
        if (read instanceof KubeResponse.SuccessResponse success) {
            see(success.object());
        } else if (read.isMissing()) {
            write(null);
        } else {
            problem = read.problem();
        }
        return isHeld();
    }

    private void see(KubeObject lease) {
        if (!lease.resourceVersion().equals(seenVersion)) {
            seenVersion = lease.resourceVersion();
            seenAt = nanos.getAsLong();
        }
        String named = Objects.requireNonNullElse(lease.text("spec", "holderIdentity"), "");
        Long seconds = lease.number("spec", "leaseDurationSeconds");
        Duration duration = seconds == null ? DURATION : Duration.ofSeconds(seconds);
        if (named.equals(holder) || named.isEmpty() || nanos.getAsLong() - seenAt >= duration.toNanos()) {
            write(lease);
        } else {
            renewedAt = null;
            otherHolder = named;
        }
    }

    /**
     * Writes the name of this controller, unless another one was faster.
     *
     * @param lease null to create it
     */
    private void write(@Nullable KubeObject lease) {
        long begin = nanos.getAsLong();
        String now = MICROS.format(clock.instant());
        boolean isRenewal = lease != null && holder.equals(lease.text("spec", "holderIdentity"));
        JsonObjectReader.Builder spec = new JsonObjectReader.Builder()
                .put("holderIdentity", holder)
                .put("leaseDurationSeconds", DURATION.toSeconds())
                .put("renewTime", now);
        if (!isRenewal) {
            Long transitions = lease == null ? null : lease.number("spec", "leaseTransitions");
            spec.put("acquireTime", now).put("leaseTransitions", transitions == null ? 0 : transitions + 1);
        }
        KubeResponse response = lease == null
                ? api.createObject(listPath, body(new JsonObjectReader.Builder().put("name", NAME), spec))
                : api.mergePatch(path, body(version(lease.resourceVersion()), spec));
        if (response instanceof KubeResponse.SuccessResponse success) {
            seenVersion = success.object().resourceVersion();
            seenAt = begin;
            renewedAt = begin;
            otherHolder = "";
        } else if (response.isConflict()) {
            renewedAt = null;
        } else {
            problem = response.problem();
        }
    }

    private static JsonObjectReader.Builder version(String resourceVersion) {
        return new JsonObjectReader.Builder().put("resourceVersion", resourceVersion);
    }

    private JsonObjectReader body(JsonObjectReader.Builder metadata, JsonObjectReader.Builder spec) {
        return new JsonObjectReader.Builder()
                .put("apiVersion", API_VERSION)
                .put("kind", "Lease")
                .put("metadata", metadata.put("namespace", namespace).build())
                .put("spec", spec.build())
                .build();
    }

    /** Gives the Lease up, so that another controller need not wait. */
    void release() {
        if (isHeld()) {
            renewedAt = null;
            api.mergePatch(path, body(version(seenVersion), new JsonObjectReader.Builder().put("holderIdentity", "")));
        }
    }

    /** Returns the name of the controller that works instead; empty if none is known. */
    String otherHolder() {
        return otherHolder;
    }

    /** Returns why the Lease could not be read or written last; empty if it could. */
    String problem() {
        return problem;
    }
}
