package dev.flotilla.core.fleet.rollout;

import dev.flotilla.core.fleet.inventory.ClusterState;
import dev.flotilla.core.fleet.inventory.KubernetesVersion;
import dev.flotilla.core.fleet.inventory.MachineProgressState;
import dev.flotilla.core.fleet.inventory.MachineView;
import dev.flotilla.core.fleet.inventory.RevisionVersionIndex;
import dev.flotilla.core.fleet.inventory.SiteState;
import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.id.ObjectKey;
import dev.flotilla.schemas.row.MachineOutcome;
import dev.flotilla.schemas.row.RolloutEntry;
import dev.flotilla.schemas.row.RolloutRef;
import dev.flotilla.schemas.row.UpgradeAttempt;
import dev.flotilla.schemas.row.UpgradeIntent;
import dev.flotilla.schemas.row.UpgradePolicy;
import dev.flotilla.schemas.row.UpgradePolicy.IntentRule;
import dev.flotilla.schemas.row.UpgradeTarget;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** All intents of a site. A machine's own intent goes before its owner's, and that before its cluster's. */
public final class SiteIntentsRollout extends Rollout {
    private final Map<ObjectKey, UpgradeIntent> intents = new LinkedHashMap<>();

    /** Whether any machine ever had an intent of its own; usually none has, which saves the lookup. */
    private boolean hasMachineIntents;

    private final SiteState site;
    private final RevisionVersionIndex targets;
    private IntentRule rule = IntentRule.DEFAULT;

    SiteIntentsRollout(SiteState site, RevisionVersionIndex targets) {
        super(site.id().name());
        this.site = site;
        this.targets = targets;
        mayHaveMembers(true);
    }

    /** The intent rule of a site: its own, otherwise the fleet's. */
    public static IntentRule rule(@Nullable UpgradePolicy fleet, @Nullable UpgradePolicy site) {
        if (site != null && site.intentRule() != null) {
            return site.intentRule();
        }
        return fleet != null && fleet.intentRule() != null ? fleet.intentRule() : IntentRule.DEFAULT;
    }

    public SiteState site() {
        return site;
    }

    public @Nullable UpgradeIntent intent(ObjectKey object) {
        return intents.get(object);
    }

    public Map<ObjectKey, UpgradeIntent> all() {
        return intents;
    }

    public void put(ObjectKey object, @Nullable UpgradeIntent intent) {
        if (intent == null) {
            intents.remove(object);
        } else {
            intents.put(object, intent);
            hasMachineIntents |= object instanceof MachineKey;
        }
    }

    @Override
    public @Nullable RolloutRef rolloutRefOf(MachineView machine) {
        UpgradeIntent intent = intentOf(machine);
        return intent == null ? null : rolloutRefFor(intent);
    }

    @Override
    public @Nullable UpgradeTarget targetOf(MachineView machine) {
        UpgradeIntent intent = intentOf(machine);
        return intent == null ? null : intent.target();
    }

    @Override
    public @Nullable String expectedVersion(UpgradeAttempt attempt) {
        UpgradeIntent intent =
                attempt.rolloutRef() instanceof RolloutRef.IntentRef ref ? intents.get(ref.object()) : null;
        return intent != null && rolloutRefFor(intent).equals(attempt.rolloutRef()) ? intent.expectedVersion() : null;
    }

    /** What is known about the targets of the site's intents. */
    public RevisionVersionIndex targets() {
        return targets;
    }

    /**
     * The version that the target names, or that the site's machines show for a revision, or that the UpgradeTask expects at a
     * hash. The version behind a path, or of a track without one, is unknown.
     */
    @Override
    public int targetVersion(MachineView machine) {
        UpgradeIntent intent = intentOf(machine);
        return intent == null ? KubernetesVersion.UNKNOWN : targetVersion(intent);
    }

    private int targetVersion(UpgradeIntent intent) {
        return switch (intent.target()) {
            case UpgradeTarget.Channel channel -> KubernetesVersion.parse(channel.channel());
            case UpgradeTarget.Revision revision -> targets.version(revision.revision());
            case UpgradeTarget.KubernetesRelease release -> KubernetesVersion.parse(release.version());
            case UpgradeTarget.LocalPath path -> KubernetesVersion.UNKNOWN;
            case UpgradeTarget.MachineSpecHash hash -> KubernetesVersion.parse(intent.expectedVersion());
        };
    }

    /** Machines of the site that are in flight to a target for annotations. */
    public int inFlightTo(UpgradeTarget target) {
        return targets.inFlight(target);
    }

    /** The rollout reference of an intent's machines. */
    public static RolloutRef rolloutRefFor(UpgradeIntent intent) {
        return new RolloutRef.IntentRef(intent.object(), intent.requestedAt());
    }

    /** The intent that a machine follows: the first for which it has not ended, otherwise the last. */
    public @Nullable UpgradeIntent intentOf(MachineView machine) {
        if (intents.isEmpty()) {
            return null;
        }
        UpgradeIntent own = ifApplicable(ownIntent(machine), machine);
        if (own != null && !hasEnded(machine, own)) {
            return own;
        }
        UpgradeIntent owners = ifApplicable(ifAllowed(machine.ownersIntent()), machine);
        if (owners != null && !hasEnded(machine, owners)) {
            return owners;
        }
        UpgradeIntent whole = ifApplicable(clusterIntent(machine), machine);
        return whole != null ? whole : owners != null ? owners : own;
    }

