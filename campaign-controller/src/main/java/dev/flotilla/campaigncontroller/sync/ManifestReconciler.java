package dev.flotilla.campaigncontroller.sync;

import dev.flotilla.campaigncontroller.counts.MachineCounts;
import dev.flotilla.campaigncontroller.counts.MachineCountsSource;
import dev.flotilla.campaigncontroller.object.HubKind;
import dev.flotilla.campaigncontroller.object.HubObject;
import dev.flotilla.campaigncontroller.object.ManifestReader;
import dev.flotilla.campaigncontroller.status.CampaignProgress;
import dev.flotilla.campaigncontroller.status.ObjectProgress;
import dev.flotilla.campaigncontroller.status.StatusJson;
import dev.flotilla.campaigncontroller.table.FleetTables;
import dev.flotilla.campaigncontroller.table.StoredRow;
import dev.flotilla.schemas.id.CampaignName;
import dev.flotilla.schemas.id.EntityKey;
import dev.flotilla.schemas.id.FleetScope;
import dev.flotilla.schemas.id.NameValidator;
import dev.flotilla.schemas.id.OperatorOrderKey;
import dev.flotilla.schemas.id.RowKey;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.id.Table;
import dev.flotilla.schemas.json.tree.JsonObjectReader;
import dev.flotilla.schemas.row.Campaign;
import dev.flotilla.schemas.row.CampaignStatus;
import dev.flotilla.schemas.row.OperatorOrder;
import dev.flotilla.schemas.row.RejectedRecord;
import dev.flotilla.schemas.row.RowChange;
import dev.flotilla.schemas.row.TableRow;
import dev.flotilla.schemas.row.Tombstone;
import java.time.InstantSource;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Makes a Campaign or Policy and its row in Kafka agree. Used by one thread. */
final class ManifestReconciler {
    private static final String AUTHOR = "campaign-controller";
    private static final int MAX_REASON = 1_024;

    private final HubObjectWriter objects;
    private final Consumer<RowChange> rows;
    private final MachineCountsSource counts;
    private final InstantSource clock;

    ManifestReconciler(
            HubObjectWriter objects, Consumer<RowChange> rows, MachineCountsSource counts, InstantSource clock) {
        this.objects = objects;
        this.rows = rows;
        this.counts = counts;
        this.clock = clock;
    }

    /** Returns the key of the row of a name; null for a name that no row has. */
    static @Nullable RowKey keyOf(HubKind kind, String name) {
        if (kind == HubKind.POLICY && name.equals(FleetScope.FLEET.toString())) {
            return new RowKey(Table.POLICIES, FleetScope.FLEET);
        }
        if (NameValidator.problemOfOwnName(name) != null) {
            return null;
        }
        EntityKey key = kind == HubKind.POLICY ? new SiteId(name) : new CampaignName(name);
        return new RowKey(kind == HubKind.POLICY ? Table.POLICIES : Table.CAMPAIGNS, key);
    }

    /** Does the next step for an object. Returns the problem of a write; null for none. */
    @Nullable
    String reconcile(HubObject object, FleetTables tables) {
        RowKey at = keyOf(object.kind(), object.name());
        ManifestReader.ManifestResult read = ManifestReader.read(object.kind(), object.json());
        if (at == null) {
            return object.isDeleting()
                    ? release(object)
                    : show(object, describeInvalid(read), keptFields(object).build());
        }
        if (!object.isDeleting() && read instanceof ManifestReader.InvalidManifest) {
            return show(object, describeInvalid(read), keptFields(object).build());
        }
        TableRow row = !object.isDeleting() && read instanceof ManifestReader.ValidManifest valid ? valid.row() : null;
        StoredRow stored = tables.stored(at);
        SyncSides sides = new SyncSides(
                row == null ? SyncSides.ABSENT : RowHash.of(row),
                stored == null ? SyncSides.absentSince(tables.newestOffset(at)) : RowHash.of(stored),
                object.commonHashes(),
                object.isMirror(),
                object.overwrittenHash());
        return switch (sides.findAction()) {
            case NONE -> row == null ? release(object) : showSynced(object, at, sides.row(), tables);
            case WRITE_ROW -> row == null ? null : writeRow(object, row, stored, sides);
            // Kafka keeps the last policy that was accepted, whatever is deleted.
            case DELETE_ROW -> object.kind() == HubKind.POLICY ? release(object) : deleteRow(object, at, tables);
            case UPDATE_OBJECT ->
                stored != null && stored.row() instanceof TableRow newer
                        ? objects.updateFromRow(object, newer)
                        : showConflict(object, sides);
            case DELETE_OBJECT -> objects.delete(object);
            case RELEASE_OBJECT -> release(object);
            case SHOW_CONFLICT -> showConflict(object, sides);
        };
    }

    private @Nullable String release(HubObject object) {
        return object.hasFinalizer() ? objects.writeFinalizer(object, false) : null;
    }

    /** First the finalizer, then what is about to be written, then the row: so a crash between them loses nothing. */
    private @Nullable String writeRow(HubObject object, TableRow row, @Nullable StoredRow stored, SyncSides sides) {
        if (!object.hasFinalizer()) {
            return objects.writeFinalizer(object, true);
        }
        if (!sides.common().contains(sides.object()) || !sides.common().contains(sides.row())) {
            return show(
                    object,
                    ObjectProgress.inProgress("Waiting", "Writing", "is being written to Kafka"),
                    new JsonObjectReader.Builder()
                            .put("syncedHash", sides.row())
                            .put("pendingHash", sides.object())
                            .build());
        }
        rows.accept(
                row instanceof Campaign campaign
                        ? SharedLabels.withThoseOfTheRow(
                                campaign, stored != null && stored.row() instanceof Campaign before ? before : null)
                        : row);
        return null;
    }

