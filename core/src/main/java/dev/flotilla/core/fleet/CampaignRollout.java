package dev.flotilla.core.fleet;

import dev.flotilla.schemas.id.CampaignName;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.row.UpgradeAttempt;
import dev.flotilla.schemas.row.CampaignSpec;
import dev.flotilla.schemas.row.CampaignStatus;
import dev.flotilla.schemas.row.ClusterRow;
import dev.flotilla.schemas.row.RolloutRef;
import dev.flotilla.schemas.row.RolloutEntry;
import dev.flotilla.schemas.row.CountOrPercent;
import dev.flotilla.schemas.row.MachineStatus;
import dev.flotilla.schemas.row.MachineOutcome;
import dev.flotilla.schemas.row.CampaignState;
import dev.flotilla.schemas.row.MachineSelection;
import dev.flotilla.schemas.row.UpgradeTarget;
import dev.flotilla.schemas.row.WaveStatus;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A campaign that has been accepted: its status row, its waves, and which machines are in it. */
public final class CampaignRollout extends Rollout {
    private static final byte UNTESTED = 0;
    private static final byte MATCHES = 1;
    private static final byte DIFFERS = 2;

    private boolean lapsed;
    private boolean begun;
    private final MachineTable table;
    private CampaignStatus status;
    private final RolloutRef.CampaignRef driver;
    private final int driverNumber;
    private List<WaveCount> waves = new ArrayList<>();
    private byte[] labelSets = new byte[0];

    /** What is in flight, and was used of its failure budget, in each site that has anything to do with it. */
    private final SiteTallies sites = new SiteTallies();

    /** Whether something may have to be done about its waves or its end. */
    boolean touched = true;

    /** How long attempts usually take, by class: of those that windows were asked about. */
    private final Map<String, Long> usual = new LinkedHashMap<>();

    /** When something may have to be done about them without any row's changing. */
    long wakeAt = Timers.NEVER;

    CampaignRollout(MachineTable table, CampaignStatus status) {
        super(status.name().name());
        this.table = table;
        this.status = status;
        this.driver = new RolloutRef.CampaignRef(status.name(), status.uid());
        this.driverNumber = table.statuses.number(driver);
        take(status);
    }

