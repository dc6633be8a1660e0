package dev.flotilla.schemas.json.rows;

import dev.flotilla.schemas.id.FleetScope;
import dev.flotilla.schemas.id.PolicyScope;
import dev.flotilla.schemas.json.codec.EnumCodec;
import dev.flotilla.schemas.json.codec.JsonCodec;
import dev.flotilla.schemas.json.codec.JsonObjectCodec;
import dev.flotilla.schemas.json.codec.LabelsCodec;
import dev.flotilla.schemas.json.codec.ListCodec;
import dev.flotilla.schemas.json.codec.ProblemCollector;
import dev.flotilla.schemas.json.codec.ScalarCodecs;
import dev.flotilla.schemas.json.rows.PolicyCapsCodec.PolicyCaps;
import dev.flotilla.schemas.json.tree.JsonValue;
import dev.flotilla.schemas.row.ProviderRule;
import dev.flotilla.schemas.row.RejectionReason;
import dev.flotilla.schemas.row.UpgradePolicy;
import dev.flotilla.schemas.row.UpgradePolicy.CampaignRule;
import dev.flotilla.schemas.row.UpgradePolicy.IntentRule;
import dev.flotilla.schemas.row.UpgradePolicy.MaintenanceCalendar;
import dev.flotilla.schemas.row.UpgradePolicy.RequiredApproval;
import dev.flotilla.schemas.row.UpgradeTarget;
import dev.flotilla.schemas.row.VersionRuleExemptions;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** JSON codec for a policy of the fleet or of a site, which has the form of a Kubernetes object. */
public final class UpgradePolicyCodec {
    private static final int MAX_DIRECTORIES = 32;
    private static final Duration MIN_HEARTBEAT_TIMEOUT = Duration.ofSeconds(15);

    private static final JsonCodec<String> DIRECTORY = ScalarCodecs.parsed(
            "a directory",
            UpgradeTarget.MAX_LENGTH,
            UpgradeTarget::problemOfDirectory,
            Function.identity(),
            Function.identity());

    private static final int MAX_PATTERNS = 64;
    private static final int MAX_PATTERN = 256;

    static final JsonCodec<List<String>> PATTERNS = new ListCodec<>(
            ScalarCodecs.parsed(
                    "a pattern of upgrade options",
                    MAX_PATTERN,
                    UpgradeTarget::problemOfPattern,
                    Function.identity(),
                    Function.identity()),
            MAX_PATTERNS);

    static final JsonCodec<List<String>> DIRECTORIES = new ListCodec<>(DIRECTORY, MAX_DIRECTORIES);

    public static final JsonCodec<UpgradePolicy> POLICY = policy();

    private record PolicyMetadata(PolicyScope name) {}

    private record PolicyFreeze(boolean frozen, @Nullable String reason) {
        static final PolicyFreeze NONE = new PolicyFreeze(false, null);
    }

    private record PolicyAttemptLimits(
            @Nullable Duration deadline,
            @Nullable Duration lostAfter,
            @Nullable String classLabel) {
        static final PolicyAttemptLimits NONE = new PolicyAttemptLimits(null, null, null);

        static @Nullable PolicyAttemptLimits of(UpgradePolicy policy) {
            PolicyAttemptLimits attempts =
                    new PolicyAttemptLimits(policy.attemptDeadline(), policy.lostAfter(), policy.classLabel());
            return attempts.equals(NONE) ? null : attempts;
        }
    }

    private record PolicySpec(
            @Nullable PolicyCaps caps,
            PolicyFreeze freeze,
            @Nullable PolicyAttemptLimits attempts,
            @Nullable IntentRule intents,
            MaintenanceCalendar calendar,
            @Nullable Duration heartbeatTimeout,
            CampaignRule campaigns,
            List<ProviderRule> providers) {
        static PolicySpec of(UpgradePolicy policy) {
            return new PolicySpec(
                    PolicyCaps.of(policy),
                    new PolicyFreeze(policy.frozen(), policy.frozenReason()),
                    PolicyAttemptLimits.of(policy),
                    policy.intentRule(),
                    policy.calendar(),
                    policy.heartbeatTimeout(),
                    policy.campaignRule(),
                    policy.providerRules());
        }
    }

