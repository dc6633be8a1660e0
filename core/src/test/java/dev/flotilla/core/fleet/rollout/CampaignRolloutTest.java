package dev.flotilla.core.fleet.rollout;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.core.CampaignBuilder;
import dev.flotilla.core.MachineRowBuilder;
import dev.flotilla.core.fleet.inventory.ClusterState;
import dev.flotilla.core.fleet.inventory.FleetInventory;
import dev.flotilla.core.fleet.inventory.IntentStatusTable;
import dev.flotilla.core.fleet.inventory.MachineView;
import dev.flotilla.core.fleet.time.MaintenanceCalendars;
import dev.flotilla.schemas.id.CampaignName;
import dev.flotilla.schemas.id.ClusterKey;
import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.id.WaveKey;
import dev.flotilla.schemas.row.CampaignStatus;
import dev.flotilla.schemas.row.ClusterRow;
import dev.flotilla.schemas.row.DurationHistogram;
import dev.flotilla.schemas.row.LabelSelector;
import dev.flotilla.schemas.row.Labels;
import dev.flotilla.schemas.row.MachineOutcome;
import dev.flotilla.schemas.row.MachineRole;
import dev.flotilla.schemas.row.MachineRow;
import dev.flotilla.schemas.row.MachineStatus;
import dev.flotilla.schemas.row.RolloutEntry;
import dev.flotilla.schemas.row.UpgradeTarget;
import dev.flotilla.schemas.row.Wave;
import dev.flotilla.schemas.row.WaveStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Which wave a cluster is in, and the durations that windows have used. */
class CampaignRolloutTest {
    private static final CampaignName UP = new CampaignName("up");
    private static final SiteId NORTH = new SiteId("north");
    private static final Instant AT = Instant.EPOCH;
    private static final long ONE = 1;

    private final FleetInventory inventory = new FleetInventory(new IntentStatusTable());
    private final CampaignStatus status = campaign("first", "second").running(ONE);
    private final CampaignRollout rollout = new CampaignRollout(inventory.machines(), status);

    private static CampaignBuilder campaign(String... waves) {
        CampaignBuilder builder = CampaignBuilder.named("up");
        for (String wave : waves) {
            builder.wave(new Wave(wave, List.of(), LabelSelector.ALL, false, 100));
        }
        return builder;
    }

    private static WaveStatus took(int bucket, int attempts) {
        return took("first", bucket, attempts);
    }

    private static WaveStatus took(String wave, int bucket, int attempts) {
        int[] counts = new int[bucket + 1];
        counts[bucket] = attempts;
        return WaveStatus.of(new WaveKey(UP, wave), ONE)
                .withLastSuccessAt(
                        AT, List.of(new DurationHistogram("worker", DurationHistogram.BucketCounts.of(counts))));
    }

    @Test
    void aMachineWithoutAClusterIsInTheLastWave() {
        int row = inventory.machines().findOrAdd(new MachineKey(NORTH, "default", "m"));
        assertThat(rollout.waveName(new MachineView(inventory.machines(), row))).isEqualTo("second");
    }

    @Test
    void aClusterStaysInTheWaveOfItsFirstUpgrade() {
        MachineRow row = MachineRowBuilder.of(NORTH, "c", "m").build();
        inventory.put(row);
        ClusterState cluster = inventory.put(
                new ClusterRow(new ClusterKey(NORTH, "default", "c"), "uid", Labels.NONE, false, false, null, 0, 1));
        assertThat(rollout.waveOf(cluster)).isZero();
        RolloutEntry entry = new RolloutEntry(
                rollout.rolloutRef(),
                "second",
                0,
                null,
                null,
                null,
                MachineOutcome.SUCCEEDED,
                null,
                new UpgradeTarget.Revision("7"),
                null);
        int machine = inventory.put(new MachineStatus(row.key(), row.uid(), null, null, List.of(entry)));
        assertThat(inventory.machines().statuses().isSmall(machine)).isTrue();
        assertThat(rollout.waveOf(cluster)).isEqualTo(1);
    }

    @Test
    void aNewDurationMattersWhenAWindowHasUsedTheOldOne() {
        assertThat(rollout.putWave(took(2, 100), true))
                .as("no window has used it")
                .isZero();
        long before = rollout.expectedDurationMillis("worker");
        assertThat(before).isPositive();
        assertThat(rollout.putWave(took(2, 200), true)).as("the same duration").isZero();
        long longer = rollout.putWave(took(9, 100), true);
        assertThat(longer).isEqualTo(rollout.expectedDurationMillis("worker")).isGreaterThan(before);
        assertThat(rollout.putWave(took(2, 100), true))
                .as("windows have used it")
                .isEqualTo(longer);
        assertThat(rollout.putWave(took(2, 100), false)).as("no longer known").isEqualTo(MaintenanceCalendars.ANY_PACE);
        assertThat(rollout.putWave(took(2, 100), true)).as("known again").isEqualTo(MaintenanceCalendars.ANY_PACE);
    }

    @Test
    void anEditThatRemovesAWaveForgetsItsDurations() {
        rollout.putWave(took(2, 100), true);
        assertThat(rollout.expectedDurationMillis("worker")).isPositive();
        assertThat(rollout.updateStatus(
                        status.withAcceptedCampaign(campaign("other").build())))
                .isTrue();
        assertThat(rollout.expectedDurationMillis("worker")).isZero();
    }

    @Test
    void theExpectedEndCountsTheAttemptsOfAllWaves() {
        rollout.putWave(took("first", 0, 12), true);
        assertThat(CampaignEndEstimate.of(rollout).medianDuration()).isNull();

        rollout.putWave(took("second", 1, 14), true);

        assertThat(CampaignEndEstimate.of(rollout).medianDuration()).isEqualTo(Duration.ofMillis(1250));
    }

    @Test
    void anUnknownClassUsesTheDurationsOfItsRole() {
        rollout.putWave(took(2, 100), true);
        assertThat(CampaignDurations.percentile(rollout.waves(), MachineRole.WORKER, "ssd", 95))
                .isNotNull();
        assertThat(CampaignDurations.percentile(rollout.waves(), MachineRole.CONTROL_PLANE, "ssd", 95))
                .isNull();
    }
}
