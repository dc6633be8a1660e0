package dev.flotilla.core.fleet.inventory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.schemas.id.CampaignName;
import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.row.Labels;
import dev.flotilla.schemas.row.MachineOutcome;
import dev.flotilla.schemas.row.MachineRole;
import dev.flotilla.schemas.row.MachineRow;
import dev.flotilla.schemas.row.MachineStatus;
import dev.flotilla.schemas.row.RolloutEntry;
import dev.flotilla.schemas.row.RolloutRef;
import dev.flotilla.schemas.row.UpgradeTarget;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The stored status of a machine, whether its row is kept whole or in compact form. */
class MachineStatusTableTest {
    private static final String UID = "0123abcd-4567-4e89-8abc-def012345678";
    private static final RolloutRef UP = new RolloutRef.CampaignRef(new CampaignName("up"), 12);
    private static final RolloutRef OTHER = new RolloutRef.CampaignRef(new CampaignName("other"), 13);
    private static final Instant LATER = Instant.parse("2026-03-01T00:05:00Z");
    private static final Instant LATEST = Instant.parse("2026-03-01T00:09:00Z");

    private final MachineTable table = new MachineTable();
    private final MachineStatusTable statuses = table.statuses();
    private final MachineKey key = new MachineKey(new SiteId("north"), "default", "m");
    private int row;

    @BeforeEach
    void aMachine() {
        row = table.findOrAdd(key);
        table.putRow(row, machine(UID));
    }

    private MachineRow machine(String uid) {
        return new MachineRow(
                key,
                uid,
                "c",
                null,
                MachineRole.WORKER,
                Labels.NONE,
                "m",
                "p",
                null,
                true,
                false,
                false,
                false,
                false,
                null,
                null,
                "7",
                "amd64",
                List.of());
    }

    private static RolloutEntry entry(
            RolloutRef rolloutRef, int failed, @Nullable Instant rest, @Nullable String from) {
        return new RolloutEntry(
                rolloutRef,
                "w",
                failed,
                null,
                rest,
                from,
                MachineOutcome.SUCCEEDED,
                null,
                new UpgradeTarget.Revision("7"),
                null);
    }

    private MachineStatus put(RolloutEntry... entries) {
        MachineStatus status = new MachineStatus(key, UID, null, null, List.of(entries));
        statuses.put(row, status);
        assertThat(statuses.get(row)).isEqualTo(status);
        return status;
    }

    private @Nullable String first(RolloutRef by) {
        return statuses.revision(statuses.firstRevision(row, by));
    }

    @Test
    void aCompactRowKeepsSoakAndFormerRevision() {
        put(entry(UP, 0, LATER, "6"));
        assertThat(statuses.isSmall(row)).isTrue();
        assertThat(statuses.soakUntil(row)).isEqualTo(LATER.toEpochMilli());
        assertThat(first(UP)).isEqualTo("6");
        assertThat(first(OTHER)).isNull();
        put(entry(UP, 0, LATEST, "5"));
        assertThat(statuses.soakUntil(row)).isEqualTo(LATEST.toEpochMilli());
        assertThat(first(UP)).isEqualTo("5");
        put(entry(UP, 0, null, null));
        assertThat(statuses.soakUntil(row)).isNegative();
        assertThat(first(UP)).isNull();
        put(entry(UP, 0, Instant.EPOCH, null));
        assertThat(statuses.soakUntil(row)).isZero();
    }

    @Test
    void aWholeRowKeepsTheLastSoakAndEachRolloutsFormerRevision() {
        put(entry(UP, 0, LATEST, "6"), entry(OTHER, 0, LATER, "5"));
        assertThat(statuses.isSmall(row)).isFalse();
        assertThat(statuses.soakUntil(row)).isEqualTo(LATEST.toEpochMilli());
        assertThat(first(UP)).isEqualTo("6");
        assertThat(first(OTHER)).isEqualTo("5");
        assertThat(first(new RolloutRef.CampaignRef(new CampaignName("third"), 14)))
                .isNull();
    }

    /** A machine whose row was compact, then whole, then compact again keeps no old values. */
    @Test
    void aCompactRowLeavesNothingWhenItIsWholeOrDeleted() {
        put(entry(UP, 0, LATER, "6"));
        put(entry(UP, 0, null, null), entry(OTHER, 0, null, null));
        assertThat(statuses.soakUntil(row)).isNegative();
        put(entry(UP, 0, null, null));
        assertThat(statuses.soakUntil(row)).isNegative();
        assertThat(first(UP)).isNull();
        put(entry(UP, 0, LATER, "6"));
        statuses.clear(row);
        assertThat(statuses.get(row)).isNull();
        assertThat(statuses.soakUntil(row)).isNegative();
        assertThat(first(UP)).isNull();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 254, 255, 256, 1000})
    void restoresAnyNumberOfFailures(int failed) {
        put(entry(UP, failed, null, null));
        assertThat(statuses.isSmall(row)).isEqualTo(failed < 256);
    }

    @Test
    void aFrozenCompactRowSurvivesAReplacedMachine() {
        MachineStatus status = put(entry(UP, 0, LATER, "6"));
        statuses.freeze(row);
        table.putRow(row, machine("9123abcd-4567-4e89-8abc-def012345678"));
        statuses.compact(row);
        assertThat(statuses.get(row)).isEqualTo(status);
        assertThat(statuses.isSmall(row)).isFalse();
        assertThat(first(UP)).isEqualTo("6");
    }

    @Test
    void aMachineWithoutAStatusHasNoCompactRow() {
        assertThat(statuses.isSmall(row)).isFalse();
        assertThat(statuses.get(row)).isNull();
        assertThat(statuses.attempt(row)).isNull();
    }
}
