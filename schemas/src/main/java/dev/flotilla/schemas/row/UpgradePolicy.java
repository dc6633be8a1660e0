package dev.flotilla.schemas.row;

import dev.flotilla.schemas.id.PolicyScope;
import dev.flotilla.schemas.id.RowKey;
import dev.flotilla.schemas.id.Table;
import dev.flotilla.schemas.id.TimeZoneName;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The rules of the fleet or of a site. A site's policy inherits from the fleet's what it leaves out.
 *
 * @param maxInFlight machines that may be in flight at once within this scope
 * @param maxInFlightPerSite in the fleet's policy: the cap of every site whose own policy has none
 * @param frozen whether all starts and calls are stopped
 * @param attemptDeadline how long an attempt may take after its call
 * @param lostAfter how long an attempt of unknown outcome occupies its slot
 * @param intentRule rules for upgrades by annotation
 * @param classLabel the machine label whose values, with the role, form the classes for which durations are measured
 * @param calendar when machines may start, for campaigns and annotations alike
 * @param heartbeatTimeout the age of a heartbeat from which its site is silent
 * @param campaignRule rules for all campaigns; only in the fleet's policy
 * @param providerRules what upgrades which machines; empty for what the fleet's policy, else each machine's row says
 * @param prefetchCaps how many machines may prepare at once
 */
