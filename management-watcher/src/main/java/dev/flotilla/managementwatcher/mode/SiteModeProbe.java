package dev.flotilla.managementwatcher.mode;

import dev.flotilla.kube.KubeApiClient;
import dev.flotilla.kube.KubeApiPath;
import dev.flotilla.kube.KubeObject;
import dev.flotilla.kube.KubeResponse;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Looks for the provider's controllers, and for the policy that keeps people's keys from them. */
public final class SiteModeProbe {
    /** By this name the policy and its binding are looked for. */
    public static final String POLICY = "flotilla-intercept";

    /** As its manifests label everything; a Deployment that is scaled to nothing may be back at any time. */
    private static final String LABEL = "&labelSelector="
            + KubeApiPath.encodeQueryValue("cluster.x-k8s.io/provider in (bootstrap-ck8s,control-plane-ck8s)");

    /** By which its managers elect a leader, wherever and under whatever name they run. */
    private static final List<String> LEASES = List.of("6b2b21b1.k8s.io", "148fa072.controlplane.cluster.x-k8s.io");

    /** Managers renew every few seconds. Clocks differ; a lease that outlived its manager for long says nothing. */
    private static final Duration FRESH = Duration.ofMinutes(15);

    private static final String ADMISSION = "admissionregistration.k8s.io/v1";

    private final KubeApiClient api;
    private final InstantSource clock;

    public SiteModeProbe(KubeApiClient api, InstantSource clock) {
        this.api = api;
        this.clock = clock;
    }

    /** What came of a look: what is there, or why that cannot be told. */
    public sealed interface ProbeResult {
        record ProbeSucceeded(ProviderPresence presence) implements ProbeResult {}

        record ProbeFailed(String reason) implements ProbeResult {}
    }

    /** A part could not be seen: then nothing can be said. */
    private static final class Blind extends Exception {
        Blind(String what, KubeResponse reply) {
            super(what + ": " + reply.problem());
        }
    }

    /** Looks once. */
    public ProbeResult probeProvider() {
        try {
            String controllers = deployment();
            return new ProbeResult.ProbeSucceeded(
                    new ProviderPresence(controllers == null ? lease() : controllers, isServed(), isBound()));
        } catch (Blind blind) {
            return new ProbeResult.ProbeFailed(String.valueOf(blind.getMessage()));
        }
    }

    private @Nullable String deployment() throws Blind {
        for (KubeObject each : items("Deployments", KubeApiPath.listPath("apps/v1", "deployments"), LABEL)) {
            return "Deployment " + each.namespace() + "/" + each.name();
        }
        return null;
    }

    private @Nullable String lease() throws Blind {
        Instant since = clock.instant().minus(FRESH);
        for (String name : LEASES) {
            String only = "&fieldSelector=" + KubeApiPath.encodeQueryValue("metadata.name=" + name);
            for (KubeObject each : items("Leases", KubeApiPath.listPath("coordination.k8s.io/v1", "leases"), only)) {
                Instant renewed = each.instant("spec", "renewTime");
                if (each.name().equals(name) && renewed != null && renewed.isAfter(since)) {
                    return "Lease " + each.namespace() + "/" + name;
                }
            }
        }
        return null;
    }

    /** A kind that is not served has no objects. */
    private List<KubeObject> items(String what, String path, String selector) throws Blind {
        KubeResponse reply = api.listPage(path, selector, "");
        if (reply.isMissing()) {
            return List.of();
        }
        if (reply instanceof KubeResponse.SuccessResponse successResponse) {
            return successResponse.object().list("items");
        }
        throw new Blind(what + " of the provider's controllers", reply);
    }

    private boolean isServed() throws Blind {
        KubeResponse reply = api.get("/apis/" + ADMISSION);
        if (reply instanceof KubeResponse.SuccessResponse successResponse) {
            return successResponse.object().list("resources").stream()
                    .anyMatch(each -> "mutatingadmissionpolicies".equals(each.text("name")));
        }
        if (reply.isMissing()) {
            return false;
        }
        throw new Blind("what " + ADMISSION + " serves", reply);
    }

    private boolean isBound() throws Blind {
        return isThere("mutatingadmissionpolicies") && isThere("mutatingadmissionpolicybindings");
    }

    private boolean isThere(String plural) throws Blind {
        KubeResponse reply = api.get(KubeApiPath.listPath(ADMISSION, plural) + "/" + POLICY);
        if (reply instanceof KubeResponse.SuccessResponse || reply.isMissing()) {
            return reply instanceof KubeResponse.SuccessResponse;
        }
        throw new Blind(plural + "/" + POLICY, reply);
    }
}
