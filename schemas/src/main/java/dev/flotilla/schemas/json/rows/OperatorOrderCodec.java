package dev.flotilla.schemas.json.rows;

import dev.flotilla.schemas.id.OperatorOrderKey;
import dev.flotilla.schemas.id.Table;
import dev.flotilla.schemas.json.codec.DecodedFields;
import dev.flotilla.schemas.json.codec.EnumCodec;
import dev.flotilla.schemas.json.codec.JsonCodec;
import dev.flotilla.schemas.json.codec.JsonObjectCodec;
import dev.flotilla.schemas.json.codec.JsonObjectField;
import dev.flotilla.schemas.json.codec.ListCodec;
import dev.flotilla.schemas.json.codec.ProblemCollector;
import dev.flotilla.schemas.json.codec.ScalarCodecs;
import dev.flotilla.schemas.json.tree.JsonValue;
import dev.flotilla.schemas.row.OperatorOrder;
import dev.flotilla.schemas.row.OperatorOrder.OrderVerb;
import dev.flotilla.schemas.row.RejectionReason;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * JSON codecs for orders, one for each table of orders. The codec of table {@code orders} also reads orders that belong on another
 * table, as earlier versions wrote them, so that they are rejected with the name of that table.
 */
final class OperatorOrderCodec {
    public static final JsonCodec<OperatorOrder> ORDER = orders();
    public static final JsonCodec<OperatorOrder> APPROVAL = approvals();
    public static final JsonCodec<OperatorOrder> FREEZE = freezes();
    public static final JsonCodec<OperatorOrder> AUDITOR_ORDER = auditorOrders();

    private static final int MAX_LIFTED_FREEZES = 16;

    private OperatorOrderCodec() {}

    /** Fields that all orders have. */
    private record Common(
            Table table,
            JsonObjectCodec.CodecBuilder<OperatorOrder> row,
            JsonObjectField.NonNullField<OperatorOrder, OperatorOrderKey> about,
            JsonObjectField.NonNullField<OperatorOrder, String> id,
            JsonObjectField.NonNullField<OperatorOrder, String> requestedBy,
            JsonObjectField.NonNullField<OperatorOrder, String> reason) {

        static Common of(Table table, String name, String text, String keys) {
            var row = JsonObjectCodec.<OperatorOrder>of(name, text);
            return new Common(
                    table,
                    row,
                    row.required(
                            "order", IdCodecs.ORDER, "The same as the record's key: " + keys + ".", OperatorOrder::key),
                    row.required(
                            "id",
                            ScalarCodecs.TOKEN,
                            "The order's id; it distinguishes orders with the same key.",
                            OperatorOrder::id),
                    row.required("requestedBy", ScalarCodecs.TOKEN, "Who gave the order.", OperatorOrder::requestedBy),
                    row.required("reason", ScalarCodecs.text(0, 1024), "Why it was given.", OperatorOrder::reason));
        }

        OperatorOrder plain(DecodedFields v, JsonObjectField.NonNullField<OperatorOrder, OrderVerb> verb) {
            return about(v, null, null, null, v.get(verb));
        }

        OperatorOrder about(
                DecodedFields v,
                @Nullable Long campaignUid,
                @Nullable String contentHash,
                @Nullable Long otherCampaignUid,
                OrderVerb verb) {
            return new OperatorOrder(
                    table,
                    v.get(about),
                    v.get(id),
                    v.get(requestedBy),
                    v.get(reason),
                    campaignUid,
                    contentHash,
                    otherCampaignUid,
                    List.of(),
                    verb);
        }

        JsonObjectField.NonNullField<OperatorOrder, OrderVerb> verb(OrderVerb... verbs) {
            return row.required(
                    "verb",
                    EnumCodec.of(List.of(verbs), OrderVerb::label),
                    "The command; it must match the key.",
                    OperatorOrder::verb);
        }

        JsonObjectField.NullableField<OperatorOrder, Long> campaignUid() {
            return row.optional(
                    "campaignUid",
                    ScalarCodecs.SEQ,
                    "For a campaign's order: the campaign's uid. An order with another uid is rejected.",
                    OperatorOrder::campaignUid);
        }

        JsonObjectField.NullableField<OperatorOrder, String> contentHash() {
            return row.optional(
                    "contentHash",
                    ScalarCodecs.TOKEN,
                    "For <campaign>/approve/<wave>: the content hash of the campaign that was reviewed. An approval without it or"
                            + " with another content hash than the campaign's is rejected.",
                    OperatorOrder::contentHash);
        }

        JsonObjectField.NullableField<OperatorOrder, Long> otherCampaignUid() {
            return row.optional(
                    "otherCampaignUid",
                    ScalarCodecs.SEQ,
                    "For <campaign>/overlap: the uid of the earlier campaign with which this one may overlap.",
                    OperatorOrder::otherCampaignUid);
        }
    }

