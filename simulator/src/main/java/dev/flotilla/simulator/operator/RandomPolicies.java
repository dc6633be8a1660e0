package dev.flotilla.simulator.operator;

import dev.flotilla.schemas.id.FleetScope;
import dev.flotilla.schemas.id.PolicyScope;
import dev.flotilla.schemas.row.CountOrPercent;
import dev.flotilla.schemas.row.PrefetchCaps;
import dev.flotilla.schemas.row.RetryRule;
import dev.flotilla.schemas.row.UpgradePolicy;
import dev.flotilla.schemas.row.VersionRuleExemptions;
import dev.flotilla.simulator.world.SeededRandom;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Random policies, as operators write them. */
public final class RandomPolicies {
    /** The directory of the files that intents may name, if a policy allows any. */
    static final String SNAPS = "/opt/snaps";

    private static final int SMALL_FIRST_WAVE_PERCENT = 6;

    private static final List<String> FEW_TARGETS = List.of("channel=1.3?-classic/*", "revision=31*");

    private RandomPolicies() {}

    /** A policy of the fleet for a number of machines. */
    public static UpgradePolicy fleet(SeededRandom chance, int machines) {
        CountOrPercent cap = cap(chance, machines);
        CountOrPercent siteCap = chance.percent(30) ? cap(chance, machines / 2 + 1) : null;
        UpgradePolicy.IntentRule intents = chance.percent(50)
                ? new UpgradePolicy.IntentRule(
                        new CountOrPercent.Count(chance.between(1, 2)),
                        new RetryRule(2, Duration.ofSeconds(30), Duration.ofMinutes(5)))
                : null;
        SeededRandom more = chance.split("annotations");
        return new UpgradePolicy(
                        FleetScope.FLEET,
                        cap,
                        siteCap,
                        false,
                        null,
                        lostAfter(chance.split("deadline"), chance.between(15, 60)),
                        lostAfter(chance.split("deadline"), chance.between(15, 45)),
                        intents == null ? null : withRandomLimits(more, intents),
                        null,
                        RandomMaintenanceWindows.calendar(chance.split("calendar")),
                        heartbeatTimeout(chance.split("silence")))
                .with(campaigns(chance.split("campaigns")))
                .withPrefetchCaps(prefetch(chance.split("prefetch")));
    }

    /** Caps on preparations, small enough to be reached. */
    private static PrefetchCaps prefetch(SeededRandom chance) {
        return new PrefetchCaps(
                chance.percent(50) ? new CountOrPercent.Count(chance.between(1, 4)) : null,
                chance.percent(50) ? new CountOrPercent.Count(chance.between(1, 3)) : null);
    }

    /**
     * The time before an attempt counts as lost. Sometimes it is so short that the worker's report arrives during the
     * next attempt.
     */
    private static Duration lostAfter(SeededRandom chance, int minutes) {
        return Duration.ofMinutes(chance.percent(30) ? chance.between(2, 6) : minutes);
    }

    private static @Nullable Duration heartbeatTimeout(SeededRandom chance) {
        return chance.percent(30) ? Duration.ofSeconds(chance.between(20, 120)) : null;
    }

    /** A priority like those of campaigns, which have 0 to 2, or the default. */
    private static int priority(SeededRandom chance) {
        return chance.percent(60) ? chance.between(0, 2) : UpgradePolicy.IntentRule.DEFAULT_PRIORITY;
    }

    /** A rule for campaigns. In some worlds most first waves are too large to start without an approval. */
    private static UpgradePolicy.CampaignRule campaigns(SeededRandom chance) {
        UpgradePolicy.RequiredApproval approval =
                chance.percent(10) ? chance.pick(List.of(UpgradePolicy.RequiredApproval.values())) : null;
        CountOrPercent limit = firstWave(chance.split("first wave"));
        List<String> targets = targets(chance);
        SeededRandom small = chance.split("small first wave");
        return small.percent(SMALL_FIRST_WAVE_PERCENT)
                ? new UpgradePolicy.CampaignRule(
                        UpgradePolicy.RequiredApproval.AFTER_FIRST_WAVE,
                        new CountOrPercent.Count(small.between(1, 3)),
                        targets)
                : new UpgradePolicy.CampaignRule(approval, limit, targets);
    }

