package dev.flotilla.schemas.row;

import dev.flotilla.schemas.id.RowKey;
import dev.flotilla.schemas.id.Scope;
import dev.flotilla.schemas.id.ZoneName;
import dev.flotilla.schemas.topic.Table;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The rules of the fleet or of a site. What a site leaves out is as the fleet has it.
 *
 * @param inFlight machines that may be in flight at once within this scope
 * @param siteInFlight for the fleet: the same for every site that does not say otherwise
 * @param frozen whether nothing may start or be called
 * @param attemptDeadline how long an attempt may take after its call
 * @param lostAfter how long an attempt of unknown outcome holds its slot
 * @param intents how annotations are followed
 * @param classLabel the label of machines by whose values their durations are told apart, beside their roles
 * @param calendar when machines may be started, whoever asks for it
 * @param silentAfter how old a heartbeat may be before its site is silent
 * @param campaigns what campaigns may do; the fleet's policy alone says it
 */
public record Policy(
        Scope scope,
        @Nullable Limit inFlight,
        @Nullable Limit siteInFlight,
        boolean frozen,
        @Nullable String frozenWhy,
        @Nullable Duration attemptDeadline,
        @Nullable Duration lostAfter,
        @Nullable IntentRule intents,
        @Nullable String classLabel,
        Calendar calendar,
        @Nullable Duration silentAfter,
        CampaignRule campaigns)
        implements Row {
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
    public record Calendar(
            @Nullable ZoneName timeZone,
            List<Window> windows,
            @Nullable Duration estimate,
            @Nullable Integer downloadMegabytes,
            @Nullable Integer linkMegabits) {
        public static final Calendar NONE = new Calendar(null, List.of(), null);

        /** How long an attempt is likely to take, as long as nobody has measured or stated it. */
        public static final Duration USUAL_ESTIMATE = Duration.ofMinutes(30);

        public Calendar {
            windows = List.copyOf(windows);
        }

        /** One that says nothing of downloads. */
        public Calendar(@Nullable ZoneName timeZone, List<Window> windows, @Nullable Duration estimate) {
            this(timeZone, windows, estimate, null, null);
        }
    }

    /** One that leaves campaigns to their authors. */
    public Policy(
            Scope scope,
            @Nullable Limit inFlight,
            @Nullable Limit siteInFlight,
            boolean frozen,
            @Nullable String frozenWhy,
            @Nullable Duration attemptDeadline,
            @Nullable Duration lostAfter,
            @Nullable IntentRule intents,
            @Nullable String classLabel,
            Calendar calendar,
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
    public Policy(
            Scope scope,
            @Nullable Limit inFlight,
            @Nullable Limit siteInFlight,
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
                Calendar.NONE,
                null);
    }

    /** The same with these caps. */
    public Policy capped(@Nullable Limit most, @Nullable Limit mostOfSite) {
        return with(most, mostOfSite, frozen, frozenWhy, intents, calendar, campaigns);
    }

    /** The same with this rule for campaigns. */
    public Policy with(CampaignRule rule) {
        return with(inFlight, siteInFlight, frozen, frozenWhy, intents, calendar, rule);
    }

    /** The same, frozen for a reason or not. */
    public Policy frozen(boolean now, @Nullable String why) {
        return with(inFlight, siteInFlight, now, why, intents, calendar, campaigns);
    }

    /** The same with other hours. */
    public Policy at(Calendar hours, @Nullable IntentRule rule) {
        return with(inFlight, siteInFlight, frozen, frozenWhy, rule, hours, campaigns);
    }

    private Policy with(
            @Nullable Limit most,
            @Nullable Limit mostOfSite,
            boolean now,
            @Nullable String why,
            @Nullable IntentRule annotations,
            Calendar hours,
            CampaignRule rule) {
        return new Policy(
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
                silentAfter,
                rule);
    }

    /**
     * How annotations are followed.
     *
     * @param maxUnavailable workers of a cluster that may be unavailable or in flight at once
     * @param localPaths directories below which a local path may point: it is installed unsigned, as root
     * @param inFlight machines of a site that may be in flight at once for annotations; null for no limit of its own
     * @param clusterInFlight machines of a cluster that may be in flight at once; null for no limit of its own
     * @param settle how long a cluster rests between one machine's success and the next start
     * @param windows when machines may be started for annotations; none for at any time
     * @param drain whether nodes are emptied before their calls; null for as the site's worker is set
     * @param versions which of the rules about versions do not hold for annotations
     * @param priority among campaigns and annotations that want the same slot, the highest goes first
     * @param targets patterns of which one has to match what is asked for; none for anything
     */
    public record IntentRule(
            Limit maxUnavailable,
            RetryRule retries,
            List<String> localPaths,
            @Nullable Limit inFlight,
            @Nullable Limit clusterInFlight,
            Duration settle,
            List<Window> windows,
            @Nullable DrainMode drain,
            VersionRule versions,
            int priority,
            List<String> targets) {
        /** The priority where nothing is said: as campaigns have it. */
        public static final int USUAL_PRIORITY = 50;

        public static final IntentRule DEFAULT = new IntentRule(new Limit.Count(1), RetryRule.DEFAULT);

        public IntentRule {
            localPaths = List.copyOf(localPaths);
            windows = List.copyOf(windows);
            targets = List.copyOf(targets);
        }

        /** One that allows no local path. */
        public IntentRule(Limit maxUnavailable, RetryRule retries) {
            this(maxUnavailable, retries, List.of());
        }

        /** One without caps and windows of its own. */
        public IntentRule(Limit maxUnavailable, RetryRule retries, List<String> localPaths) {
            this(maxUnavailable, retries, localPaths, null, null, Duration.ZERO, List.of(), null);
        }

        /** One for which all rules about versions hold. */
        public IntentRule(
                Limit maxUnavailable,
                RetryRule retries,
                List<String> localPaths,
                @Nullable Limit inFlight,
                @Nullable Limit clusterInFlight,
                Duration settle,
                List<Window> windows,
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
                    VersionRule.STRICT,
                    USUAL_PRIORITY,
                    List.of());
        }

        /** The same at other hours. */
        public IntentRule at(List<Window> hours) {
            return with(hours, versions, priority, targets);
        }

        /** The same with these rules about versions. */
        public IntentRule with(VersionRule rule) {
            return with(windows, rule, priority, targets);
        }

        /** The same with another priority. */
        public IntentRule ranked(int rank) {
            return with(windows, versions, rank, targets);
        }

        /** The same for targets of these patterns alone. */
        public IntentRule onlyTo(List<String> patterns) {
            return with(windows, versions, priority, patterns);
        }

        private IntentRule with(List<Window> hours, VersionRule rule, int rank, List<String> patterns) {
            return new IntentRule(
                    maxUnavailable,
                    retries,
                    localPaths,
                    inFlight,
                    clusterInFlight,
                    settle,
                    hours,
                    drain,
                    rule,
                    rank,
                    patterns);
        }

        /** Whether an annotation may ask for this. */
        public boolean allows(UpgradeOption option) {
            return allowsPath(option) && option.matches(targets);
        }

        /** Whether it is no path, or one below the directories that are allowed. */
        public boolean allowsPath(UpgradeOption option) {
            return !(option instanceof UpgradeOption.LocalPath local) || local.isBelow(localPaths);
        }
    }

    /**
     * What campaigns may do, whoever writes them.
     *
     * @param requireApproval where a person's approval has to stand; null for wherever the author wants it
     * @param firstWave how much the first wave may take without an approval before it, where one is required after it; null for
     *     {@link #USUAL_FIRST_WAVE}
     * @param targets patterns of which one has to match a campaign's target; none for any target
     */
    public record CampaignRule(
            @Nullable RequiredApproval requireApproval,
            @Nullable Limit firstWave,
            List<String> targets) {
        /** How much of a campaign its first wave may take without an approval, where no policy says. */
        public static final Limit USUAL_FIRST_WAVE = new Limit.Percent(10);

        public static final CampaignRule NONE = new CampaignRule(null, null, List.of());

        public CampaignRule {
            targets = List.copyOf(targets);
        }

        /** How much the first wave may take without an approval before it. */
        public Limit mostOfFirstWave() {
            return firstWave == null ? USUAL_FIRST_WAVE : firstWave;
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
        public boolean isIn(List<Wave> waves) {
            boolean before = waves.getFirst().approvedBefore();
            return switch (this) {
                case BEFORE_FIRST_WAVE -> before;
                case AFTER_FIRST_WAVE ->
                    waves.size() == 1
                            ? before
                            : waves.getFirst().approvedAfter() || waves.get(1).approvedBefore();
            };
        }
    }

    /**
     * Rules about versions that a policy lifts for annotations.
     *
     * @param allowDowngrade a machine may be brought to an older version than it shows
     * @param allowUnknownVersion machines may start together for a target whose version is not known
     */
    public record VersionRule(boolean allowDowngrade, boolean allowUnknownVersion) {
        /** All rules hold. */
        public static final VersionRule STRICT = new VersionRule(false, false);
    }

    @Override
    public RowKey at() {
        return new RowKey(Table.POLICIES, scope);
    }
}
