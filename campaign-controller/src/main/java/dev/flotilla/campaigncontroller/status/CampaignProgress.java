package dev.flotilla.campaigncontroller.status;

import dev.flotilla.campaigncontroller.counts.MachineCounts;
import dev.flotilla.campaigncontroller.table.FleetTables;
import dev.flotilla.schemas.contenthash.CampaignContentHash;
import dev.flotilla.schemas.id.RowKey;
import dev.flotilla.schemas.id.Table;
import dev.flotilla.schemas.id.WaveKey;
import dev.flotilla.schemas.json.tree.JsonObjectReader;
import dev.flotilla.schemas.json.tree.JsonValue;
import dev.flotilla.schemas.row.CampaignState;
import dev.flotilla.schemas.row.CampaignStatus;
import dev.flotilla.schemas.row.Wave;
import dev.flotilla.schemas.row.WaveStatus;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What the rows of an accepted campaign say about its progress. */
public final class CampaignProgress {
    private CampaignProgress() {}

    /**
     * Returns the progress of an accepted campaign.
     *
     * @param counts its machines; null if their numbers are not known
     */
    public static ObjectProgress describe(CampaignStatus status, FleetTables tables, @Nullable MachineCounts counts) {
        String since = " since " + status.stateSince();
        return switch (status.state()) {
            case RUNNING -> describeRunning(status, tables, counts);
            case PAUSED ->
                ObjectProgress.inProgress(
                        "Paused",
                        "Paused",
                        "paused" + since + (status.pauseReason() == null ? "" : ": " + status.pauseReason())
                                + "; an Order with verb run continues it");
            case ABORTED ->
                ObjectProgress.stalled(
                        "Aborted",
                        "Aborted",
                        "aborted" + since + (status.pauseReason() == null ? "" : ": " + status.pauseReason()));
            case COMPLETED -> ObjectProgress.ready("Completed", "Completed", "every machine has ended" + since);
        };
    }

    private static ObjectProgress describeRunning(
            CampaignStatus status, FleetTables tables, @Nullable MachineCounts counts) {
        Wave current = currentWave(status, tables);
        String wave = current == null ? "all waves are closed" : "wave " + current.name() + " is in progress";
        WaveStatus known = current == null ? null : waveStatus(status, current, tables);
        if (status.approvals().editPending()) {
            return ObjectProgress.inProgress(
                    "Running",
                    "WaitsForApproval",
                    "nothing starts until the edited campaign is approved: create an Order with verb approve, "
                            + (current == null ? "" : "wave " + current.name() + " ")
                            + "and contentHash " + CampaignContentHash.compute(status.acceptedCampaign()));
        }
        if (current != null
                && current.approval() != Wave.WaveApproval.NONE
                && (known == null || known.approvedBy() == null)) {
            return ObjectProgress.inProgress(
                    "Running",
                    "NeedsApproval",
                    wave + "; it needs an approval (" + current.approval().label()
                            + "): create an Order with verb approve, wave "
                            + current.name() + " and contentHash "
                            + CampaignContentHash.compute(status.acceptedCampaign()));
        }
        return ObjectProgress.inProgress(
                "Running",
                "Running",
                counts == null || counts.waiting().isEmpty()
                        ? wave
                        : wave + "; nothing is in flight: " + counts.waiting());
    }

    /**
     * Returns the fields of an accepted campaign.
     *
     * @param counts its machines; null if their numbers are not known
     */
    public static JsonObjectReader fields(CampaignStatus status, FleetTables tables, @Nullable MachineCounts counts) {
        Wave current = status.state() == CampaignState.RUNNING || status.state() == CampaignState.PAUSED
                ? currentWave(status, tables)
                : null;
        JsonObjectReader.Builder fields = new JsonObjectReader.Builder()
                .put("uid", status.uid())
                .put("contentHash", CampaignContentHash.compute(status.acceptedCampaign()))
                .put(
                        "target",
                        status.acceptedCampaign().spec().target().option().text())
                .put("since", status.stateSince().toString());
        if (current != null) {
            fields.put("wave", current.name());
        }
        if (counts != null) {
            fields.put(
                    "machines",
                    new JsonObjectReader.Builder()
                            .put("total", counts.machines())
                            .put("ended", counts.machines() - counts.remaining())
                            .put("inFlight", counts.inFlight())
                            .build());
            if (counts.expectedEndAt() != null) {
                fields.put("expectedEndAt", counts.expectedEndAt().toString());
            }
        }
        List<JsonValue> waves = new ArrayList<>();
        for (Wave wave : status.acceptedCampaign().spec().waves()) {
            waves.add(wave(wave, waveStatus(status, wave, tables)));
        }
        return fields.put("waves", new JsonValue.JsonArray(waves, JsonValue.NO_LINE))
                .build();
    }

    private static JsonObjectReader wave(Wave wave, @Nullable WaveStatus known) {
        boolean isOpen = known != null && known.openedAt() != null;
        boolean isClosed = known != null && known.closedAt() != null;
        JsonObjectReader.Builder json = new JsonObjectReader.Builder()
                .put("name", wave.name())
                .put("phase", isClosed ? "Closed" : isOpen ? "Open" : "Waiting");
        if (known != null && known.openedAt() != null) {
            json.put("openedAt", known.openedAt().toString());
        }
        if (known != null && known.closedAt() != null) {
            json.put("closedAt", known.closedAt().toString());
        }
        if (known != null && known.approvedBy() != null) {
            json.put("approvedBy", known.approvedBy());
        }
        return json.build();
    }

    private static @Nullable Wave currentWave(CampaignStatus status, FleetTables tables) {
        for (Wave wave : status.acceptedCampaign().spec().waves()) {
            WaveStatus known = waveStatus(status, wave, tables);
            if (known == null || known.closedAt() == null) {
                return wave;
            }
        }
        return null;
    }

    private static @Nullable WaveStatus waveStatus(CampaignStatus status, Wave wave, FleetTables tables) {
        WaveStatus known = tables.row(
                new RowKey(Table.CAMPAIGN_STATUS, new WaveKey(status.name(), wave.name())), WaveStatus.class);
        return known != null && known.campaignUid() == status.uid() ? known : null;
    }
}
