package dev.flotilla.schemas.json.rows;

import dev.flotilla.schemas.id.Fleet;
import dev.flotilla.schemas.id.Scope;
import dev.flotilla.schemas.json.codec.Choice;
import dev.flotilla.schemas.json.codec.Codec;
import dev.flotilla.schemas.json.codec.LabelsCodec;
import dev.flotilla.schemas.json.codec.Lists;
import dev.flotilla.schemas.json.codec.Problems;
import dev.flotilla.schemas.json.codec.RecordCodec;
import dev.flotilla.schemas.json.codec.Scalars;
import dev.flotilla.schemas.json.tree.Tree;
import dev.flotilla.schemas.row.Limit;
import dev.flotilla.schemas.row.Policy;
import dev.flotilla.schemas.row.Policy.Calendar;
import dev.flotilla.schemas.row.Policy.CampaignRule;
import dev.flotilla.schemas.row.Policy.IntentRule;
import dev.flotilla.schemas.row.Policy.RequiredApproval;
import dev.flotilla.schemas.row.Policy.VersionRule;
import dev.flotilla.schemas.row.RejectionReason;
import dev.flotilla.schemas.row.UpgradeOption;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A policy of the fleet or of a site, shaped like a Kubernetes object. */
public final class PolicyCodec {
    private static final int MOST_DIRECTORIES = 32;
    private static final int MOST_MEGA = 1_000_000;
    private static final Duration SOONEST_SILENCE = Duration.ofSeconds(15);

    private static final Codec<String> DIRECTORY = Scalars.parsed(
            "a directory",
            UpgradeOption.MAX_LENGTH,
            UpgradeOption::problemOfDirectory,
            Function.identity(),
            Function.identity());

    private static final int MOST_PATTERNS = 64;
    private static final int LONGEST_PATTERN = 256;

    private static final Codec<List<String>> PATTERNS = new Lists<>(
            Scalars.parsed(
                    "a pattern of upgrade options",
                    LONGEST_PATTERN,
                    UpgradeOption::problemOfPattern,
                    Function.identity(),
                    Function.identity()),
            MOST_PATTERNS);

    static final Codec<List<String>> DIRECTORIES = new Lists<>(DIRECTORY, MOST_DIRECTORIES);

    public static final Codec<Policy> POLICY = policy();

    private record Metadata(Scope name) {}

    private record Caps(@Nullable Limit inFlight, @Nullable Limit siteInFlight) {
        static @Nullable Caps of(Policy policy) {
            return policy.inFlight() == null && policy.siteInFlight() == null
                    ? null
                    : new Caps(policy.inFlight(), policy.siteInFlight());
        }
    }

    private record Freeze(boolean frozen, @Nullable String why) {
        static final Freeze NONE = new Freeze(false, null);
    }

    private record Attempts(
            @Nullable Duration deadline,
            @Nullable Duration lostAfter,
            @Nullable String classLabel) {
        static final Attempts NONE = new Attempts(null, null, null);

        static @Nullable Attempts of(Policy policy) {
            Attempts attempts = new Attempts(policy.attemptDeadline(), policy.lostAfter(), policy.classLabel());
            return attempts.equals(NONE) ? null : attempts;
        }
    }

    private record Spec(
            @Nullable Caps caps,
            Freeze freeze,
            @Nullable Attempts attempts,
            @Nullable IntentRule intents,
            Calendar calendar,
            @Nullable Duration silentAfter,
            CampaignRule campaigns) {
        static Spec of(Policy policy) {
            return new Spec(
                    Caps.of(policy),
                    new Freeze(policy.frozen(), policy.frozenWhy()),
                    Attempts.of(policy),
                    policy.intents(),
                    policy.calendar(),
                    policy.silentAfter(),
                    policy.campaigns());
        }
    }

    private PolicyCodec() {}

    private static Codec<Policy> policy() {
        var policy = RecordCodec.<Policy>of(
                "policy", "The rules of the fleet or of a site. What a site leaves out is as the fleet has it.");
        Shapes.head(policy, "Policy");
        var metadata =
                policy.required("metadata", metadata(), "What the policy is about.", p -> new Metadata(p.scope()));
        var spec = policy.required("spec", spec(), "The rules.", Spec::of);
        return policy.build((v, at, problems) -> make(v.get(metadata).name(), v.get(spec), at, problems));
    }

    private static @Nullable Policy make(Scope scope, Spec spec, Tree at, Problems problems) {
        Caps caps = spec.caps() == null ? new Caps(null, null) : spec.caps();
        Attempts attempts = spec.attempts() == null ? Attempts.NONE : spec.attempts();
        if (scope != Fleet.FLEET && caps.siteInFlight() != null) {
            problems.add(
                    RejectionReason.CONTRADICTION,
                    at,
                    "is a site's policy and has caps.siteInFlight, which only the fleet's policy can have",
                    "write it as caps.inFlight");
            return null;
        }
        if (scope != Fleet.FLEET && !spec.campaigns().equals(CampaignRule.NONE)) {
            problems.add(
                    RejectionReason.CONTRADICTION,
                    at,
                    "is a site's policy and has campaigns, which only the fleet's policy can have",
                    "write it into the fleet's policy");
            return null;
        }
        return new Policy(
                scope,
                caps.inFlight(),
                caps.siteInFlight(),
                spec.freeze().frozen(),
                spec.freeze().why(),
                attempts.deadline(),
                attempts.lostAfter(),
                spec.intents(),
                attempts.classLabel(),
                spec.calendar(),
                spec.silentAfter(),
                spec.campaigns());
    }