    private UpgradePolicyCodec() {}

    private static JsonCodec<UpgradePolicy> policy() {
        var policy = JsonObjectCodec.<UpgradePolicy>of(
                "policy",
                "The rules of the fleet or of a site. A site's policy inherits from the fleet's what it leaves out.");
        ManifestFields.declareApiVersionAndKind(policy, "Policy");
        var metadata =
                policy.required("metadata", metadata(), "The scope of the policy.", p -> new PolicyMetadata(p.scope()));
        var spec = policy.required("spec", spec(), "The rules.", PolicySpec::of);
        return policy.build((v, at, problems) -> make(v.get(metadata).name(), v.get(spec), at, problems));
    }

    private static @Nullable UpgradePolicy make(
            PolicyScope scope, PolicySpec spec, JsonValue at, ProblemCollector problems) {
        PolicyCaps caps = spec.caps() == null ? PolicyCaps.NONE : spec.caps();
        PolicyAttemptLimits attempts = spec.attempts() == null ? PolicyAttemptLimits.NONE : spec.attempts();
        if (scope != FleetScope.FLEET && caps.siteInFlight() != null) {
            problems.add(
                    RejectionReason.CONTRADICTION,
                    at,
                    "is a site's policy but has caps.siteInFlight, which only the fleet's policy can have",
                    "write it as caps.inFlight");
            return null;
        }
        if (scope != FleetScope.FLEET && caps.prefetch().maxPreparingPerSite() != null) {
            problems.add(
                    RejectionReason.CONTRADICTION,
                    at,
                    "is a site's policy but has caps.sitePrefetch, which only the fleet's policy can have",
                    "write it as caps.prefetch");
            return null;
        }
        if (scope != FleetScope.FLEET && !spec.campaigns().equals(CampaignRule.NONE)) {
            problems.add(
                    RejectionReason.CONTRADICTION,
                    at,
                    "is a site's policy but has campaigns, which only the fleet's policy can have",
                    "move it to the fleet's policy");
            return null;
        }
        if (scope != FleetScope.FLEET
                && spec.providers().stream().anyMatch(rule -> !rule.sites().isEmpty())) {
            problems.add(
                    RejectionReason.CONTRADICTION,
                    at,
                    "is a site's policy but has providers with sites, which only the fleet's policy can have",
                    "leave sites out: the rules of a site's policy are for its own machines");
            return null;
        }
        return new UpgradePolicy(
                scope,
                caps.inFlight(),
                caps.siteInFlight(),
                spec.freeze().frozen(),
                spec.freeze().reason(),
                attempts.deadline(),
                attempts.lostAfter(),
                spec.intents(),
                attempts.classLabel(),
                spec.calendar(),
                spec.heartbeatTimeout(),
                spec.campaigns(),
                spec.providers(),
                caps.prefetch());
    }

    private static JsonObjectCodec<PolicyMetadata> metadata() {
        var metadata = JsonObjectCodec.<PolicyMetadata>of("metadata", "The scope of a policy.");
        var name = metadata.required(
                "name",
                IdCodecs.SCOPE,
                "\"fleet\" or a site's name; the same as the record's key.",
                PolicyMetadata::name);
        return metadata.build(v -> new PolicyMetadata(v.get(name)));
    }

