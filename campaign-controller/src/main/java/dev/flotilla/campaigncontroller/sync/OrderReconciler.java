package dev.flotilla.campaigncontroller.sync;

import dev.flotilla.campaigncontroller.object.HubObject;
import dev.flotilla.campaigncontroller.object.OrderReader;
import dev.flotilla.campaigncontroller.object.OrderRequest;
import dev.flotilla.campaigncontroller.status.ObjectProgress;
import dev.flotilla.campaigncontroller.status.StatusJson;
import dev.flotilla.campaigncontroller.table.FleetTables;
import dev.flotilla.campaigncontroller.table.StoredRow;
import dev.flotilla.schemas.id.CampaignName;
import dev.flotilla.schemas.id.OperatorOrderKey;
import dev.flotilla.schemas.id.RowKey;
import dev.flotilla.schemas.json.tree.JsonObjectReader;
import dev.flotilla.schemas.row.CampaignStatus;
import dev.flotilla.schemas.row.OperatorOrder;
import dev.flotilla.schemas.row.RejectedRecord;
import dev.flotilla.schemas.row.RowChange;
import java.time.InstantSource;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Writes each Order to Kafka once, and shows what became of it. An order that was written is never written again: another one about the
 * same subject may have replaced it. Used by one thread.
 */
final class OrderReconciler {
    private static final String WAITING = "Waiting";
    private static final String WRITING = "Writing";
    private static final String ACCEPTED = "Accepted";
    private static final String REJECTED = "Rejected";
    private static final String REPLACED = "Replaced";

    /** Precedes the offset of the deletion of the newest order. */
    private static final String DELETED = "deleted-";

    /** The field with the id of the order that an Order replaces. */
    private static final String REPLACED_ORDER = "replacedOrder";

    /** Nothing happens any more to an Order in one of these phases. */
    private static final Set<String> FINAL_PHASES = Set.of(ACCEPTED, REJECTED, REPLACED);

    private final HubObjectWriter objects;
    private final Consumer<RowChange> rows;
    private final InstantSource clock;

    OrderReconciler(HubObjectWriter objects, Consumer<RowChange> rows, InstantSource clock) {
        this.objects = objects;
        this.rows = rows;
        this.clock = clock;
    }

    /** Whether nothing happens any more to an Order. */
    static boolean isFinished(HubObject order) {
        String phase = order.json().text("status", "phase");
        return order.isDeleting() || (phase != null && FINAL_PHASES.contains(phase));
    }

    /** Whether an Order may have been written to Kafka: what it replaces is written down before. */
    static boolean mayBeWritten(HubObject order) {
        return order.json().has("status", REPLACED_ORDER);
    }

    /**
     * Does the next step for an Order. Returns the problem of a write; null for none.
     *
     * @param earlier the subjects of Orders that come first and are not settled: one about the same subject waits for them, unless it may
     *     have been written. The subject of this one is added
     */
    @Nullable
    String reconcile(HubObject object, FleetTables tables, Set<String> earlier) {
        if (isFinished(object)) {
            return null;
        }
        return switch (OrderReader.read(object)) {
            case OrderReader.InvalidOrder invalid ->
                show(
                        object,
                        ObjectProgress.stalled("Invalid", "Invalid", String.join("; ", invalid.problems())),
                        keptFields(object));
            case OrderReader.ValidOrder valid -> {
                boolean isFirst = earlier.add(valid.request().key().toString());
                if (mayBeWritten(object)) {
                    yield follow(object, valid.request(), tables);
                }
                if (!isFirst) {
                    yield show(
                            object,
                            ObjectProgress.inProgress(
                                    WAITING, "EarlierOrder", "an earlier Order about the same subject comes first"),
                            keptFields(object));
                }
                yield prepare(object, valid.request(), tables);
            }
        };
    }

