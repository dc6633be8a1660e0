package dev.flotilla.core.fleet;

import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.id.ObjectKey;
import dev.flotilla.schemas.row.Driver;
import dev.flotilla.schemas.row.Entry;
import dev.flotilla.schemas.row.Intent;
import dev.flotilla.schemas.row.Outcome;
import dev.flotilla.schemas.row.Policy;
import dev.flotilla.schemas.row.Policy.IntentRule;
import dev.flotilla.schemas.row.UpgradeOption;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** All that annotations ask for in a site. A machine's own intent comes before its owner's, and that before its cluster's. */
public final class IntentsRollout extends Rollout {
    private final Map<ObjectKey, Intent> intents = new LinkedHashMap<>();

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
    public static IntentRule rule(@Nullable Policy fleet, @Nullable Policy site) {
        if (site != null && site.intents() != null) {
            return site.intents();
        }
        return fleet != null && fleet.intents() != null ? fleet.intents() : IntentRule.DEFAULT;
    }

    public Site site() {
        return site;
    }

    public @Nullable Intent intent(ObjectKey object) {
        return intents.get(object);
    }

    Map<ObjectKey, Intent> all() {
        return intents;
    }

    void put(ObjectKey object, @Nullable Intent intent) {
        if (intent == null) {
            intents.remove(object);
        } else {
            intents.put(object, intent);
            ofMachines |= object instanceof MachineKey;
        }
    }

    @Override
    public @Nullable Driver driverOf(Machine machine) {
        Intent intent = intentOf(machine);
        return intent == null ? null : driver(intent);
    }

    @Override
    public @Nullable UpgradeOption targetOf(Machine machine) {
        Intent intent = intentOf(machine);
        return intent == null ? null : intent.option();
    }

    /** What is known of the targets of a site's annotations. */
    SiteTargets targets() {
        return targets;
    }

    /** Of a revision what machines of the site show that run it. What is behind a path or a track without a version nobody knows. */
    @Override
    public int targetVersion(Machine machine) {
        return switch (targetOf(machine)) {
            case UpgradeOption.Channel channel -> KubeVersion.of(channel.channel());
            case UpgradeOption.Revision revision -> targets.version(revision.revision());
            case UpgradeOption.LocalPath path -> KubeVersion.UNKNOWN;
            case null -> KubeVersion.UNKNOWN;
        };
    }

    /** Machines of the site that are in flight to a target for annotations. */
    public int inFlightTo(UpgradeOption target) {
        return targets.inFlight(target);
    }

    /** On whose behalf an intent's machines are upgraded. */
    public static Driver driver(Intent intent) {
        return new Driver.OfIntent(intent.object(), intent.since());
    }

    /** The intent that a machine follows now: the first that it has not ended for, else the last it ended for. */
    private @Nullable Intent intentOf(Machine machine) {
        if (intents.isEmpty()) {
            return null;
        }
        Intent own = ofMachines ? followed(intents.get(machine.key())) : null;
        if (own != null && !own.uid().isEmpty() && !machine.isUid(own.uid())) {
            own = null;
        }
        if (own != null && !hasEnded(machine, own)) {
            return own;
        }
        Intent owners = followed(machine.ownersIntent());
        if (owners != null && !hasEnded(machine, owners)) {
            return owners;
        }
        Cluster cluster = machine.cluster();
        Intent whole = cluster == null || cluster.isNowhere() ? null : followed(intents.get(cluster.key()));
        return whole != null ? whole : owners != null ? owners : own;
    }

    private static boolean hasEnded(Machine machine, Intent intent) {
        Entry entry = machine.entry(driver(intent));
        return entry != null && entry.outcome().ended();
    }

    /** An intent, unless it is one that is refused. */
    @Nullable
    Intent followed(@Nullable Intent intent) {
        return intent == null || !rule.allows(intent.option()) ? null : intent;
    }

    /** Follows another rule from now on; the objects about whose intents it says something else than before. */
    List<ObjectKey> follow(IntentRule next) {
        IntentRule before = rule;
        rule = next;
        rules = RolloutRules.of(next);
        return intents.values().stream()
                .filter(intent -> before.allows(intent.option()) != next.allows(intent.option()))
                .map(Intent::object)
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
        Intent intent = intentOf(machine);
        if (intent == null || !machine.isPresent()) {
            return Standing.NONE;
        }
        Driver driver = driver(intent);
        Entry entry = machine.entry(driver);
        var attempt = machine.attempt();
        boolean ours = attempt != null && attempt.driver().equals(driver);
        int failed = entry == null ? 0 : entry.failedAttempts();
        if (ours) {
            return failed > 0 ? Standing.RETRYING : Standing.IN_FLIGHT;
        }
        Outcome outcome = entry == null ? Outcome.OPEN : entry.outcome();
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

    private static boolean isGivenUpOn(Machine member, @Nullable Intent intent) {
        Entry entry = intent == null || member.optOut() ? null : member.entry(driver(intent));
        return entry != null && entry.outcome() == Outcome.QUARANTINED;
    }

    private static Standing waiting(Machine machine, @Nullable Entry entry, int failed) {
        if (machine.optOut()) {
            return entry == null ? Standing.NONE : Standing.SKIPPED;
        }
        return failed > 0 ? Standing.FAILED : Standing.FRESH;
    }
}