    /** A campaign that is not over is aborted first, so that the journal has who did it and why. */
    private @Nullable String deleteRow(HubObject object, RowKey at, FleetTables tables) {
        CampaignStatus status = tables.campaignStatus(at.key());
        if (status == null || status.state().isOver()) {
            rows.accept(new Tombstone(at));
            return null;
        }
        OperatorOrder abort = new OperatorOrder(
                new OperatorOrderKey.SetCampaignState(status.name()),
                "delete-" + object.uid() + "-" + status.uid(),
                AUTHOR,
                reasonOf(object),
                status.uid(),
                OperatorOrder.OrderVerb.ABORT);
        StoredRow written = tables.stored(abort.rowKey());
        boolean isWritten = written != null
                && written.row() instanceof OperatorOrder order
                && order.id().equals(abort.id());
        if (!isWritten) {
            rows.accept(abort);
        }
        RejectedRecord rejected =
                isWritten && written != null ? tables.rejection(abort.rowKey(), written.offset()) : null;
        return show(
                object,
                rejected == null
                        ? ObjectProgress.inProgress("Aborting", "Aborting", "is aborted before it is deleted")
                        : ObjectProgress.stalled("Aborting", "Rejected", "cannot be aborted: " + rejected.problem()),
                keptFields(object).build());
    }

    private static String reasonOf(HubObject object) {
        String reason = object.json().annotation(HubObject.REASON_ANNOTATION);
        String given = reason == null || reason.isBlank() ? object + " was deleted" : reason;
        return given.length() <= MAX_REASON ? given : given.substring(0, MAX_REASON);
    }

    private @Nullable String showSynced(HubObject object, RowKey at, String hash, FleetTables tables) {
        if (!object.hasFinalizer()) {
            return objects.writeFinalizer(object, true);
        }
        StoredRow stored = tables.stored(at);
        RejectedRecord rejected = stored == null ? null : tables.rejection(at, stored.offset());
        CampaignStatus status = tables.campaignStatus(at.key());
        MachineCounts machines =
                status == null ? null : counts.find(status.name().name(), status.uid());
        JsonObjectReader.Builder fields = (status == null
                        ? new JsonObjectReader.Builder()
                        : CampaignProgress.fields(status, tables, machines).toBuilder())
                .put("syncedHash", hash);
        ObjectProgress progress;
        if (rejected != null) {
            progress = ObjectProgress.stalled(
                    "Rejected",
                    "Rejected",
                    "rejected (" + rejected.reason().label() + "): "
                            + (rejected.path().isEmpty() ? "it" : rejected.path())
                            + (rejected.value().isEmpty() ? "" : " \"" + rejected.value() + "\"")
                            + " " + rejected.problem()
                            + (status == null ? "" : ". The version that was accepted before stays in force"));
        } else if (stored != null && !tables.isDecided(at, stored.offset())) {
            progress = ObjectProgress.inProgress(
                    "Waiting", "NotDecided", "is in Kafka, and no orchestrator has decided on it yet");
        } else if (object.kind() == HubKind.POLICY) {
            progress = ObjectProgress.ready("Accepted", "Accepted", "in force");
        } else if (status == null) {
            progress = ObjectProgress.inProgress("Waiting", "NotDecided", "the orchestrator has not accepted it yet");
        } else {
            progress = CampaignProgress.describe(status, tables, machines);
        }
        return show(object, progress, fields.build());
    }

    private @Nullable String showConflict(HubObject object, SyncSides sides) {
        boolean isGone = sides.isRowAbsent();
        String what = isGone
                ? "it was deleted in Kafka"
                : sides.common().isEmpty()
                        ? "Kafka has another one of this name"
                        : "it was changed in Kafka" + (sides.common().contains(sides.object()) ? "" : " and here");
        String keep = object.isDeleting()
                ? "remove finalizer " + HubObject.FINALIZER + " from this object"
                : isGone
                        ? "delete this object"
                        : "give this object the spec that `" + commandThatShows(object) + "` shows";
        return show(
                object,
                ObjectProgress.stalled(
                        HubObject.CONFLICT_PHASE,
                        isGone ? "DeletedInKafka" : "ChangedInKafka",
                        what + ", and what Kafka has is in force. To keep that, " + keep + ". To "
                                + (object.isDeleting() ? "delete" : "replace") + " it, annotate this object with "
                                + HubObject.OVERWRITE_ANNOTATION + "=" + sides.row()),
                keptFields(object).put("kafkaHash", sides.row()).build());
    }

    private static String commandThatShows(HubObject object) {
        return object.kind() == HubKind.POLICY
                ? "flotilla policy list --output json"
                : "flotilla campaign get " + object.name() + " --output json";
    }

    private static ObjectProgress describeInvalid(ManifestReader.ManifestResult read) {
        String problems = read instanceof ManifestReader.InvalidManifest invalid
                ? String.join("; ", invalid.problems())
                : "metadata.name is no name of a campaign, a site or the fleet";
        return ObjectProgress.stalled("Invalid", "Invalid", problems);
    }

    private @Nullable String show(HubObject object, ObjectProgress progress, JsonObjectReader fields) {
        return objects.writeStatus(object, StatusJson.build(object, progress, fields, clock.instant()));
    }

    /** The fields that the next pass needs. */
    private static JsonObjectReader.Builder keptFields(HubObject object) {
        JsonObjectReader.Builder kept = new JsonObjectReader.Builder();
        for (String field : List.of("syncedHash", "pendingHash")) {
            String hash = object.json().text("status", field);
            if (hash != null && !hash.isEmpty()) {
                kept.put(field, hash);
            }
        }
        return kept;
    }
}
