package dev.flotilla.core.fleet.rollout;

import dev.flotilla.core.fleet.inventory.ClusterState;
import dev.flotilla.core.fleet.inventory.KubernetesVersion;
import dev.flotilla.core.fleet.inventory.MachineProgressState;
import dev.flotilla.core.fleet.inventory.MachineTable;
import dev.flotilla.core.fleet.inventory.MachineView;
import dev.flotilla.core.fleet.time.MachineTimerQueue;
import dev.flotilla.core.fleet.time.MaintenanceCalendars;
import dev.flotilla.schemas.id.CampaignName;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.id.WaveKey;
import dev.flotilla.schemas.row.CampaignSpec;
import dev.flotilla.schemas.row.CampaignState;
import dev.flotilla.schemas.row.CampaignStatus;
import dev.flotilla.schemas.row.CountOrPercent;
import dev.flotilla.schemas.row.FailureBudget;
import dev.flotilla.schemas.row.RolloutRef;
import dev.flotilla.schemas.row.UpgradeAttempt;
import dev.flotilla.schemas.row.UpgradeTarget;
import dev.flotilla.schemas.row.WaveStatus;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** An accepted campaign: its status row, its waves and its members. */
public final class CampaignRollout extends Rollout {
    private boolean isPastDeadline;
    private boolean hasStarted;
    private final MachineTable table;
    private CampaignStatus status;
    private final RolloutRef.CampaignRef rolloutRef;
    private List<WaveProgress> waves = new ArrayList<>();
    private CampaignMembership membership;

    /** Machines in flight and budget use by site. */
    private final CampaignUsageBySite sites = new CampaignUsageBySite();

    /** Whether its waves or its completion may need a decision. */
    private boolean touched = true;

    /** The usual duration by class, as far as windows have asked for it. */
    private final Map<String, Long> usualDurations = new LinkedHashMap<>();

    /** When its waves or its completion need a check without any change of rows. */
    long wakeAt = MachineTimerQueue.NEVER;

    public CampaignRollout(MachineTable table, CampaignStatus status) {
        super(status.name().name());
        this.table = table;
        this.status = status;
        this.rolloutRef = new RolloutRef.CampaignRef(status.name(), status.uid());
        this.membership = new CampaignMembership(table, rolloutRef, spec().select());
        updateStatus(status);
    }

    /** Applies a newer status row; returns whether members, waves or targets may have changed. */
    boolean updateStatus(CampaignStatus next) {
        boolean reshaped = waves.isEmpty()
                || !next.acceptedCampaign()
                        .spec()
                        .equals(status.acceptedCampaign().spec());
        status = next;
        failuresOfDeletedMachines = next.failuresOfDeletedMachines();
        touched = true;
        if (reshaped) {
            membership = new CampaignMembership(table, rolloutRef, spec().select());
            waves = new ArrayList<>();
            usualDurations.clear();
            rules = RolloutRules.of(spec());
            countBy(spec(), table);
            spec().waves().forEach(wave -> waves.add(new WaveProgress(wave)));
        }
        return reshaped;
    }

    public CampaignName name() {
        return status.name();
    }

    public CampaignStatus status() {
        return status;
    }

    public CampaignSpec spec() {
        return status.acceptedCampaign().spec();
    }

    public RolloutRef.CampaignRef rolloutRef() {
        return rolloutRef;
    }

    public List<WaveProgress> waves() {
        return waves;
    }

    public @Nullable WaveProgress wave(String name) {
        for (WaveProgress wave : waves) {
            if (wave.wave().name().equals(name)) {
                return wave;
            }
        }
        return null;
    }

    /** The name of the wave that a machine is in, or would be in. */
    public String waveName(MachineView machine) {
        ClusterState cluster = machine.cluster();
        int wave = cluster == null ? waves.size() - 1 : waveOf(cluster);
        return waves.get(wave).wave().name();
    }

    /** The status row of a wave, or its initial row. */
    public WaveStatus rowOf(WaveProgress wave) {
        WaveStatus known = wave.status();
        return known != null
                ? known
                : WaveStatus.of(new WaveKey(name(), wave.wave().name()), status.uid());
    }

    /** Applies the rows of its waves; a wave that an edit restores keeps its progress. */
    void putWaves(Collection<WaveStatus> rows) {
        for (WaveStatus row : rows) {
            if (row.campaignUid() == status.uid() && row.key().campaign().equals(status.name())) {
                putWave(row, true);
            }
        }
    }

    /**
     * Applies a wave's row. Returns the longest duration, old or new, that changes a decision about windows, in
     * milliseconds; zero for none.
     */
    long putWave(WaveStatus row, boolean present) {
        WaveProgress wave = wave(row.key().wave());
        long longestChanged = 0;
        if (wave != null) {
            wave.status = present ? row : null;
            touched = true;
            for (Map.Entry<String, Long> known : usualDurations.entrySet()) {
                long now = CampaignDurations.usualMillis(waves, known.getKey());
                long before = known.setValue(now);
                boolean estimated = now == 0 || before == 0;
                longestChanged = now == before
                        ? longestChanged
                        : estimated ? MaintenanceCalendars.ANY_PACE : Math.max(longestChanged, Math.max(now, before));
            }
        }
        return longestChanged;
    }

    /** The maximum number of failed machines; a large number if there is no budget. */
    public int maxFailures() {
        FailureBudget budget = spec().failureBudget();
        return budget == null ? Integer.MAX_VALUE : budget.maxFailures().of(total());
    }

    /** Whether it can start machines only in windows and is not over. */
    @Override
    public boolean hasWindowsAhead() {
        return !isOver() && !spec().windows().isEmpty();
    }