    private static @Nullable CountOrPercent firstWave(SeededRandom chance) {
        return chance.percent(50)
                ? null
                : chance.percent(50)
                        ? new CountOrPercent.Count(chance.between(1, 8))
                        : new CountOrPercent.Percent(chance.between(5, 60));
    }

    /** A rule that demands more of campaigns than the one they were accepted under. */
    static UpgradePolicy.CampaignRule stricter(SeededRandom chance) {
        UpgradePolicy.RequiredApproval approval =
                chance.percent(80) ? chance.pick(List.of(UpgradePolicy.RequiredApproval.values())) : null;
        return new UpgradePolicy.CampaignRule(
                approval,
                firstWave(chance),
                approval == null || chance.percent(20)
                        ? List.of(chance.percent(50) ? "channel=*" : "revision=*")
                        : List.of());
    }

    private static List<String> targets(SeededRandom chance) {
        return chance.percent(12) ? FEW_TARGETS : List.of();
    }

    private static VersionRuleExemptions versions(SeededRandom chance) {
        return new VersionRuleExemptions(chance.percent(30), chance.percent(30));
    }

    private static UpgradePolicy.IntentRule withRandomLimits(SeededRandom chance, UpgradePolicy.IntentRule rule) {
        return new UpgradePolicy.IntentRule(
                rule.maxUnavailable(),
                rule.retryRule(),
                chance.split("paths").percent(50) ? List.of(SNAPS) : rule.localPaths(),
                chance.percent(40) ? new CountOrPercent.Count(chance.between(1, 2)) : null,
                chance.percent(30) ? new CountOrPercent.Count(chance.between(1, 2)) : null,
                chance.percent(30) ? Duration.ofSeconds(chance.between(10, 300)) : Duration.ZERO,
                chance.percent(20) ? RandomMaintenanceWindows.windows(chance) : List.of(),
                null,
                versions(chance.split("versions")),
                priority(chance.split("priority")),
                targets(chance.split("targets")));
    }

    /** A policy with a cap only. */
    public static UpgradePolicy capped(int cap) {
        return new UpgradePolicy(FleetScope.FLEET, new CountOrPercent.Count(cap), null, false, null, null, null, null);
    }

    public static UpgradePolicy ofScope(SeededRandom chance, PolicyScope scope, int machines) {
        return new UpgradePolicy(scope, cap(chance, machines), null, false, null, null, null, null);
    }

    public static UpgradePolicy frozen(UpgradePolicy policy, boolean value) {
        return policy.withFreeze(value, value ? "trouble" : null);
    }

    public static UpgradePolicy capped(UpgradePolicy policy, @Nullable CountOrPercent cap) {
        return policy.withCaps(cap, policy.maxInFlightPerSite());
    }

    /** The same policy, but for any time and any target. */
    static UpgradePolicy withoutRestrictions(UpgradePolicy policy) {
        UpgradePolicy.IntentRule rule = policy.intentRule();
        return policy.withCalendar(
                        UpgradePolicy.MaintenanceCalendar.NONE,
                        rule == null ? null : rule.withWindows(List.of()).withTargetPatterns(List.of()))
                .with(UpgradePolicy.CampaignRule.NONE);
    }

    /** A cap that is usually low. */
    public static CountOrPercent cap(SeededRandom chance, int machines) {
        return chance.percent(60)
                ? new CountOrPercent.Count(chance.between(1, Math.max(2, machines / 5)))
                : new CountOrPercent.Percent(chance.between(3, 35));
    }
}
