package dev.flotilla.schemas.row;

import dev.flotilla.schemas.id.PolicyScope;
import dev.flotilla.schemas.id.RowKey;
import dev.flotilla.schemas.id.TimeZoneName;
import dev.flotilla.schemas.topic.Table;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The rules of the fleet or of a site. What a site leaves out is as the fleet has it.
 *
 * @param maxInFlight machines that may be in flight at once within this scope
 * @param maxInFlightPerSite for the fleet: the same for every site that does not say otherwise
 * @param frozen whether nothing may start or be called
 * @param attemptDeadline how long an attempt may take after its call
 * @param lostAfter how long an attempt of unknown outcome holds its slot
 * @param intentRule how annotations are followed
 * @param classLabel the label of machines by whose values their durations are told apart, beside their roles
 * @param calendar when machines may be started, whoever asks for it
 * @param heartbeatTimeout how old a heartbeat may be before its site is silent
 * @param campaignRule what campaigns may do; the fleet's policy alone says it
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
        CampaignRule campaignRule)
        implements TableRow {
    /** How old a heartbeat may be where no policy says. */
    public static final Duration SILENT_AFTER = Duration.ofSeconds(30);

    /**
     * When machines may be started, whoever asks for it.
     *
     * @param timeZone of clusters that have none of their own
     * @param windows none for at any time
     * @param estimate how long an attempt takes, while a campaign has not seen enough of them
     * @param downloadMegabytes what a node loads for it, which takes time besides
     * @param linkMegabits what the link to a site carries in a second
     */
    public record MaintenanceCalendar(
            @Nullable TimeZoneName timeZone,
            List<MaintenanceWindow> windows,
            @Nullable Duration estimate,
            @Nullable Integer downloadMegabytes,
            @Nullable Integer linkMegabits) {
        public static final MaintenanceCalendar NONE = new MaintenanceCalendar(null, List.of(), null);

        /** How long an attempt is likely to take, as long as nobody has measured or stated it. */
        public static final Duration USUAL_ESTIMATE = Duration.ofMinutes(30);

        public MaintenanceCalendar {
            windows = List.copyOf(windows);
        }

        /** One that says nothing of downloads. */
        public MaintenanceCalendar(
                @Nullable TimeZoneName timeZone, List<MaintenanceWindow> windows, @Nullable Duration estimate) {
            this(timeZone, windows, estimate, null, null);
        }
    }

    /** One that leaves campaigns to their authors. */
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
                CampaignRule.NONE);
    }

    /** One without a calendar, that tells durations apart by role alone. */
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

    /** The same with these caps. */
    public UpgradePolicy withCaps(@Nullable CountOrPercent most, @Nullable CountOrPercent mostOfSite) {
        return with(most, mostOfSite, frozen, frozenReason, intentRule, calendar, campaignRule);
    }

    /** The same with this rule for campaigns. */
    public UpgradePolicy with(CampaignRule rule) {
        return with(maxInFlight, maxInFlightPerSite, frozen, frozenReason, intentRule, calendar, rule);
    }

    /** The same, frozen for a reason or not. */
    public UpgradePolicy frozen(boolean now, @Nullable String why) {
        return with(maxInFlight, maxInFlightPerSite, now, why, intentRule, calendar, campaignRule);
    }

    /** The same with other hours. */
    public UpgradePolicy at(MaintenanceCalendar hours, @Nullable IntentRule rule) {
        return with(maxInFlight, maxInFlightPerSite, frozen, frozenReason, rule, hours, campaignRule);
    }

    private UpgradePolicy with(
            @Nullable CountOrPercent most,
            @Nullable CountOrPercent mostOfSite,
            boolean now,
            @Nullable String why,
            @Nullable IntentRule annotations,
            MaintenanceCalendar hours,
            CampaignRule rule) {
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
                rule);
    }

    /**
     * How annotations are followed.
     *
     * @param maxUnavailable workers of a cluster that may be unavailable or in flight at once
     * @param localPaths directories below which a local path may point: it is installed unsigned, as root
     * @param maxInFlight machines of a site that may be in flight at once for annotations; null for no limit of its own
     * @param maxInFlightPerCluster machines of a cluster that may be in flight at once; null for no limit of its own
     * @param clusterSoak how long a cluster rests between one machine's success and the next start
     * @param windows when machines may be started for annotations; none for at any time
     * @param drainMode whether nodes are emptied before their calls; null for as the site's worker is set
     * @param versions which of the rules about versions do not hold for annotations
     * @param priority among campaigns and annotations that want the same slot, the highest goes first
     * @param targetPatterns patterns of which one has to match what is asked for; none for anything
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
        /** The priority where nothing is said: as campaigns have it. */
        public static final int USUAL_PRIORITY = 50;

        public static final IntentRule DEFAULT = new IntentRule(new CountOrPercent.Count(1), RetryRule.DEFAULT);

        public IntentRule {
            localPaths = List.copyOf(localPaths);
            windows = List.copyOf(windows);
            targetPatterns = List.copyOf(targetPatterns);
        }

        /** One that allows no local path. */
        public IntentRule(CountOrPercent maxUnavailable, RetryRule retries) {
            this(maxUnavailable, retries, List.of());
        }

        /** One without caps and windows of its own. */
        public IntentRule(CountOrPercent maxUnavailable, RetryRule retries, List<String> localPaths) {
            this(maxUnavailable, retries, localPaths, null, null, Duration.ZERO, List.of(), null);
        }

        /** One for which all rules about versions hold. */
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
                    USUAL_PRIORITY,
                    List.of());
        }

        /** The same at other hours. */
        public IntentRule withWindows(List<MaintenanceWindow> hours) {
            return with(hours, versions, priority, targetPatterns);
        }

        /** The same with these rules about versions. */
        public IntentRule with(VersionRuleExemptions rule) {
            return with(windows, rule, priority, targetPatterns);
        }

        /** The same with another priority. */
        public IntentRule withPriority(int rank) {
            return with(windows, versions, rank, targetPatterns);
        }

        /** The same for targets of these patterns alone. */
        public IntentRule withTargetPatterns(List<String> patterns) {
            return with(windows, versions, priority, patterns);
        }

        private IntentRule with(
                List<MaintenanceWindow> hours, VersionRuleExemptions rule, int rank, List<String> patterns) {
            return new IntentRule(
                    maxUnavailable,
                    retryRule,
                    localPaths,
                    maxInFlight,
                    maxInFlightPerCluster,
                    clusterSoak,
                    hours,
                    drainMode,
                    rule,
                    rank,
                    patterns);
        }

        /** Whether an annotation may ask for this. */
        public boolean allows(UpgradeTarget option) {
            return allowsPath(option) && option.matches(targetPatterns);
        }

        /** Whether it is no path, or one below the directories that are allowed. */
        public boolean allowsPath(UpgradeTarget option) {
            return !(option instanceof UpgradeTarget.LocalPath local) || local.isBelow(localPaths);
        }
    }

    /**
     * What campaigns may do, whoever writes them.
     *
     * @param requireApproval where a person's approval has to stand; null for wherever the author wants it
     * @param firstWaveLimit how much the first wave may take without an approval before it, where one is required after it; null for
     *     {@link #USUAL_FIRST_WAVE}
     * @param targetPatterns patterns of which one has to match a campaign's target; none for any target
     */
    public record CampaignRule(
            @Nullable RequiredApproval requireApproval,
            @Nullable CountOrPercent firstWaveLimit,
            List<String> targetPatterns) {
        /** How much of a campaign its first wave may take without an approval, where no policy says. */
        public static final CountOrPercent USUAL_FIRST_WAVE = new CountOrPercent.Percent(10);

        public static final CampaignRule NONE = new CampaignRule(null, null, List.of());

        public CampaignRule {
            targetPatterns = List.copyOf(targetPatterns);
        }

        /** How much the first wave may take without an approval before it. */
        public CountOrPercent maxFirstWave() {
            return firstWaveLimit == null ? USUAL_FIRST_WAVE : firstWaveLimit;
        }
    }

    /** Where a person's approval has to stand in a campaign's waves. */
    public enum RequiredApproval {
        /** Before anything starts. */
        BEFORE_FIRST_WAVE("before-first-wave"),
        /** Before anything starts beyond the first wave. */
        AFTER_FIRST_WAVE("after-first-wave");

        private final String label;

        RequiredApproval(String label) {
            this.label = label;
        }

        public String label() {
            return label;
        }

        /** Whether a campaign's waves ask for it. */
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

    /**
     * Rules about versions that a policy lifts for annotations.
     *
     * @param allowDowngrade a machine may be brought to an older version than it shows
     * @param allowUnknownVersion machines may start together for a target whose version is not known
     */
    public record VersionRuleExemptions(boolean allowDowngrade, boolean allowUnknownVersion) {
        /** All rules hold. */
        public static final VersionRuleExemptions STRICT = new VersionRuleExemptions(false, false);
    }

    @Override
    public RowKey rowKey() {
        return new RowKey(Table.POLICIES, scope);
    }
}