    /**
     * The duration that 95 % of the attempts of a class did not exceed, in milliseconds; zero while too few are known.
     */
    @Override
    public long expectedDurationMillis(String machineClass) {
        Long known = usualDurations.get(machineClass);
        if (known == null) {
            known = CampaignDurations.usualMillis(waves, machineClass);
            usualDurations.put(machineClass, known);
        }
        return known;
    }

    /** Schedules a check of its waves and its completion. */
    public void wakeAt(Instant instant) {
        wakeAt = Math.min(wakeAt, instant.toEpochMilli());
    }

    /**
     * Whether this percentage of its machines has succeeded. Machines that joined a completed campaign do not count.
     */
    boolean hasSucceeded(int percent) {
        long counted = 0;
        long atTarget = 0;
        for (int i = 0; i < waves.size(); i++) {
            WaveProgress wave = waves.get(i);
            counted += wave.counted() - (status.state() == CampaignState.COMPLETED ? wave.remaining() : 0);
            atTarget += wave.atTarget();
        }
        return counted > 0 && atTarget * CountOrPercent.HUNDRED_PERCENT >= counted * percent;
    }

    /** Whether its start time has come. */
    public boolean hasStarted(Instant now) {
        Instant start = spec().startAt();
        return start == null || !now.isBefore(start);
    }

    public boolean pastDeadline(Instant now) {
        Instant deadline = spec().deadline();
        return deadline != null && !now.isBefore(deadline);
    }

    @Override
    public boolean isOver() {
        return status.state().isOver();
    }

    /**
     * Updates whether it claims machines at an instant; returns whether that, its start or its deadline has changed.
     */
    boolean updateActive(Instant now, boolean met) {
        boolean due = hasStarted(now);
        boolean deadlinePassed = pastDeadline(now);
        boolean going = status.state() == CampaignState.RUNNING || status.state() == CampaignState.PAUSED;
        boolean claims = met && going && due && !deadlinePassed;
        boolean changed = claims != mayHaveMembers() || deadlinePassed != isPastDeadline || due != hasStarted;
        mayHaveMembers(claims);
        isPastDeadline = deadlinePassed;
        hasStarted = due;
        return changed;
    }

    /** Whether its deadline had passed at the last update: it then starts nothing more and blocks no other campaign. */
    boolean isPastDeadline() {
        return isPastDeadline;
    }

    /** The reference of this campaign. */
    public RolloutRef.CampaignRef ref() {
        return rolloutRef;
    }

    @Override
    public RolloutRef rolloutRefOf(MachineView machine) {
        return rolloutRef;
    }

    @Override
    public int targetVersion(MachineView machine) {
        return KubernetesVersion.target(status, machine.site());
    }

    @Override
    public UpgradeTarget targetOf(MachineView machine) {
        return spec().target().option();
    }

    /** The Kubernetes release that it upgrades to; null if its target is none. */
    public @Nullable String release() {
        return spec().target().option() instanceof UpgradeTarget.KubernetesRelease target ? target.version() : null;
    }

    /** An attempt to a hash is one that Cluster API has asked for, and its machine has to show the campaign's release. */
    @Override
    public @Nullable String expectedVersion(UpgradeAttempt attempt) {
        return attempt.target() instanceof UpgradeTarget.MachineSpecHash
                ? release()
                : spec().target().expectedVersion();
    }

    @Override
    public int totalMachines() {
        return total();
    }

    @Override
    public boolean hasBudget() {
        return spec().failureBudget() != null;
    }

    /** Machines of a site that count against its failure budget; zero if it has none. */
    public int budgetUsed(SiteId site) {
        return sites.used(site);
    }

    /** Machines of a site that are in flight. */
    public int inFlightIn(SiteId site) {
        return sites.inFlight(site);
    }

    @Override
    public boolean mayHaveMembersIn(ClusterState cluster) {
        return membership.mayHaveMembersIn(cluster);
    }

    /** The wave of a cluster: the one in its machines' entries, otherwise the first open wave that selects it. */
    @Override
    public int waveOf(ClusterState cluster) {
        int pinned = pinnedWave(cluster);
        return pinned >= 0 ? pinned : WaveClusterAssigner.waveOf(waves, status.uid(), cluster);
    }

    /** The wave in the entries of a cluster's machines, which the cluster stays in; -1 for none. */
    int pinnedWave(ClusterState cluster) {
        for (int i = 0; i < cluster.size(); i++) {
            String pinned = membership.entryWave(cluster.member(i));
            if (pinned != null) {
                for (int wave = 0; wave < waves.size(); wave++) {
                    if (waves.get(wave).wave().name().equals(pinned)) {
                        return wave;
                    }
                }
            }
        }
        return -1;
    }

    @Override
    public MachineProgressState progressStateOf(ClusterState cluster, MachineView machine) {
        return membership.progressStateOf(cluster, machine);
    }

    @Override
    void addCounts(ClusterState cluster, int wave, BacklogCounts counts, int sign) {
        super.addCounts(cluster, wave, counts, sign);
        if (counts.total() > 0) {
            waves.get(wave).count(counts, sign);
        }
        int used = hasBudget() ? counts.budgetUsed() + counts.reserved() : 0;
        sites.add(cluster.site().id(), sign * counts.inFlight(), sign * used);
        touched = true;
    }

    @Override
    public boolean provesTargetVersion() {
        return true;
    }

    @Override
    void resetCounts() {
        super.resetCounts();
        sites.clear();
        touched = true;
    }

    /** Whether its waves or its completion may need a decision. */
    public boolean isTouched() {
        return touched;
    }

    void touch() {
        touched = true;
    }

    public void clearTouched() {
        touched = false;
    }
}