    /** Writes down which campaign it is about and which order it replaces, before the order itself. */
    private @Nullable String prepare(HubObject object, OrderRequest request, FleetTables tables) {
        JsonObjectReader.Builder fields =
                new JsonObjectReader.Builder().put("order", request.key().toString());
        if (request.key() instanceof OperatorOrderKey.CampaignOrder about) {
            CampaignStatus campaign = tables.campaignStatus(about.campaign());
            if (campaign == null) {
                return showWaiting(object, about.campaign());
            }
            fields.put("campaignUid", campaign.uid());
        }
        if (request.overlappedCampaign() != null) {
            CampaignStatus earlier = tables.campaignStatus(request.overlappedCampaign());
            if (earlier == null) {
                return showWaiting(object, request.overlappedCampaign());
            }
            fields.put("otherCampaignUid", earlier.uid());
        }
        fields.put(REPLACED_ORDER, newestId(rowKey(request), tables));
        return show(object, ObjectProgress.inProgress(WRITING, WRITING, "is being written to Kafka"), fields.build());
    }

    private @Nullable String showWaiting(HubObject object, CampaignName campaign) {
        return show(
                object,
                ObjectProgress.inProgress(
                        WAITING, "NoCampaign", "the orchestrator has not accepted a campaign " + campaign),
                new JsonObjectReader.Builder().build());
    }

    private @Nullable String follow(HubObject object, OrderRequest request, FleetTables tables) {
        RowKey at = rowKey(request);
        StoredRow stored = tables.stored(at);
        String newest = newestId(at, tables);
        if (newest.equals(object.uid()) && stored != null) {
            return showWritten(object, tables.rejection(at, stored.offset()), tables.isDecided(at, stored.offset()));
        }
        if (isReplacedBy(object, newest)) {
            rows.accept(request.toOrder(
                    object.uid(),
                    object.json().number("status", "campaignUid"),
                    object.json().number("status", "otherCampaignUid")));
            return null;
        }
        return show(
                object,
                ObjectProgress.stalled(
                        REPLACED,
                        REPLACED,
                        newest.isEmpty() || newest.startsWith(DELETED)
                                ? "it may have been given already: the newest order about the same subject was deleted in Kafka"
                                : "another order about the same subject came after it and is in force: " + newest),
                keptFields(object));
    }

    /** Whether the newest order is the one that an Order replaces, so that it was not written. Kafka forgets deletions after a while. */
    private static boolean isReplacedBy(HubObject object, String newest) {
        String text = object.json().text("status", REPLACED_ORDER);
        String replaced = text == null ? "" : text;
        return newest.equals(replaced) || (newest.isEmpty() && replaced.startsWith(DELETED));
    }

    /** Returns the id of the newest order of a key; empty if there is none. An order that was deleted is not as if there had been none. */
    private static String newestId(RowKey at, FleetTables tables) {
        StoredRow stored = tables.stored(at);
        if (stored == null) {
            long deletion = tables.newestOffset(at);
            return deletion < 0 ? "" : DELETED + deletion;
        }
        return stored.row() instanceof OperatorOrder order ? order.id() : "unreadable-" + stored.offset();
    }

    private @Nullable String showWritten(HubObject object, @Nullable RejectedRecord rejected, boolean isDecided) {
        if (rejected != null) {
            return show(
                    object,
                    ObjectProgress.stalled(
                            REJECTED,
                            REJECTED,
                            rejected.problem() + " (" + rejected.reason().label() + ")"),
                    keptFields(object));
        }
        return isDecided
                ? show(
                        object,
                        ObjectProgress.ready(ACCEPTED, ACCEPTED, "the orchestrator has accepted it"),
                        keptFields(object))
                : show(
                        object,
                        ObjectProgress.inProgress(
                                WRITING, "NotDecided", "is in Kafka, and no orchestrator has decided on it yet"),
                        keptFields(object));
    }

    private static RowKey rowKey(OrderRequest request) {
        return new RowKey(request.key().table(), request.key());
    }

    /** What was written down before the order. */
    private static JsonObjectReader keptFields(HubObject object) {
        JsonObjectReader status = object.json().object("status").json();
        JsonObjectReader.Builder kept = new JsonObjectReader.Builder();
        for (int i = 0; i < status.size(); i++) {
            if (Set.of("order", "campaignUid", "otherCampaignUid", REPLACED_ORDER)
                    .contains(status.name(i))) {
                kept.put(status.name(i), status.value(i));
            }
        }
        return kept.build();
    }

    private @Nullable String show(HubObject object, ObjectProgress progress, JsonObjectReader fields) {
        return objects.writeStatus(object, StatusJson.build(object, progress, fields, clock.instant()));
    }
}