public record UpgradePolicy(
        PolicyScope scope,
        @Nullable CountOrPercent maxInFlight,
        @Nullable CountOrPercent maxInFlightPerSite,
        boolean frozen,
        @Nullable String frozenReason,
        @Nullable Duration attemptDeadline,
        @Nullable Duration lostAfter,
        @Nullable IntentRule intentRule,
        @Nullable String classLabel,
        MaintenanceCalendar calendar,
        @Nullable Duration heartbeatTimeout,
        CampaignRule campaignRule,
        List<ProviderRule> providerRules,
        PrefetchCaps prefetchCaps)
        implements TableRow {
    /** The heartbeat timeout if no policy has one. */
    public static final Duration DEFAULT_HEARTBEAT_TIMEOUT = Duration.ofSeconds(30);

    /**
     * When machines may start, for campaigns and annotations alike.
     *
     * @param timeZone the time zone of clusters without one of their own
     * @param windows empty for any time
     * @param estimate the expected duration of an attempt, until a campaign has measured enough of them
     * @param downloadMegabytes what a node downloads for an upgrade; the download time is added to the estimate
     * @param linkMegabits the bandwidth of the link to a site, in megabits per second
     */
    public record MaintenanceCalendar(
            @Nullable TimeZoneName timeZone,
            List<MaintenanceWindow> windows,
            @Nullable Duration estimate,
            @Nullable Integer downloadMegabytes,
            @Nullable Integer linkMegabits) {
        public static final MaintenanceCalendar NONE = new MaintenanceCalendar(null, List.of(), null);

        /** The expected duration of an attempt if it was neither measured nor configured. */
        public static final Duration DEFAULT_ESTIMATE = Duration.ofMinutes(30);

        public MaintenanceCalendar {
            windows = List.copyOf(windows);
        }

        /** A calendar without download figures. */
        public MaintenanceCalendar(
                @Nullable TimeZoneName timeZone, List<MaintenanceWindow> windows, @Nullable Duration estimate) {
            this(timeZone, windows, estimate, null, null);
        }
    }

    public UpgradePolicy {
        providerRules = List.copyOf(providerRules);
    }

    /** A policy without rules for campaigns and providers. */
    public UpgradePolicy(
            PolicyScope scope,
            @Nullable CountOrPercent inFlight,
            @Nullable CountOrPercent siteInFlight,
            boolean frozen,
            @Nullable String frozenWhy,
            @Nullable Duration attemptDeadline,
            @Nullable Duration lostAfter,
            @Nullable IntentRule intents,
            @Nullable String classLabel,
            MaintenanceCalendar calendar,
            @Nullable Duration silentAfter) {
        this(
                scope,
                inFlight,
                siteInFlight,
                frozen,
                frozenWhy,
                attemptDeadline,
                lostAfter,
                intents,
                classLabel,
                calendar,
                silentAfter,
                CampaignRule.NONE,
                List.of(),
                PrefetchCaps.NONE);
    }

    /** A policy without a calendar and without a class label. */
    public UpgradePolicy(
            PolicyScope scope,
            @Nullable CountOrPercent inFlight,
            @Nullable CountOrPercent siteInFlight,
            boolean frozen,
            @Nullable String frozenWhy,
            @Nullable Duration attemptDeadline,
            @Nullable Duration lostAfter,
            @Nullable IntentRule intents) {
        this(
                scope,
                inFlight,
                siteInFlight,
                frozen,
                frozenWhy,
                attemptDeadline,
                lostAfter,
                intents,
                null,
                MaintenanceCalendar.NONE,
                null);
    }

    /** Returns a copy with these caps. */
    public UpgradePolicy withCaps(@Nullable CountOrPercent most, @Nullable CountOrPercent mostOfSite) {
        return with(most, mostOfSite, frozen, frozenReason, intentRule, calendar, campaignRule, providerRules);
    }

    /** Returns a copy with this rule for campaigns. */
    public UpgradePolicy with(CampaignRule rule) {
        return with(maxInFlight, maxInFlightPerSite, frozen, frozenReason, intentRule, calendar, rule, providerRules);
    }

    /** Returns a copy that is frozen for a reason, or not frozen. */
    public UpgradePolicy withFreeze(boolean now, @Nullable String why) {
        return with(maxInFlight, maxInFlightPerSite, now, why, intentRule, calendar, campaignRule, providerRules);
    }

    /** Returns a copy with another calendar. */
    public UpgradePolicy withCalendar(MaintenanceCalendar hours, @Nullable IntentRule rule) {
        return with(maxInFlight, maxInFlightPerSite, frozen, frozenReason, rule, hours, campaignRule, providerRules);
    }

    /** Returns a copy with these rules about the providers of machines. */
    public UpgradePolicy withProviderRules(List<ProviderRule> rules) {
        return with(maxInFlight, maxInFlightPerSite, frozen, frozenReason, intentRule, calendar, campaignRule, rules);
    }

    /** Returns a copy with these caps on preparations. */
    public UpgradePolicy withPrefetchCaps(PrefetchCaps caps) {
        return new UpgradePolicy(
                scope,
                maxInFlight,
                maxInFlightPerSite,
                frozen,
                frozenReason,
                attemptDeadline,
                lostAfter,
                intentRule,
                classLabel,
                calendar,
                heartbeatTimeout,
                campaignRule,
                providerRules,
                caps);
    }

    private UpgradePolicy with(
            @Nullable CountOrPercent most,
            @Nullable CountOrPercent mostOfSite,
            boolean now,
            @Nullable String why,
            @Nullable IntentRule annotations,
            MaintenanceCalendar hours,
            CampaignRule rule,
            List<ProviderRule> providers) {
        return new UpgradePolicy(
                scope,
                most,
                mostOfSite,
                now,
                why,
                attemptDeadline,
                lostAfter,
                annotations,
                classLabel,
                hours,
                heartbeatTimeout,
                rule,
                providers,
                prefetchCaps);
    }

    /**
     * Rules for upgrades by annotation.
     *
     * @param maxUnavailable workers of a cluster that may be unavailable or in flight at once
     * @param localPaths directories below which a local path may point; the snap there is installed unsigned, as root
     * @param maxInFlight machines of a site that may be in flight at once for annotations; null for no cap
     * @param maxInFlightPerCluster machines of a cluster that may be in flight at once; null for no cap
     * @param clusterSoak the pause in a cluster between one machine's success and the next start
     * @param windows when machines may start for annotations; empty for any time
     * @param drainMode whether nodes are drained before their calls; null for the setting of the site's worker
     * @param versions which rules about versions are lifted for annotations
     * @param priority of the campaigns and annotations that want the same slot, the one with the highest priority comes first
     * @param targetPatterns patterns of which one must match the target; empty for any target
     */
    public record IntentRule(
            CountOrPercent maxUnavailable,
            RetryRule retryRule,
            List<String> localPaths,
            @Nullable CountOrPercent maxInFlight,
            @Nullable CountOrPercent maxInFlightPerCluster,
            Duration clusterSoak,
            List<MaintenanceWindow> windows,
            @Nullable DrainMode drainMode,
            VersionRuleExemptions versions,
            int priority,
            List<String> targetPatterns) {
        /** The default priority, the same as for campaigns. */
        public static final int DEFAULT_PRIORITY = 50;

        public static final IntentRule DEFAULT = new IntentRule(new CountOrPercent.Count(1), RetryRule.DEFAULT);

        public IntentRule {
            localPaths = List.copyOf(localPaths);
            windows = List.copyOf(windows);
            targetPatterns = List.copyOf(targetPatterns);
        }

        /** A rule that allows no local path. */
        public IntentRule(CountOrPercent maxUnavailable, RetryRule retries) {
            this(maxUnavailable, retries, List.of());
        }

        /** A rule without caps and windows. */
        public IntentRule(CountOrPercent maxUnavailable, RetryRule retries, List<String> localPaths) {
            this(maxUnavailable, retries, localPaths, null, null, Duration.ZERO, List.of(), null);
        }

        /** A rule that lifts no rule about versions. */
        public IntentRule(
                CountOrPercent maxUnavailable,
                RetryRule retries,
                List<String> localPaths,
                @Nullable CountOrPercent inFlight,
                @Nullable CountOrPercent clusterInFlight,
                Duration settle,
                List<MaintenanceWindow> windows,
                @Nullable DrainMode drain) {
            this(
                    maxUnavailable,
                    retries,
                    localPaths,
                    inFlight,
                    clusterInFlight,
                    settle,
                    windows,
                    drain,
                    VersionRuleExemptions.STRICT,
                    DEFAULT_PRIORITY,
                    List.of());
        }

        /** Returns a copy with other windows. */
        public IntentRule withWindows(List<MaintenanceWindow> hours) {
            return with(localPaths, hours, versions, priority, targetPatterns);
        }

        /** Returns a copy with these rules about versions. */
        public IntentRule with(VersionRuleExemptions rule) {
            return with(localPaths, windows, rule, priority, targetPatterns);
        }

        /** Returns a copy with another priority. */
        public IntentRule withPriority(int rank) {
            return with(localPaths, windows, versions, rank, targetPatterns);
        }

        /** Returns a copy that allows only targets that match these patterns. */
        public IntentRule withTargetPatterns(List<String> patterns) {
            return with(localPaths, windows, versions, priority, patterns);
        }

        /** Returns a copy that allows local paths only below these directories. */
        public IntentRule withLocalPaths(List<String> directories) {
            return with(directories, windows, versions, priority, targetPatterns);
        }

        private IntentRule with(
                List<String> directories,
                List<MaintenanceWindow> hours,
                VersionRuleExemptions rule,
                int rank,
                List<String> patterns) {
            return new IntentRule(
                    maxUnavailable,
                    retryRule,
                    directories,
                    maxInFlight,
                    maxInFlightPerCluster,
                    clusterSoak,
                    hours,
                    drainMode,
                    rule,
                    rank,
                    patterns);
        }

        /** Whether an annotation may have this target. */
        public boolean allows(UpgradeTarget option) {
            return allowsPath(option) && option.matches(targetPatterns);
        }

        /** Whether a target is not a local path, or one below an allowed directory. */
        public boolean allowsPath(UpgradeTarget option) {
            return !(option instanceof UpgradeTarget.LocalPath local) || local.isBelow(localPaths);
        }
    }

    /**
     * Rules for all campaigns.
     *
     * @param requireApproval where campaigns must wait for approval; null if their authors decide
     * @param firstWaveLimit the largest first wave that needs no approval before it, if an approval is required after it; null for
     *     {@link #DEFAULT_FIRST_WAVE_LIMIT}
     * @param targetPatterns patterns of which one must match a campaign's target; empty for any target
     */
    public record CampaignRule(
            @Nullable RequiredApproval requireApproval,
            @Nullable CountOrPercent firstWaveLimit,
            List<String> targetPatterns) {
        /** The largest first wave that needs no approval, if no policy has a limit. */
        public static final CountOrPercent DEFAULT_FIRST_WAVE_LIMIT = new CountOrPercent.Percent(10);

        public static final CampaignRule NONE = new CampaignRule(null, null, List.of());

        public CampaignRule {
            targetPatterns = List.copyOf(targetPatterns);
        }

        /** Returns the largest first wave that needs no approval before it. */
        public CountOrPercent maxFirstWave() {
            return firstWaveLimit == null ? DEFAULT_FIRST_WAVE_LIMIT : firstWaveLimit;
        }
    }

    /** Where a campaign's waves must wait for approval. */
    public enum RequiredApproval {
        /** Before the first wave. */
        BEFORE_FIRST_WAVE("before-first-wave"),
        /** After the first wave, before the second. */
        AFTER_FIRST_WAVE("after-first-wave");

        private final String label;

        RequiredApproval(String label) {
            this.label = label;
        }

        public String label() {
            return label;
        }

        /** Whether a campaign's waves have the required approval. */
        public boolean isMetBy(List<Wave> waves) {
            boolean before = waves.getFirst().needsApprovalBefore();
            return switch (this) {
                case BEFORE_FIRST_WAVE -> before;
                case AFTER_FIRST_WAVE ->
                    waves.size() == 1
                            ? before
                            : waves.getFirst().needsApprovalAfter()
                                    || waves.get(1).needsApprovalBefore();
            };
        }
    }

    @Override
    public RowKey rowKey() {
        return new RowKey(Table.POLICIES, scope);
    }
}
