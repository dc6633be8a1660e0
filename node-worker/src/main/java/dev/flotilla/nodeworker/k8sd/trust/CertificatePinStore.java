package dev.flotilla.nodeworker.k8sd.trust;

import dev.flotilla.kube.ExpiringCache;
import dev.flotilla.kube.KubeApiClient;
import dev.flotilla.kube.KubeObject;
import dev.flotilla.kube.KubeResponse;
import dev.flotilla.nodeworker.k8sd.trust.PinStoreObject.PinObjectKind;
import dev.flotilla.schemas.id.ClusterKey;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Stores the certificate pins of a cluster's machines in one ConfigMap, which must exist because a worker must not
 * create objects. Pins are written at first contact and never replaced: a node that shows a new certificate is refused
 * until a person resets its pin. A new machine with an old name counts as a new machine.
 *
 * <p>Earlier versions stored pins in a Secret of the same name. These pins count and are copied.
 */
public final class CertificatePinStore {
    /** Most tries of a write; machines of a cluster are first contacted at the same time, also by several workers. */
    private static final int TRIES = 16;

    private static final long KEPT_NANOS = 300_000_000_000L;
    private static final int MOST_KEPT = 500;

    private final KubeApiClient api;
    private final ExpiringCache<ClusterKey, KubeObject> cachedPin;

    public CertificatePinStore(KubeApiClient api, LongSupplier ticks) {
        this.api = api;
        this.cachedPin = new ExpiringCache<>(MOST_KEPT, KEPT_NANOS, ticks);
    }

    /** Whether a machine's certificate is pinned. */
    public sealed interface CertificateTrust {

        /** The machine must show this certificate. */
        record CertificatePinned(CertificatePin pin) implements CertificateTrust {}

        /** No certificate was seen yet. */
        record CertificateUnpinned() implements CertificateTrust {}

        /** The pin cannot be read, or the machine shows another certificate: it gets no token. */
        record TrustUnknown(String reason) implements CertificateTrust {}
    }

    /** Drops the cached pins, because a node did not match them: others may have written since. */
    public void invalidatePins(ClusterKey cluster) {
        cachedPin.remove(cluster);
    }

    /** Returns the pin if it is cached; else null. */
    public @Nullable CertificatePin cachedPin(ClusterKey cluster, CertificatePinKey certificatePinKey) {
        KubeObject pins = cachedPin.get(cluster);
        return pins != null
                        && PinStoreObject.of(PinObjectKind.CONFIG_MAP, cluster).trust(pins, certificatePinKey)
                                instanceof CertificateTrust.CertificatePinned certificatePinned
                ? certificatePinned.pin()
                : null;
    }

    /** Reads whether a holder's certificate is pinned. */
    public CertificateTrust readTrust(ClusterKey cluster, CertificatePinKey certificatePinKey) {
        CertificatePin known = cachedPin(cluster, certificatePinKey);
        if (known != null) {
            return new CertificateTrust.CertificatePinned(known);
        }
        PinStoreObject pins = PinStoreObject.of(PinObjectKind.CONFIG_MAP, cluster);
        return trust(cluster, certificatePinKey, pins, api.get(pins.path()));
    }

    /** Reads the pin from the ConfigMap, or else from the Secret of an earlier version. */
    private CertificateTrust trust(
            ClusterKey cluster, CertificatePinKey certificatePinKey, PinStoreObject pins, KubeResponse read) {
        if (!(read instanceof KubeResponse.SuccessResponse) && !read.isMissing()) {
            return new CertificateTrust.TrustUnknown(pins + " cannot be read: " + read.problem());
        }
        if (read instanceof KubeResponse.SuccessResponse successResponse) {
            cachedPin.put(cluster, successResponse.object());
            CertificateTrust there = pins.trust(successResponse.object(), certificatePinKey);
            if (!(there instanceof CertificateTrust.CertificateUnpinned)) {
                return there;
            }
        }
        return inherited(cluster, certificatePinKey, pins, read);
    }

