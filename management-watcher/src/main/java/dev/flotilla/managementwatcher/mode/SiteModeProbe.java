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

/** Looks for the provider's controllers, and for the policy or webhook that hides annotations from them. */
public final class SiteModeProbe {
    /** Name of the policy, of its binding, and of the configuration of the webhook. */
    public static final String POLICY = "flotilla-intercept";

    /**
     * Label of everything in the provider's manifests. A Deployment that is scaled to zero counts: it may be scaled up
     * at any time.
     */
    private static final String PROVIDER_LABEL = "&labelSelector="
            + KubeApiPath.encodeQueryValue("cluster.x-k8s.io/provider in (bootstrap-ck8s,control-plane-ck8s)");

    /** Leases by which the provider's managers elect a leader, in any namespace. */
    private static final List<String> LEADER_LEASES =
            List.of("6b2b21b1.k8s.io", "148fa072.controlplane.cluster.x-k8s.io");

    /**
     * Managers renew their lease every few seconds. The limit is generous because clocks differ; an older lease is a
     * leftover.
     */
    private static final Duration LEASE_MAX_AGE = Duration.ofMinutes(15);

    private static final String ADMISSION_API = "admissionregistration.k8s.io/v1";

    private final KubeApiClient api;
    private final InstantSource clock;

    public SiteModeProbe(KubeApiClient api, InstantSource clock) {
        this.api = api;
        this.clock = clock;
    }

    /** Result of a probe. */
    public sealed interface ProbeResult {
        record ProbeSucceeded(ProviderPresence presence) implements ProbeResult {}

        record ProbeFailed(String reason) implements ProbeResult {}
    }

    /** One request of the probe failed, so the probe has no result. */
    private static final class ProbeRequestFailedException extends Exception {
        ProbeRequestFailedException(String what, KubeResponse reply) {
            super(what + ": " + reply.problem());
        }
    }

    /** Probes the cluster once. */
    public ProbeResult probeProvider() {
        try {
            String controllers = findDeployment();
            return new ProbeResult.ProbeSucceeded(new ProviderPresence(
                    controllers == null ? findLease() : controllers,
                    arePoliciesServed(),
                    isPolicyBound(),
                    exists("mutatingwebhookconfigurations")));
        } catch (ProbeRequestFailedException failed) {
            return new ProbeResult.ProbeFailed(String.valueOf(failed.getMessage()));
        }
    }

    private @Nullable String findDeployment() throws ProbeRequestFailedException {
        for (KubeObject each :
                listItems("Deployments", KubeApiPath.listPath("apps/v1", "deployments"), PROVIDER_LABEL)) {
            return "Deployment " + each.namespace() + "/" + each.name();
        }
        return null;
    }

    private @Nullable String findLease() throws ProbeRequestFailedException {
        Instant since = clock.instant().minus(LEASE_MAX_AGE);
        for (String name : LEADER_LEASES) {
            String only = "&fieldSelector=" + KubeApiPath.encodeQueryValue("metadata.name=" + name);
            for (KubeObject each :
                    listItems("Leases", KubeApiPath.listPath("coordination.k8s.io/v1", "leases"), only)) {
                Instant renewed = each.instant("spec", "renewTime");
                if (each.name().equals(name) && renewed != null && renewed.isAfter(since)) {
                    return "Lease " + each.namespace() + "/" + name;
                }
            }
        }
        return null;
    }

    /** Lists objects. A kind that is not served has none. */
    private List<KubeObject> listItems(String what, String path, String selector) throws ProbeRequestFailedException {
        KubeResponse reply = api.listPage(path, selector, "");
        if (reply.isMissing()) {
            return List.of();
        }
        if (reply instanceof KubeResponse.SuccessResponse successResponse) {
            return successResponse.object().list("items");
        }
        throw new ProbeRequestFailedException(what + " of the provider's controllers", reply);
    }

    private boolean arePoliciesServed() throws ProbeRequestFailedException {
        KubeResponse reply = api.get("/apis/" + ADMISSION_API);
        if (reply instanceof KubeResponse.SuccessResponse successResponse) {
            return successResponse.object().list("resources").stream()
                    .anyMatch(each -> "mutatingadmissionpolicies".equals(each.text("name")));
        }
        if (reply.isMissing()) {
            return false;
        }
        throw new ProbeRequestFailedException("resources of " + ADMISSION_API, reply);
    }

    private boolean isPolicyBound() throws ProbeRequestFailedException {
        return exists("mutatingadmissionpolicies") && exists("mutatingadmissionpolicybindings");
    }

    private boolean exists(String plural) throws ProbeRequestFailedException {
        KubeResponse reply = api.get(KubeApiPath.listPath(ADMISSION_API, plural) + "/" + POLICY);
        if (reply instanceof KubeResponse.SuccessResponse || reply.isMissing()) {
            return reply instanceof KubeResponse.SuccessResponse;
        }
        throw new ProbeRequestFailedException(plural + "/" + POLICY, reply);
    }
}