    private static RecordCodec<Metadata> metadata() {
        var metadata = RecordCodec.<Metadata>of("metadata", "What the policy is about.");
        var name = metadata.required(
                "name", Ids.SCOPE, "\"fleet\", or a site's name; the same as the record's key.", Metadata::name);
        return metadata.build(v -> new Metadata(v.get(name)));
    }

    private static RecordCodec<Spec> spec() {
        var spec = RecordCodec.<Spec>of("policy-spec", "The rules of the fleet or of a site.");
        var caps = spec.optional("caps", caps(), "How many machines may be in flight at once.", Spec::caps);
        var freeze = spec.defaulted(
                "freeze", freeze(), Freeze.NONE, "Whether nothing may start or be called.", Spec::freeze);
        var attempts = spec.optional("attempts", attempts(), "How long attempts may take.", Spec::attempts);
        var intents = spec.optional("intents", intents(), "How annotations are followed.", Spec::intents);
        var calendar = spec.usual(
                "calendar",
                calendar(),
                Calendar.NONE,
                "When machines may be started, whoever asks for it.",
                Spec::calendar);
        var silent = spec.optional(
                "silentAfter",
                Scalars.duration(SOONEST_SILENCE, Duration.ofDays(1)),
                "How old a heartbeat may be before its site is silent; without it 30 s. A watcher writes one every 10 s.",
                Spec::silentAfter);
        var campaigns = spec.usual(
                "campaigns",
                campaigns(),
                CampaignRule.NONE,
                "In the fleet's policy: what campaigns may do, whoever writes them.",
                Spec::campaigns);
        spec.later(
                "journalRetention",
                Scalars.duration(Duration.ofDays(1), Duration.ofDays(36_500)),
                "a retention of the journal",
                "How long chapters of the journal are kept.");
        return spec.build(v -> new Spec(
                v.get(caps),
                v.get(freeze),
                v.get(attempts),
                v.get(intents),
                v.get(calendar),
                v.get(silent),
                v.get(campaigns)));
    }

    private static RecordCodec<CampaignRule> campaigns() {
        var campaigns = RecordCodec.<CampaignRule>of("campaign-rules", "What campaigns may do, whoever writes them.");
        var approval = campaigns.optional(
                "requireApproval",
                Choice.of(RequiredApproval.class, RequiredApproval::label),
                "Where a person's approval has to stand: before-first-wave, or after-first-wave (of a single wave, before it).",
                CampaignRule::requireApproval);
        var firstWave = campaigns.optional(
                "firstWave",
                Parts.LIMIT,
                "With after-first-wave: what the first wave may take without an approval before it, as a number of machines or a"
                        + " share of the campaign's; without it 10%. One cluster is never too much.",
                CampaignRule::firstWave);
        var targets = campaigns.usual(
                "targets",
                PATTERNS,
                List.of(),
                "What campaigns may lead to: patterns such as channel=1.3?-classic/*. Anything where there are none.",
                CampaignRule::targets);
        return campaigns.build(v -> new CampaignRule(v.get(approval), v.get(firstWave), v.get(targets)));
    }

    private static RecordCodec<Caps> caps() {
        var caps = RecordCodec.<Caps>of("policy-caps", "How many machines may be in flight at once.");
        var inFlight = caps.optional(
                "inFlight",
                Parts.LIMIT,
                "Machines of this scope, as a number or as a share such as \"5%\" (rounded down, at least 1).",
                Caps::inFlight);
        var siteInFlight = caps.optional(
                "siteInFlight",
                Parts.LIMIT,
                "In the fleet's policy: the same for every site that does not say otherwise.",
                Caps::siteInFlight);
        return caps.build(v -> new Caps(v.get(inFlight), v.get(siteInFlight)));
    }

    private static RecordCodec<Freeze> freeze() {
        var freeze = RecordCodec.<Freeze>of("freeze", "Whether nothing may start or be called.");
        var frozen = freeze.defaulted("frozen", Scalars.FLAG, false, "Whether it is frozen.", Freeze::frozen);
        var why = freeze.optional("why", Scalars.text(0, 1_024), "Why it is frozen.", Freeze::why);
        return freeze.build(v -> new Freeze(v.get(frozen), v.get(why)));
    }