    private @Nullable UpgradeIntent ownIntent(MachineView machine) {
        UpgradeIntent own = hasMachineIntents ? ifAllowed(intents.get(machine.key())) : null;
        return own != null && !own.uid().isEmpty() && !machine.isUid(own.uid()) ? null : own;
    }

    private @Nullable UpgradeIntent clusterIntent(MachineView machine) {
        ClusterState cluster = machine.cluster();
        return cluster == null || cluster.isPlaceholder() ? null : ifAllowed(intents.get(cluster.key()));
    }

    /** An intent, if the machine's provider can apply its target; otherwise null. */
    private static @Nullable UpgradeIntent ifApplicable(@Nullable UpgradeIntent intent, MachineView machine) {
        return intent == null || !machine.provider().canApply(intent.target()) ? null : intent;
    }

    /** The first intent for a machine whose target its provider cannot apply, so that it does not follow it; null for none. */
    public @Nullable UpgradeIntent inapplicableIntent(MachineView machine) {
        UpgradeIntent own = ownIntent(machine);
        if (own != null && ifApplicable(own, machine) == null) {
            return own;
        }
        UpgradeIntent owners = ifAllowed(machine.ownersIntent());
        if (owners != null && ifApplicable(owners, machine) == null) {
            return owners;
        }
        UpgradeIntent whole = clusterIntent(machine);
        return whole != null && ifApplicable(whole, machine) == null ? whole : null;
    }

    /** Whether the provider of any of an object's machines can apply a target; true as long as no machine is known. */
    public static boolean isApplicable(UpgradeTarget target, List<MachineView> machines) {
        return machines.isEmpty()
                || machines.stream().anyMatch(machine -> machine.provider().canApply(target));
    }

    private static boolean hasEnded(MachineView machine, UpgradeIntent intent) {
        RolloutEntry entry = machine.entry(rolloutRefFor(intent));
        return entry != null && entry.outcome().hasEnded();
    }

    /** An intent, if the rule allows it; otherwise null. */
    public @Nullable UpgradeIntent ifAllowed(@Nullable UpgradeIntent intent) {
        return intent == null || !rule.allows(intent.target()) ? null : intent;
    }

    /** Applies a changed rule; returns the objects whose intents it decides differently. */
    List<ObjectKey> applyRule(IntentRule next) {
        IntentRule before = rule;
        rule = next;
        rules = RolloutRules.of(next);
        return intents.values().stream()
                .filter(intent -> before.allows(intent.target()) != next.allows(intent.target()))
                .map(UpgradeIntent::object)
                .toList();
    }

    @Override
    public boolean hasWindowsAhead() {
        return !windows().isEmpty();
    }

    /** Durations of intents are not counted. */
    @Override
    public long expectedDurationMillis(String machineClass) {
        return 0;
    }

    @Override
    public int limitedInFlight() {
        return site.intentsInFlight();
    }

    @Override
    public int totalMachines() {
        return site.machines();
    }

    @Override
    public boolean isOver() {
        return false;
    }

    /** False, because the machines of a cluster may have different targets. */
    @Override
    public boolean provesTargetVersion() {
        return false;
    }

    @Override
    public boolean hasBudget() {
        return false;
    }

    @Override
    public boolean mayHaveMembersIn(ClusterState cluster) {
        return !intents.isEmpty() && cluster.site() == site;
    }

    @Override
    public int waveOf(ClusterState cluster) {
        return 0;
    }

    @Override
    public MachineProgressState progressStateOf(ClusterState cluster, MachineView machine) {
        UpgradeIntent intent = intentOf(machine);
        if (intent == null || !machine.isPresent()) {
            return MachineProgressState.NONE;
        }
        RolloutRef rolloutRef = rolloutRefFor(intent);
        RolloutEntry entry = machine.entry(rolloutRef);
        var attempt = machine.attempt();
        boolean ours = attempt != null && attempt.rolloutRef().equals(rolloutRef);
        int failed = entry == null ? 0 : entry.failedAttempts();
        if (ours) {
            return failed > 0 ? MachineProgressState.RETRYING : MachineProgressState.IN_FLIGHT;
        }
        MachineOutcome outcome = entry == null ? MachineOutcome.OPEN : entry.outcome();
        return switch (outcome) {
            case OPEN -> stateWhileOpen(machine, entry, failed);
            case SUCCEEDED -> MachineProgressState.SUCCEEDED;
            case UNCHANGED -> MachineProgressState.UNCHANGED;
            case QUARANTINED -> MachineProgressState.QUARANTINED;
            case SKIPPED -> MachineProgressState.SKIPPED;
        };
    }

    /** Whether a member quarantined for its owner's intent now follows its cluster's. */
    @Override
    public boolean leftBehind(ClusterState cluster, MachineView member) {
        return isGivenUpOn(member, ifAllowed(member.ownersIntent()))
                || isGivenUpOn(member, ifAllowed(intents.get(cluster.key())));
    }

    private static boolean isGivenUpOn(MachineView member, @Nullable UpgradeIntent intent) {
        RolloutEntry entry = intent == null || member.optOut() ? null : member.entry(rolloutRefFor(intent));
        return entry != null && entry.outcome() == MachineOutcome.QUARANTINED;
    }

    private static MachineProgressState stateWhileOpen(MachineView machine, @Nullable RolloutEntry entry, int failed) {
        if (machine.optOut()) {
            return entry == null ? MachineProgressState.NONE : MachineProgressState.SKIPPED;
        }
        return failed > 0 ? MachineProgressState.AWAITING_RETRY : MachineProgressState.NOT_STARTED;
    }
}