    private static JsonObjectCodec<PolicySpec> spec() {
        var spec = JsonObjectCodec.<PolicySpec>of("policy-spec", "The rules of the fleet or of a site.");
        var caps = spec.optional(
                "caps",
                PolicyCapsCodec.CAPS,
                "How many machines may be in flight, and prepare, at once.",
                PolicySpec::caps);
        var freeze = spec.defaulted(
                "freeze", freeze(), PolicyFreeze.NONE, "Whether all starts and calls are stopped.", PolicySpec::freeze);
        var attempts = spec.optional("attempts", attempts(), "How long attempts may take.", PolicySpec::attempts);
        var intents = spec.optional("intents", intents(), "Rules for upgrades by annotation.", PolicySpec::intents);
        var calendar = spec.omittedIfDefault(
                "calendar",
                MaintenanceCalendarCodec.CALENDAR,
                MaintenanceCalendar.NONE,
                "When machines may start, for campaigns and annotations alike.",
                PolicySpec::calendar);
        var heartbeatTimeout = spec.optional(
                "heartbeatTimeout",
                ScalarCodecs.duration(MIN_HEARTBEAT_TIMEOUT, Duration.ofDays(1)),
                "The age of a heartbeat from which its site is silent. Default: 30 s. A watcher writes one every 10 s.",
                PolicySpec::heartbeatTimeout);
        var campaigns = spec.omittedIfDefault(
                "campaigns",
                campaigns(),
                CampaignRule.NONE,
                "In the fleet's policy: rules for all campaigns.",
                PolicySpec::campaigns);
        var providers = spec.omittedIfDefault(
                "providers",
                UpgradeProviderCodecs.RULES,
                List.of(),
                "What upgrades which machines: the first rule that selects a machine wins, also over what its watcher"
                        + " found. A site's rules replace the fleet's. Default: what the watcher found.",
                PolicySpec::providers);
        spec.unsupported(
                "journalRetention",
                ScalarCodecs.duration(Duration.ofDays(1), Duration.ofDays(36_500)),
                "a retention of the journal",
                "How long chapters of the journal are kept.");
        return spec.build(v -> new PolicySpec(
                v.get(caps),
                v.get(freeze),
                v.get(attempts),
                v.get(intents),
                v.get(calendar),
                v.get(heartbeatTimeout),
                v.get(campaigns),
                v.get(providers)));
    }

    private static JsonObjectCodec<CampaignRule> campaigns() {
        var campaigns = JsonObjectCodec.<CampaignRule>of("campaign-rules", "Rules for all campaigns.");
        var approval = campaigns.optional(
                "requireApproval",
                EnumCodec.of(RequiredApproval.class, RequiredApproval::label),
                "Where a campaign must wait for approval: before-first-wave, or after-first-wave (before a single wave).",
                CampaignRule::requireApproval);
        var firstWave = campaigns.optional(
                "firstWave",
                SharedValueCodecs.LIMIT,
                "With after-first-wave: the largest first wave that needs no approval before it, as a number of machines or a"
                        + " percentage of the campaign's. Default: 10%. A wave of one cluster is always allowed.",
                CampaignRule::firstWaveLimit);
        var targets = campaigns.omittedIfDefault(
                "targets",
                PATTERNS,
                List.of(),
                "Targets that campaigns may have: patterns such as channel=1.3?-classic/*. Default: any target.",
                CampaignRule::targetPatterns);
        return campaigns.build(v -> new CampaignRule(v.get(approval), v.get(firstWave), v.get(targets)));
    }

    private static JsonObjectCodec<PolicyFreeze> freeze() {
        var freeze = JsonObjectCodec.<PolicyFreeze>of("freeze", "Whether all starts and calls are stopped.");
        var frozen =
                freeze.defaulted("frozen", ScalarCodecs.FLAG, false, "Whether it is frozen.", PolicyFreeze::frozen);
        var reason = freeze.optional("reason", ScalarCodecs.text(0, 1_024), "Why it is frozen.", PolicyFreeze::reason);
        return freeze.build(v -> new PolicyFreeze(v.get(frozen), v.get(reason)));
    }

    private static JsonObjectCodec<PolicyAttemptLimits> attempts() {
        var attempts = JsonObjectCodec.<PolicyAttemptLimits>of("attempts", "How long attempts may take.");
        var deadline = attempts.optional(
                "deadline",
                ScalarCodecs.duration(Duration.ofMinutes(1), Duration.ofDays(7)),
                "How long an attempt may take after its call.",
                PolicyAttemptLimits::deadline);
        var lost = attempts.optional(
                "lostAfter",
                ScalarCodecs.duration(Duration.ofMinutes(1), Duration.ofDays(30)),
                "How long an attempt of unknown outcome occupies its slot.",
                PolicyAttemptLimits::lostAfter);
        var label = attempts.optional(
                "classLabel",
                ScalarCodecs.text(1, LabelsCodec.MAX_KEY),
                "The machine label whose values, with the role, form the classes for which durations are measured.",
                PolicyAttemptLimits::classLabel);
        return attempts.build(v -> new PolicyAttemptLimits(v.get(deadline), v.get(lost), v.get(label)));
    }