    private static RecordCodec<Calendar> calendar() {
        var calendar = RecordCodec.<Calendar>of("calendar", "When machines may be started, whoever asks for it.");
        var zone = calendar.optional(
                "timeZone",
                WindowCodec.ZONE,
                "The time zone of clusters that have none of their own.",
                Calendar::timeZone);
        var windows = calendar.usual(
                "windows",
                WindowCodec.WINDOWS,
                List.of(),
                "Nothing is started outside of them; none is at any time.",
                Calendar::windows);
        var estimate = calendar.optional(
                "estimate",
                Scalars.duration(Duration.ofMinutes(1), Duration.ofDays(1)),
                "How long an attempt takes, as long as a campaign has not seen enough of them to know.",
                Calendar::estimate);
        var size = calendar.optional(
                "downloadMegabytes",
                Scalars.integer(1, MOST_MEGA),
                "What a node loads for an upgrade. With linkMegabits, the time that takes is added to the estimate.",
                Calendar::downloadMegabytes);
        var rate = calendar.optional(
                "linkMegabits",
                Scalars.integer(1, MOST_MEGA),
                "What the link to a site carries in a second, in megabits.",
                Calendar::linkMegabits);
        return calendar.build(
                v -> new Calendar(v.get(zone), v.get(windows), v.get(estimate), v.get(size), v.get(rate)));
    }

    private static RecordCodec<Attempts> attempts() {
        var attempts = RecordCodec.<Attempts>of("attempts", "How long attempts may take.");
        var deadline = attempts.optional(
                "deadline",
                Scalars.duration(Duration.ofMinutes(1), Duration.ofDays(7)),
                "How long an attempt may take after its call.",
                Attempts::deadline);
        var lost = attempts.optional(
                "lostAfter",
                Scalars.duration(Duration.ofMinutes(1), Duration.ofDays(30)),
                "How long an attempt of unknown outcome holds its slot.",
                Attempts::lostAfter);
        var label = attempts.optional(
                "classLabel",
                Scalars.text(1, LabelsCodec.MAX_KEY),
                "The label of machines by whose values their durations are told apart, beside their roles.",
                Attempts::classLabel);
        return attempts.build(v -> new Attempts(v.get(deadline), v.get(lost), v.get(label)));
    }

    private static RecordCodec<IntentRule> intents() {
        var intents = RecordCodec.<IntentRule>of("intent-rules", "How annotations are followed.");
        var unavailable = intents.defaulted(
                "maxUnavailable",
                Parts.LIMIT,
                IntentRule.DEFAULT.maxUnavailable(),
                "Workers of a cluster that may be unavailable or in flight at once.",
                IntentRule::maxUnavailable);
        var retries = intents.defaulted(
                "retries",
                Parts.RETRIES,
                IntentRule.DEFAULT.retries(),
                "How often and when a failed machine is tried again.",
                IntentRule::retries);
        var paths = intents.usual(
                "localPaths",
                DIRECTORIES,
                List.of(),
                "Directories below which localPath= may point: none unless they are named here.",
                IntentRule::localPaths);
        var inFlight = intents.optional(
                "inFlight",
                Parts.LIMIT,
                "Machines of a site in flight at once for annotations, as a number or as a share of the site's machines.",
                IntentRule::inFlight);
        var ofCluster = intents.optional(
                "clusterInFlight",
                Parts.LIMIT,
                "Machines of a cluster in flight at once while one of them is started for an annotation.",
                IntentRule::clusterInFlight);
        var settle = intents.usual(
                "settle",
                Scalars.duration(Duration.ZERO, Duration.ofDays(1)),
                Duration.ZERO,
                "How long a cluster rests after a machine's success before its next start.",
                IntentRule::settle);
        var windows = intents.usual(
                "windows",
                WindowCodec.WINDOWS,
                List.of(),
                "Nothing is started for annotations outside of them; none is at any time.",
                IntentRule::windows);
        var drain = intents.optional(
                "drain",
                Parts.DRAIN,
                "Whether nodes are emptied before their calls: never, auto or always. Without it as the site's worker is"
                        + " set.",
                IntentRule::drain);
        var downgrade = intents.usual(
                "allowDowngrade",
                Scalars.FLAG,
                false,
                "Whether an annotation may bring a machine to an older version than it shows.",
                rule -> rule.versions().allowDowngrade());
        var unknown = intents.usual(
                "allowUnknownVersion",
                Scalars.FLAG,
                false,
                "Whether machines may start together for a target whose version is not known. Without it one machine of a"
                        + " site starts at a time.",
                rule -> rule.versions().allowUnknownVersion());
        var priority = intents.usual(
                "priority",
                Scalars.integer(0, 100),
                IntentRule.USUAL_PRIORITY,
                "Among campaigns and annotations that want the same slot, the highest goes first. At equal priority each"
                        + " site's annotations share the slots with the campaigns as a campaign of the usual weight.",
                IntentRule::priority);
        var targets = intents.usual(
                "targets",
                PATTERNS,
                List.of(),
                "What annotations may ask for: patterns such as channel=1.3?-classic/*. Anything where there are none.",
                IntentRule::targets);
        return intents.build(v -> new IntentRule(
                v.get(unavailable),
                v.get(retries),
                v.get(paths),
                v.get(inFlight),
                v.get(ofCluster),
                v.get(settle),
                v.get(windows),
                v.get(drain),
                new VersionRule(v.get(downgrade), v.get(unknown)),
                v.get(priority),
                v.get(targets)));
    }
}
