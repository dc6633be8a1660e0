package dev.flotilla.core.fleet;

import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.id.ObjectKey;
import dev.flotilla.schemas.row.RolloutRef;
import dev.flotilla.schemas.row.RolloutEntry;
import dev.flotilla.schemas.row.UpgradeIntent;
import dev.flotilla.schemas.row.MachineOutcome;
import dev.flotilla.schemas.row.UpgradePolicy;
import dev.flotilla.schemas.row.UpgradePolicy.IntentRule;
import dev.flotilla.schemas.row.UpgradeTarget;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** All that annotations ask for in a site. A machine's own intent comes before its owner's, and that before its cluster's. */
public final class IntentsRollout extends Rollout {
    private final Map<ObjectKey, UpgradeIntent> intents = new LinkedHashMap<>();

    /** Whether a machine has ever had one of its own: mostly none has, and nobody need look for it. */
    private boolean ofMachines;

    private final Site site;
    private final SiteTargets targets;
    private IntentRule rule = IntentRule.DEFAULT;

    IntentsRollout(Site site, SiteTargets targets) {
        super(site.id().name());
        this.site = site;
        this.targets = targets;
        this.claiming = true;
    }

    /** The rule for a site: its own, else the fleet's. */
    public static IntentRule rule(@Nullable UpgradePolicy fleet, @Nullable UpgradePolicy site) {
        if (site != null && site.intentRule() != null) {
            return site.intentRule();
        }
        return fleet != null && fleet.intentRule() != null ? fleet.intentRule() : IntentRule.DEFAULT;
    }

    public Site site() {
        return site;
    }

    public @Nullable UpgradeIntent intent(ObjectKey object) {
        return intents.get(object);
    }

    Map<ObjectKey, UpgradeIntent> all() {
        return intents;
    }

    void put(ObjectKey object, @Nullable UpgradeIntent intent) {
        if (intent == null) {
            intents.remove(object);
        } else {
            intents.put(object, intent);
            ofMachines |= object instanceof MachineKey;
        }
    }

    @Override
    public @Nullable RolloutRef driverOf(Machine machine) {
        UpgradeIntent intent = intentOf(machine);
        return intent == null ? null : driver(intent);
    }

    @Override
    public @Nullable UpgradeTarget targetOf(Machine machine) {
        UpgradeIntent intent = intentOf(machine);
        return intent == null ? null : intent.target();
    }

    /** What is known of the targets of a site's annotations. */
    SiteTargets targets() {
        return targets;
    }

    /** Of a revision what machines of the site show that run it. What is behind a path or a track without a version nobody knows. */
    @Override
    public int targetVersion(Machine machine) {
        return switch (targetOf(machine)) {
            case UpgradeTarget.Channel channel -> KubeVersion.of(channel.channel());
            case UpgradeTarget.Revision revision -> targets.version(revision.revision());
            case UpgradeTarget.LocalPath path -> KubeVersion.UNKNOWN;
            case null -> KubeVersion.UNKNOWN;
        };
    }

    /** Machines of the site that are in flight to a target for annotations. */
    public int inFlightTo(UpgradeTarget target) {
        return targets.inFlight(target);
    }

    /** On whose behalf an intent's machines are upgraded. */
    public static RolloutRef driver(UpgradeIntent intent) {
        return new RolloutRef.IntentRef(intent.object(), intent.since());
    }

    /** The intent that a machine follows now: the first that it has not ended for, else the last it ended for. */
    private @Nullable UpgradeIntent intentOf(Machine machine) {
        if (intents.isEmpty()) {
            return null;
        }
        UpgradeIntent own = ofMachines ? followed(intents.get(machine.key())) : null;
        if (own != null && !own.uid().isEmpty() && !machine.isUid(own.uid())) {
            own = null;
        }
        if (own != null && !hasEnded(machine, own)) {
            return own;
        }
        UpgradeIntent owners = followed(machine.ownersIntent());
        if (owners != null && !hasEnded(machine, owners)) {
            return owners;
        }
        Cluster cluster = machine.cluster();
        UpgradeIntent whole = cluster == null || cluster.isNowhere() ? null : followed(intents.get(cluster.key()));
        return whole != null ? whole : owners != null ? owners : own;
    }

    private static boolean hasEnded(Machine machine, UpgradeIntent intent) {
        RolloutEntry entry = machine.entry(driver(intent));
        return entry != null && entry.outcome().hasEnded();
    }

    /** An intent, unless it is one that is refused. */
    @Nullable
    UpgradeIntent followed(@Nullable UpgradeIntent intent) {
        return intent == null || !rule.allows(intent.target()) ? null : intent;
    }

    /** Follows another rule from now on; the objects about whose intents it says something else than before. */
    List<ObjectKey> follow(IntentRule next) {
        IntentRule before = rule;
        rule = next;
        rules = RolloutRules.of(next);
        return intents.values().stream()
                .filter(intent -> before.allows(intent.target()) != next.allows(intent.target()))
                .map(UpgradeIntent::object)
                .toList();
    }

    @Override
    public int flying() {
        return site.asked;
    }

    @Override
    public int machinesInAll() {
        return site.machines();
    }

    @Override
    public boolean over() {
        return false;
    }

    @Override
    boolean hasBudget() {
        return false;
    }

    @Override
    boolean concerns(Cluster cluster) {
        return !intents.isEmpty() && cluster.site() == site;
    }

    @Override
    int waveOf(Cluster cluster) {
        return 0;
    }

    @Override
    Standing standing(Cluster cluster, Machine machine) {
        UpgradeIntent intent = intentOf(machine);
        if (intent == null || !machine.isPresent()) {
            return Standing.NONE;
        }
        RolloutRef rolloutRef = driver(intent);
        RolloutEntry entry = machine.entry(rolloutRef);
        var attempt = machine.attempt();
        boolean ours = attempt != null && attempt.rolloutRef().equals(rolloutRef);
        int failed = entry == null ? 0 : entry.failedAttempts();
        if (ours) {
            return failed > 0 ? Standing.RETRYING : Standing.IN_FLIGHT;
        }
        MachineOutcome outcome = entry == null ? MachineOutcome.OPEN : entry.outcome();
        return switch (outcome) {
            case OPEN -> waiting(machine, entry, failed);
            case SUCCEEDED -> Standing.SUCCEEDED;
            case UNCHANGED -> Standing.UNCHANGED;
            case QUARANTINED -> Standing.QUARANTINED;
            case SKIPPED -> Standing.SKIPPED;
        };
    }

    /** Given up on for its owner, it follows what is asked for its cluster. */
    @Override
    boolean leftBehind(Cluster cluster, Machine member) {
        return isGivenUpOn(member, followed(member.ownersIntent()))
                || isGivenUpOn(member, followed(intents.get(cluster.key())));
    }

    private static boolean isGivenUpOn(Machine member, @Nullable UpgradeIntent intent) {
        RolloutEntry entry = intent == null || member.optOut() ? null : member.entry(driver(intent));
        return entry != null && entry.outcome() == MachineOutcome.QUARANTINED;
    }

    private static Standing waiting(Machine machine, @Nullable RolloutEntry entry, int failed) {
        if (machine.optOut()) {
            return entry == null ? Standing.NONE : Standing.SKIPPED;
        }
        return failed > 0 ? Standing.FAILED : Standing.FRESH;
    }
}
