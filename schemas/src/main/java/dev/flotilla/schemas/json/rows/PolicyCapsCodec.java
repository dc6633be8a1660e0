package dev.flotilla.schemas.json.rows;

import dev.flotilla.schemas.json.codec.JsonObjectCodec;
import dev.flotilla.schemas.row.CountOrPercent;
import dev.flotilla.schemas.row.PrefetchCaps;
import dev.flotilla.schemas.row.UpgradePolicy;
import org.jspecify.annotations.Nullable;

/** JSON codec for the caps of a policy. */
final class PolicyCapsCodec {
    static final JsonObjectCodec<PolicyCaps> CAPS = caps();

    private PolicyCapsCodec() {}

    /** The caps of a policy: on machines in flight, and on machines that prepare. */
    record PolicyCaps(
            @Nullable CountOrPercent inFlight, @Nullable CountOrPercent siteInFlight, PrefetchCaps prefetch) {
        static final PolicyCaps NONE = new PolicyCaps(null, null, PrefetchCaps.NONE);

        static @Nullable PolicyCaps of(UpgradePolicy policy) {
            PolicyCaps caps = new PolicyCaps(policy.maxInFlight(), policy.maxInFlightPerSite(), policy.prefetchCaps());
            return caps.equals(NONE) ? null : caps;
        }
    }

    private static JsonObjectCodec<PolicyCaps> caps() {
        var caps = JsonObjectCodec.<PolicyCaps>of(
                "policy-caps", "How many machines may be in flight, and prepare, at once.");
        var inFlight = caps.optional(
                "inFlight",
                SharedValueCodecs.LIMIT,
                "Machines of this scope, as a number or as a percentage such as \"5%\" (rounded down, at least 1).",
                PolicyCaps::inFlight);
        var siteInFlight = caps.optional(
                "siteInFlight",
                SharedValueCodecs.LIMIT,
                "In the fleet's policy: the cap of every site whose own policy has none.",
                PolicyCaps::siteInFlight);
        var prefetch = caps.optional(
                "prefetch",
                SharedValueCodecs.LIMIT,
                "Machines of this scope that may prepare at once, for campaigns with prepare. They do not count as in"
                        + " flight.",
                c -> c.prefetch().maxPreparing());
        var sitePrefetch = caps.optional(
                "sitePrefetch",
                SharedValueCodecs.LIMIT,
                "In the fleet's policy: the same for every site whose own policy has no prefetch. Default: 10.",
                c -> c.prefetch().maxPreparingPerSite());
        return caps.build(v -> new PolicyCaps(
                v.get(inFlight), v.get(siteInFlight), new PrefetchCaps(v.get(prefetch), v.get(sitePrefetch))));
    }
}