    private CertificateTrust inherited(
            ClusterKey cluster, CertificatePinKey certificatePinKey, PinStoreObject pins, KubeResponse read) {
        PinStoreObject secret = PinStoreObject.of(PinObjectKind.SECRET, cluster);
        KubeResponse old = api.get(secret.path());
        if (old.isMissing()) {
            return new CertificateTrust.CertificateUnpinned();
        }
        if (!(old instanceof KubeResponse.SuccessResponse there)) {
            return new CertificateTrust.TrustUnknown(secret + " cannot be read: " + old.problem());
        }
        CertificateTrust certificateTrust = secret.trust(there.object(), certificatePinKey);
        // A pin that cannot be copied now is copied at the next read.
        if (certificateTrust instanceof CertificateTrust.CertificatePinned certificatePinned
                && read instanceof KubeResponse.SuccessResponse successResponse
                && api.mergePatch(
                                pins.path(),
                                pins.withPin(successResponse.object(), certificatePinKey, certificatePinned.pin()))
                        instanceof KubeResponse.SuccessResponse copied) {
            cachedPin.put(cluster, copied.object());
        }
        return certificateTrust;
    }

    /** Pins the certificate shown at first contact. The stored pin then counts, even if another worker wrote it. */
    public CertificateTrust pinFirstSeen(
            ClusterKey cluster, CertificatePinKey certificatePinKey, CertificatePin shown) {
        PinStoreObject pins = PinStoreObject.of(PinObjectKind.CONFIG_MAP, cluster);
        for (int i = 0; i < TRIES; i++) {
            KubeResponse read = api.get(pins.path());
            CertificateTrust there = trust(cluster, certificatePinKey, pins, read);
            if (!(there instanceof CertificateTrust.CertificateUnpinned)) {
                return !(there instanceof CertificateTrust.CertificatePinned certificatePinned)
                                || certificatePinned.pin().equals(shown)
                        ? there
                        : new CertificateTrust.TrustUnknown(
                                certificatePinKey + " shows another certificate than the one that is"
                                        + " pinned; if it may, reset its trust");
            }
            if (!(read instanceof KubeResponse.SuccessResponse successResponse)) {
                return new CertificateTrust.TrustUnknown(pins + " does not exist in namespace " + cluster.namespace()
                        + "; `flotilla site rbac` prints it for kubectl apply");
            }
            KubeResponse written =
                    api.mergePatch(pins.path(), pins.withPin(successResponse.object(), certificatePinKey, shown));
            if (written instanceof KubeResponse.SuccessResponse now) {
                cachedPin.put(cluster, now.object());
                return new CertificateTrust.CertificatePinned(shown);
            }
            if (!written.isConflict()) {
                return new CertificateTrust.TrustUnknown(pins + " cannot be written: " + written.problem());
            }
        }
        return new CertificateTrust.TrustUnknown(pins + " changes under every try");
    }

    /** Removes a pin, so that the holder may show a new certificate. Returns null once done, else what failed. */
    public @Nullable String resetPin(ClusterKey cluster, CertificatePinKey certificatePinKey) {
        // The Secret of an earlier version is reset first: its pin counts while it exists.
        String problem = resetPin(cluster, certificatePinKey, PinStoreObject.of(PinObjectKind.SECRET, cluster));
        return problem == null
                ? resetPin(cluster, certificatePinKey, PinStoreObject.of(PinObjectKind.CONFIG_MAP, cluster))
                : problem;
    }

    private @Nullable String resetPin(ClusterKey cluster, CertificatePinKey certificatePinKey, PinStoreObject pins) {
        for (int i = 0; i < TRIES; i++) {
            cachedPin.remove(cluster);
            KubeResponse read = api.get(pins.path());
            if (read.isMissing()
                    || (read instanceof KubeResponse.SuccessResponse successResponse
                            && !successResponse.object().has("data", certificatePinKey.key()))) {
                return null;
            }
            KubeResponse written = read instanceof KubeResponse.SuccessResponse successResponse
                    ? api.mergePatch(pins.path(), pins.withoutPin(successResponse.object(), certificatePinKey))
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
