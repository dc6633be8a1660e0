package dev.flotilla.cli.demo;

import dev.flotilla.schemas.id.CampaignName;
import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.id.WaveKey;
import dev.flotilla.schemas.row.CampaignStatus;
import dev.flotilla.schemas.row.MachineOutcome;
import dev.flotilla.schemas.row.MachineStatus;
import dev.flotilla.schemas.row.RolloutEntry;
import dev.flotilla.schemas.row.RowChange;
import dev.flotilla.schemas.row.WaveStatus;
import dev.flotilla.testkit.sites.SitesFleetLayout;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Tracks the status of every machine from the status tables. */
public final class MachineStatusTracker {
    private final List<String> waves = new ArrayList<>();
    private final Map<MachineKey, Integer> waveOf = new LinkedHashMap<>();
    private final Map<MachineKey, MachineStatus> statuses = new LinkedHashMap<>();
    private final Map<WaveKey, WaveStatus> waveStatuses = new LinkedHashMap<>();
    private final Map<MachineKey, CampaignName> campaignOf = new LinkedHashMap<>();
    private final Set<CampaignName> planned = new LinkedHashSet<>();
    private final Map<CampaignName, CampaignStatus> campaigns = new LinkedHashMap<>();
    private int ended;
    private int open;

    public MachineStatusTracker(DemoSpec spec) {
        DemoCampaign.campaigns(spec.sites().providers()).forEach(campaign -> planned.add(campaign.name()));
        waves.addAll(List.of(SitesFleetLayout.CANARY, SitesFleetLayout.FIRST, SitesFleetLayout.REST));
        for (SitesFleetLayout.PlannedCluster cluster : spec.fleet().clusters()) {
            CampaignName campaign = DemoCampaign.nameOf(cluster.provider());
            cluster.machines().forEach(machine -> {
                waveOf.put(machine, waves.indexOf(cluster.ring()));
                campaignOf.put(machine, campaign);
            });
        }
    }

    void put(RowChange rowChange) {
        if (rowChange instanceof MachineStatus status) {
            count(statuses.put(status.key(), status), -1);
            count(status, 1);
        } else if (rowChange instanceof WaveStatus status) {
            waveStatuses.put(status.key(), status);
        } else if (rowChange instanceof CampaignStatus status && planned.contains(status.name())) {
            campaigns.put(status.name(), status);
        }
    }

    private void count(@Nullable MachineStatus status, int sign) {
        if (status != null) {
            RolloutEntry entry = entry(status);
            ended += entry != null && entry.outcome().hasEnded() ? sign : 0;
            open += status.attempt() != null ? sign : 0;
        }
    }

    /** A machine's only rollout entry, because only one campaign selects it. */
    static @Nullable RolloutEntry entry(@Nullable MachineStatus status) {
        return status == null || status.entries().isEmpty()
                ? null
                : status.entries().get(0);
    }

    @Nullable
    MachineStatus status(MachineKey machine) {
        return statuses.get(machine);
    }

    @Nullable
    WaveStatus status(CampaignName campaign, String wave) {
        return waveStatuses.get(new WaveKey(campaign, wave));
    }

    @Nullable
    CampaignStatus status(CampaignName campaign) {
        return campaigns.get(campaign);
    }

    /** The status of the campaign that selects a machine. */
    @Nullable
    CampaignStatus campaignOf(MachineKey machine) {
        CampaignName campaign = campaignOf.get(machine);
        return campaign == null ? null : campaigns.get(campaign);
    }

    /** Whether all campaigns are over. */
    boolean areCampaignsOver() {
        return campaigns.size() == planned.size()
                && campaigns.values().stream().allMatch(status -> status.state().isOver());
    }

    public Set<MachineKey> machines() {
        return Collections.unmodifiableSet(waveOf.keySet());
    }

    /** Machines that have not ended in the campaign. */
    Set<MachineKey> unfinished() {
        Set<MachineKey> unfinished = new LinkedHashSet<>();
        for (MachineKey machine : waveOf.keySet()) {
            RolloutEntry entry = entry(statuses.get(machine));
            if (entry == null || !entry.outcome().hasEnded()) {
                unfinished.add(machine);
            }
        }
        return unfinished;
    }

    /** Number of machines that have ended in the campaign. */
    public int ended() {
        return ended;
    }

    /** Machines with an open attempt. */
    int open() {
        return open;
    }

    /** Site with most open attempts, so that its worker is certainly busy; null if there is none. */
    @Nullable
    SiteId busiestSite() {
        Map<SiteId, Integer> bySite = new LinkedHashMap<>();
        statuses.forEach((machine, status) -> {
            if (status.attempt() != null) {
                bySite.merge(machine.site(), 1, Integer::sum);
            }
        });
        return bySite.entrySet().stream()
                .max(Map.Entry.comparingByValue())
                .map(Map.Entry::getKey)
                .orElse(null);
    }

    /** The progress of the waves of all campaigns. */
    List<DemoWaveProgress> progress() {
        return progress(waveOf);
    }

    /** The progress of the waves of a campaign. */
    List<DemoWaveProgress> progress(CampaignName campaign) {
        Map<MachineKey, Integer> selected = new LinkedHashMap<>(waveOf);
        selected.keySet().removeIf(machine -> !campaign.equals(campaignOf.get(machine)));
        return progress(selected);
    }

    private List<DemoWaveProgress> progress(Map<MachineKey, Integer> machines) {
        int[][] counts = new int[waves.size()][4];
        machines.forEach((machine, wave) -> {
            MachineStatus status = statuses.get(machine);
            RolloutEntry entry = entry(status);
            int[] count = counts[wave];
            count[0]++;
            count[1] += entry != null && entry.outcome().isAtTarget() ? 1 : 0;
            count[2] += entry != null && entry.outcome() == MachineOutcome.QUARANTINED ? 1 : 0;
            count[3] += status != null && status.attempt() != null ? 1 : 0;
        });
        List<DemoWaveProgress> progress = new ArrayList<>();
        for (int i = 0; i < waves.size(); i++) {
            progress.add(new DemoWaveProgress(waves.get(i), counts[i][0], counts[i][1], counts[i][2], counts[i][3]));
        }
        return progress;
    }
}