    private static JsonObjectCodec<IntentRule> intents() {
        var intents = JsonObjectCodec.<IntentRule>of("intent-rules", "Rules for upgrades by annotation.");
        var unavailable = intents.defaulted(
                "maxUnavailable",
                SharedValueCodecs.LIMIT,
                IntentRule.DEFAULT.maxUnavailable(),
                "Workers of a cluster that may be unavailable or in flight at once.",
                IntentRule::maxUnavailable);
        var retries = intents.defaulted(
                "retries",
                SharedValueCodecs.RETRIES,
                IntentRule.DEFAULT.retryRule(),
                "How often and when a failed machine is retried.",
                IntentRule::retryRule);
        var paths = intents.omittedIfDefault(
                "localPaths",
                DIRECTORIES,
                List.of(),
                "Directories below which localPath= may point, in annotations and campaigns. Default: none.",
                IntentRule::localPaths);
        var inFlight = intents.optional(
                "inFlight",
                SharedValueCodecs.LIMIT,
                "Machines of a site in flight at once for annotations, as a number or as a percentage of the site's machines.",
                IntentRule::maxInFlight);
        var ofCluster = intents.optional(
                "clusterInFlight",
                SharedValueCodecs.LIMIT,
                "Machines of a cluster in flight at once, checked when a machine starts for an annotation.",
                IntentRule::maxInFlightPerCluster);
        var clusterSoak = intents.omittedIfDefault(
                "clusterSoak",
                ScalarCodecs.duration(Duration.ZERO, Duration.ofDays(1)),
                Duration.ZERO,
                "The pause in a cluster between one machine's success and the next start.",
                IntentRule::clusterSoak);
        var windows = intents.omittedIfDefault(
                "windows",
                MaintenanceWindowCodec.WINDOWS,
                List.of(),
                "No machine starts for an annotation outside of these windows. Default: any time.",
                IntentRule::windows);
        var drain = intents.optional(
                "drain",
                SharedValueCodecs.DRAIN,
                "Whether nodes are drained before their calls: never, auto or always. Default: the setting of the site's"
                        + " worker.",
                IntentRule::drainMode);
        var downgrade = intents.omittedIfDefault(
                "allowDowngrade",
                ScalarCodecs.FLAG,
                false,
                "Whether an annotation may downgrade a machine.",
                rule -> rule.versions().allowDowngrade());
        var unknown = intents.omittedIfDefault(
                "allowUnknownVersion",
                ScalarCodecs.FLAG,
                false,
                "Whether several machines may start for a target whose version is not known yet. If not, one machine of a"
                        + " site starts at a time.",
                rule -> rule.versions().allowUnknownVersion());
        var priority = intents.omittedIfDefault(
                "priority",
                ScalarCodecs.integer(0, 100),
                IntentRule.DEFAULT_PRIORITY,
                "Of the campaigns and annotations that want the same slot, the one with the highest priority comes first. At"
                        + " equal priority, each site's annotations share the slots like a campaign of default weight.",
                IntentRule::priority);
        var targets = intents.omittedIfDefault(
                "targets",
                PATTERNS,
                List.of(),
                "Targets that annotations may have: patterns such as channel=1.3?-classic/*. Default: any target.",
                IntentRule::targetPatterns);
        return intents.build(v -> new IntentRule(
                v.get(unavailable),
                v.get(retries),
                v.get(paths),
                v.get(inFlight),
                v.get(ofCluster),
                v.get(clusterSoak),
                v.get(windows),
                v.get(drain),
                new VersionRuleExemptions(v.get(downgrade), v.get(unknown)),
                v.get(priority),
                v.get(targets)));
    }
}