    /** Takes a newer status row of the same campaign in; says whether members, waves or targets may differ from before. */
    boolean take(CampaignStatus next) {
        boolean reshaped = waves.isEmpty()
                || !next.acceptedCampaign().spec().equals(status.acceptedCampaign().spec());
        status = next;
        failuresOfGone = next.failuresOfDeletedMachines();
        touched = true;
        if (reshaped) {
            labelSets = new byte[0];
            waves = new ArrayList<>();
            usual.clear();
            rules = RolloutRules.of(spec());
            countBy(spec().constraints(), table);
            spec().waves().forEach(wave -> waves.add(new WaveCount(wave)));
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

    public RolloutRef.CampaignRef driver() {
        return driver;
    }

    public List<WaveCount> waves() {
        return waves;
    }

    public @Nullable WaveCount wave(String name) {
        for (WaveCount wave : waves) {
            if (wave.wave().name().equals(name)) {
                return wave;
            }
        }
        return null;
    }

    /** The name of the wave a machine is in, or would be. */
    public String waveName(Machine machine) {
        Cluster cluster = machine.cluster();
        int wave = cluster == null ? waves.size() - 1 : waveOf(cluster);
        return waves.get(wave).wave().name();
    }

    /** Takes in what is known of its waves; a wave that an edit brings back is as far as it was. */
    void takeWaves(Collection<WaveStatus> rows) {
        for (WaveStatus row : rows) {
            if (row.campaignUid() == status.uid() && row.key().campaign().equals(status.name())) {
                putWave(row, true);
            }
        }
    }

    /**
     * Takes a wave's row in. How long, in milliseconds, its attempts usually take, or took before, if that is news to a window;
     * zero if it is not.
     */
    long putWave(WaveStatus row, boolean present) {
        WaveCount wave = wave(row.key().wave());
        long paced = 0;
        if (wave != null) {
            wave.status = present ? row : null;
            touched = true;
            for (Map.Entry<String, Long> known : usual.entrySet()) {
                long now = DurationBuckets.usual(this, known.getKey());
                long before = known.setValue(now);
                boolean estimated = now == 0 || before == 0;
                paced = now == before ? paced : estimated ? Calendars.ANY_PACE : Math.max(paced, Math.max(now, before));
            }
        }
        return paced;
    }

    /** Whether there are times ahead at which alone it may start machines. */
    boolean windowsAhead() {
        return !over() && !spec().constraints().windows().isEmpty();
    }

    /** What ninety-five of a hundred attempts of a class did not exceed, in milliseconds; zero while too few are known. */
    long takes(String machineClass) {
        Long known = usual.get(machineClass);
        if (known == null) {
            known = DurationBuckets.usual(this, machineClass);
            usual.put(machineClass, known);
        }
        return known;
    }

    /** Looks at its waves and its end again at an instant, if nothing changes before. */
    public void wakeAt(Instant instant) {
        wakeAt = Math.min(wakeAt, instant.toEpochMilli());
    }

    /** Whether so many of a hundred of its machines have succeeded; of one that is complete whoever joins later is left out. */
    boolean hasSucceeded(int percent) {
        long counted = 0;
        long atTarget = 0;
        for (int i = 0; i < waves.size(); i++) {
            WaveCount wave = waves.get(i);
            counted += wave.counted() - (status.state() == CampaignState.COMPLETED ? wave.remaining() : 0);
            atTarget += wave.atTarget();
        }
        return counted > 0 && atTarget * CountOrPercent.HUNDRED_PERCENT >= counted * percent;
    }

    /** Whether its start has come. */
    public boolean started(Instant now) {
        Instant start = spec().startAt();
        return start == null || !now.isBefore(start);
    }

    public boolean pastDeadline(Instant now) {
        Instant deadline = spec().deadline();
        return deadline != null && !now.isBefore(deadline);
    }

    @Override
    public boolean over() {
        return status.state().isOver();
    }

    /** Sets whether it claims machines at an instant; says whether that, its start or its deadline is news. */
    boolean claimAt(Instant now, boolean met) {
        boolean due = started(now);
        boolean late = pastDeadline(now);
        boolean going = status.state() == CampaignState.RUNNING || status.state() == CampaignState.PAUSED;
        boolean claims = met && going && due && !late;
        boolean news = claims != claiming || late != lapsed || due != begun;
        claiming = claims;
        lapsed = late;
        begun = due;
        return news;
    }

    /** Whether its deadline had passed when it was looked at last: it starts nothing more, and keeps nobody waiting. */
    boolean lapsed() {
        return lapsed;
    }

    @Override
    public RolloutRef driverOf(Machine machine) {
        return driver;
    }

    @Override
    public int targetVersion(Machine machine) {
        return KubeVersion.target(status, machine.site());
    }

    @Override
    public UpgradeTarget targetOf(Machine machine) {
        return spec().target();
    }

    @Override
    public int machinesInAll() {
        return total();
    }

    @Override
    boolean hasBudget() {
        return spec().failureBudget() != null;
    }

    /** Machines of a site that count against its failure budget; zero where it has none. */
    int budgetUsed(SiteId site) {
        return sites.used(site);
    }

    /** Machines of a site that are in flight. */
    public int inFlightIn(SiteId site) {
        return sites.inFlight(site);
    }

    @Override
    boolean concerns(Cluster cluster) {
        ClusterRow row = cluster.row();
        MachineSelection select = spec().selection();
        return row != null
                && (select.sites().isEmpty()
                        || select.sites().contains(cluster.site().id()))
                && select.clusters().matches(row.labels());
    }

    /** The wave a cluster is in: the one that its machines' entries name, else the first that selects it and is not closed. */
    @Override
    int waveOf(Cluster cluster) {
        int pinned = pinned(cluster);
        return pinned >= 0 ? pinned : WaveShares.next(this, cluster);
    }

    /** The wave that entries of a cluster's machines name: the cluster stays there. -1 where there is none. */
    int pinned(Cluster cluster) {
        for (int i = 0; i < cluster.size; i++) {
            String pinned = entryWave(cluster.members[i]);
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
    Standing standing(Cluster cluster, Machine machine) {
        int row = machine.row;
        MachineStatus whole = table.statuses.whole(row);
        if (whole == null) {
            if (table.statuses.isSmall(row) && table.statuses.driver(row) == driverNumber) {
                MachineOutcome outcome = table.statuses.outcome(row);
                return outcome == MachineOutcome.OPEN ? open(machine, 0, null) : ended(outcome);
            }
            return selects(cluster, machine) ? Standing.FRESH : Standing.NONE;
        }
        List<RolloutEntry> entries = whole.entries();
        // A loop over a list makes an object, and this is asked for each machine of a cluster with each touch.
        for (int i = 0; i < entries.size(); i++) {
            RolloutEntry entry = entries.get(i);
            if (entry.rolloutRef() instanceof RolloutRef.CampaignRef by
                    && by.uid() == driver.uid()
                    && by.name().equals(driver.name())) {
                return entry.outcome() == MachineOutcome.OPEN
                        ? open(machine, entry.failedAttempts(), whole.attempt())
                        : ended(entry.outcome(), whole.attempt(), entry.failedAttempts());
            }
        }
        return selects(cluster, machine) ? Standing.FRESH : Standing.NONE;
    }

    private Standing open(Machine machine, int failed, @Nullable UpgradeAttempt attempt) {
        if (attempt != null && attempt.rolloutRef().equals(driver)) {
            return failed > 0 ? Standing.RETRYING : Standing.IN_FLIGHT;
        }
        if (machine.optOut()) {
            return Standing.SKIPPED;
        }
        return failed > 0 ? Standing.FAILED : Standing.FRESH;
    }

    /** A machine that was skipped while an attempt of it was open holds its slot until that ends. */
    private Standing ended(MachineOutcome outcome, @Nullable UpgradeAttempt attempt, int failed) {
        if (attempt != null && attempt.rolloutRef().equals(driver)) {
            return failed > 0 ? Standing.RETRYING : Standing.IN_FLIGHT;
        }
        return ended(outcome);
    }

    private static Standing ended(MachineOutcome outcome) {
        return switch (outcome) {
            case OPEN -> Standing.FRESH;
            case SUCCEEDED -> Standing.SUCCEEDED;
            case UNCHANGED -> Standing.UNCHANGED;
            case QUARANTINED -> Standing.QUARANTINED;
            case SKIPPED -> Standing.SKIPPED;
        };
    }

    private boolean selects(Cluster cluster, Machine machine) {
        if (!machine.isPresent() || machine.optOut() || !concerns(cluster)) {
            return false;
        }
        MachineSelection select = spec().selection();
        // The labels and the release of a machine whose row cannot be read are not known. It may well be a member:
        // nothing
        // ends, and no worker starts, before they are.
        return (select.roles().isEmpty() || select.roles().contains(machine.role()))
                && (select.excludedMachines().isEmpty() || !select.excludedMachines().contains(machine.key()))
                && (machine.unreadable()
                        || (matchesLabels(table.labelSet(machine.row))
                                && (select.currentReleases().isEmpty() || isCurrent(select, machine))));
    }

    private static boolean isCurrent(MachineSelection select, Machine machine) {
        String release = machine.release();
        return release != null && select.currentReleases().contains(release);
    }

    private boolean matchesLabels(int set) {
        if (set >= labelSets.length) {
            labelSets = Arrays.copyOf(labelSets, Math.max(set + 1, labelSets.length * 2));
        }
        if (labelSets[set] == UNTESTED) {
            labelSets[set] = spec().selection().machines().matches(table.labelsOf(set)) ? MATCHES : DIFFERS;
        }
        return labelSets[set] == MATCHES;
    }

    private @Nullable String entryWave(int row) {
        MachineStatus whole = table.statuses.whole(row);
        if (whole == null) {
            return table.statuses.isSmall(row) && table.statuses.driver(row) == driverNumber
                    ? table.statuses.wave(row)
                    : null;
        }
        for (RolloutEntry entry : whole.entries()) {
            if (entry.rolloutRef().equals(driver)) {
                return entry.wave();
            }
        }
        return null;
    }

    @Override
    void count(Share share, int sign) {
        super.count(share, sign);
        if (share.total > 0) {
            waves.get(share.wave).count(share, sign);
        }
        int used = hasBudget() ? share.spent + share.reserved() : 0;
        sites.add(share.cluster.site().id(), sign * share.inFlight, sign * used);
        touched = true;
    }

    @Override
    void forgetCounts() {
        super.forgetCounts();
        sites.clear();
        touched = true;
    }
}