    private static JsonCodec<OperatorOrder> orders() {
        Common all = Common.of(
                Table.ORDERS,
                "order",
                "An operator's order, with its author and reason. An approval or a freeze on this table is rejected: it belongs"
                        + " on approvals or freezes. Even so, a freeze here blocks its scope until an order lifts it.",
                "<campaign>/state, /skip/<site>/<namespace>/<machine> or /retry; site/<site>/accept-removal, /write-off or"
                        + " /adopt; fleet/adopt");
        return aboutCampaigns(all, OrderVerb.values());
    }

    private static JsonCodec<OperatorOrder> approvals() {
        Common all = Common.of(
                Table.APPROVALS,
                "approval",
                "An approval, with its author and reason.",
                "<campaign>/approve/<wave> or <campaign>/overlap");
        return aboutCampaigns(all, OrderVerb.APPROVE);
    }

    private static JsonCodec<OperatorOrder> aboutCampaigns(Common all, OrderVerb... verbs) {
        var uid = all.campaignUid();
        var contentHash = all.contentHash();
        var otherCampaignUid = all.otherCampaignUid();
        var verb = all.verb(verbs);
        return all.row()
                .build((v, at, problems) -> checked(
                        all.about(v, v.get(uid), v.get(contentHash), v.get(otherCampaignUid), v.get(verb)),
                        at,
                        problems));
    }

    private static JsonCodec<OperatorOrder> freezes() {
        Common all = Common.of(
                Table.FREEZES,
                "freeze",
                "A freeze of the fleet or of a site, or the order that lifts it, with its author and reason.",
                "fleet/freeze or site/<site>/freeze");
        var liftedFreezes = all.row()
                .<List<String>>omittedIfDefault(
                        "liftedFreezes",
                        new ListCodec<>(ScalarCodecs.TOKEN, MAX_LIFTED_FREEZES),
                        List.of(),
                        "With unfreeze: the ids of freezes with the same key on other tables, such as the auditor's, that it"
                                + " lifts as well. Freezes that it does not name remain in force.",
                        OperatorOrder::liftedFreezes);
        var verb = all.verb(OrderVerb.FREEZE, OrderVerb.UNFREEZE);
        return all.row()
                .build((v, at, problems) ->
                        checked(all.plain(v, verb).withLiftedFreezes(v.get(liftedFreezes)), at, problems));
    }

    private static JsonCodec<OperatorOrder> auditorOrders() {
        Common all = Common.of(
                Table.AUDITOR_ORDERS,
                "auditor-order",
                "The auditor's freeze of the fleet, with its reason. An order on freezes that names its id lifts it.",
                "fleet/freeze");
        var verb = all.verb(OrderVerb.FREEZE);
        return all.row().build((v, at, problems) -> checked(all.plain(v, verb), at, problems));
    }

    private static @Nullable OperatorOrder checked(OperatorOrder order, JsonValue at, ProblemCollector problems) {
        List<OrderVerb> verbs = verbs(order.key());
        if (!verbs.contains(order.verb())) {
            problems.add(
                    RejectionReason.CONTRADICTION,
                    at,
                    "has verb \"" + order.verb().label() + "\", but under key " + order.key() + " the verb must be "
                            + String.join(
                                    " or ", verbs.stream().map(OrderVerb::label).toList()),
                    null);
            return null;
        }
        if (!order.liftedFreezes().isEmpty() && order.verb() != OrderVerb.UNFREEZE) {
            problems.add(
                    RejectionReason.CONTRADICTION,
                    at,
                    "has freezes to lift, but verb \"" + order.verb().label() + "\"; only verb \""
                            + OrderVerb.UNFREEZE.label() + "\" lifts freezes",
                    null);
            return null;
        }
        if (order.key() instanceof OperatorOrderKey.CampaignOrder && order.campaignUid() == null) {
            problems.addMissingField(at, "campaignUid", null);
            return null;
        }
        return order;
    }

    private static List<OrderVerb> verbs(OperatorOrderKey key) {
        return switch (key) {
            case OperatorOrderKey.SetCampaignState state -> List.of(OrderVerb.RUN, OrderVerb.PAUSE, OrderVerb.ABORT);
            case OperatorOrderKey.ApproveWave approve -> List.of(OrderVerb.APPROVE);
            case OperatorOrderKey.ApproveOverlap overlap -> List.of(OrderVerb.APPROVE);
            case OperatorOrderKey.SkipMachine skip -> List.of(OrderVerb.SKIP);
            case OperatorOrderKey.RetryQuarantined retry -> List.of(OrderVerb.RETRY);
            case OperatorOrderKey.FreezeFleet freeze -> List.of(OrderVerb.FREEZE, OrderVerb.UNFREEZE);
            case OperatorOrderKey.FreezeSite freeze -> List.of(OrderVerb.FREEZE, OrderVerb.UNFREEZE);
            case OperatorOrderKey.AcceptMassRemoval removal -> List.of(OrderVerb.ACCEPT_REMOVAL);
            case OperatorOrderKey.WriteOffSite writeOff -> List.of(OrderVerb.WRITE_OFF);
            case OperatorOrderKey.AdoptSiteTopics adopt -> List.of(OrderVerb.ADOPT);
            case OperatorOrderKey.AdoptFleetTopics adopt -> List.of(OrderVerb.ADOPT);
        };
    }
}
