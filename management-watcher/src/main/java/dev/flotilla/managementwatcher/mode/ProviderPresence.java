package dev.flotilla.managementwatcher.mode;

import org.jspecify.annotations.Nullable;

/**
 * What shows that the provider's controllers run in a cluster, and whether the policy hides annotations from them.
 *
 * @param controllerEvidence object that shows that the provider's controllers run; null for none
 * @param policiesServed whether the API server serves mutating admission policies
 * @param policyBound whether Flotilla's policy exists and is bound
 * @param webhookRegistered whether Flotilla's webhook, which does the same, is registered
 */
public record ProviderPresence(
        @Nullable String controllerEvidence, boolean policiesServed, boolean policyBound, boolean webhookRegistered) {
    /** Whether annotations are hidden from the provider's controllers. */
    public boolean hidesAnnotations() {
        return policyBound || webhookRegistered;
    }

    /** Returns what hides annotations, or would. */
    public String interceptor() {
        return (policyBound || (policiesServed && !webhookRegistered) ? "the policy " : "the webhook ")
                + SiteModeProbe.POLICY;
    }

    /** Returns the manifest with which annotations are hidden here. */
    public String manifest() {
        return "deploy/management-watcher/" + (policiesServed ? "intercept.yaml" : "intercept-webhook.yaml");
    }
}
