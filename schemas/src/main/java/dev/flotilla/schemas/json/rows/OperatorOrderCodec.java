package dev.flotilla.schemas.json.rows;

import dev.flotilla.schemas.id.OperatorOrderKey;
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
import dev.flotilla.schemas.topic.Table;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What operators order. Each table of orders has a form of its own; that of {@code orders} reads also what belongs on another
 * table, as earlier versions wrote it, so that it is refused with the table where it belongs.
 */
public final class OperatorOrderCodec {
    public static final JsonCodec<OperatorOrder> ORDER = orders();
    public static final JsonCodec<OperatorOrder> APPROVAL = approvals();
    public static final JsonCodec<OperatorOrder> FREEZE = freezes();
    public static final JsonCodec<OperatorOrder> AUDITOR_ORDER = auditorOrders();

    private static final int MAX_LIFTS = 16;

    private OperatorOrderCodec() {}

    /** What the forms have in common. */
    private record Common(
            Table table,
            JsonObjectCodec.CodecBuilder<OperatorOrder> row,
            JsonObjectField.NonNullField<OperatorOrder, OperatorOrderKey> about,
            JsonObjectField.NonNullField<OperatorOrder, String> id,
            JsonObjectField.NonNullField<OperatorOrder, String> who,
            JsonObjectField.NonNullField<OperatorOrder, String> why) {

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
                            "Tells one order from another of the same kind.",
                            OperatorOrder::id),
                    row.required("who", ScalarCodecs.TOKEN, "Who orders it.", OperatorOrder::requestedBy),
                    row.required("why", ScalarCodecs.text(0, 1024), "Why it is ordered.", OperatorOrder::reason));
        }

        OperatorOrder plain(DecodedFields v, JsonObjectField.NonNullField<OperatorOrder, OrderVerb> verb) {
            return about(v, null, null, null, v.get(verb));
        }

        OperatorOrder about(
                DecodedFields v,
                @Nullable Long campaignUid,
                @Nullable String edition,
                @Nullable Long otherUid,
                OrderVerb verb) {
            return new OperatorOrder(
                    table,
                    v.get(about),
                    v.get(id),
                    v.get(who),
                    v.get(why),
                    campaignUid,
                    edition,
                    otherUid,
                    List.of(),
                    verb);
        }

        JsonObjectField.NonNullField<OperatorOrder, OrderVerb> verb(OrderVerb... verbs) {
            return row.required(
                    "verb",
                    EnumCodec.of(List.of(verbs), OrderVerb::label),
                    "What is ordered; it must suit the key.",
                    OperatorOrder::verb);
        }

        JsonObjectField.NullableField<OperatorOrder, Long> campaignUid() {
            return row.optional(
                    "campaignUid",
                    ScalarCodecs.SEQ,
                    "Under a campaign's name: which campaign of that name is meant. Another uid is refused.",
                    OperatorOrder::campaignUid);
        }

        JsonObjectField.NullableField<OperatorOrder, String> edition() {
            return row.optional(
                    "edition",
                    ScalarCodecs.TOKEN,
                    "Under <campaign>/approve/<wave>: the edition of the campaign that was looked at. An approval without it, or"
                            + " of another edition than the campaign is at, is refused.",
                    OperatorOrder::contentHash);
        }

        JsonObjectField.NullableField<OperatorOrder, Long> otherUid() {
            return row.optional(
                    "otherUid",
                    ScalarCodecs.SEQ,
                    "Under <campaign>/overlap: the uid of the earlier campaign beside which this one may run.",
                    OperatorOrder::otherCampaignUid);
        }
    }

    private static JsonCodec<OperatorOrder> orders() {
        Common all = Common.of(
                Table.ORDERS,
                "order",
                "What an operator orders, with who and why. An approval or a freeze on this table is refused: it belongs on"
                        + " approvals or freezes. A freeze that stands here closes its scope until an order lifts it.",
                "<campaign>/state, /skip/<site>/<namespace>/<machine> or /retry; site/<site>/accept-removal, /write-off or"
                        + " /adopt; fleet/adopt");
        return aboutCampaigns(all, OrderVerb.values());
    }

    private static JsonCodec<OperatorOrder> approvals() {
        Common all = Common.of(
                Table.APPROVALS,
                "approval",
                "What a person approves, with who and why.",
                "<campaign>/approve/<wave> or <campaign>/overlap");
        return aboutCampaigns(all, OrderVerb.APPROVE);
    }

    private static JsonCodec<OperatorOrder> aboutCampaigns(Common all, OrderVerb... verbs) {
        var uid = all.campaignUid();
        var edition = all.edition();
        var other = all.otherUid();
        var verb = all.verb(verbs);
        return all.row()
                .build((v, at, problems) ->
                        checked(all.about(v, v.get(uid), v.get(edition), v.get(other), v.get(verb)), at, problems));
    }

    private static JsonCodec<OperatorOrder> freezes() {
        Common all = Common.of(
                Table.FREEZES,
                "freeze",
                "A freeze of the fleet or of a site, or the order that lifts it, with who and why.",
                "fleet/freeze or site/<site>/freeze");
        var lifts = all.row()
                .<List<String>>omittedIfDefault(
                        "lifts",
                        new ListCodec<>(ScalarCodecs.TOKEN, MAX_LIFTS),
                        List.of(),
                        "With unfreeze: the ids of freezes of the same key on other tables, such as the auditor's, that it"
                                + " lifts too. Those that it does not name still hold.",
                        OperatorOrder::liftedFreezes);
        var verb = all.verb(OrderVerb.FREEZE, OrderVerb.UNFREEZE);
        return all.row()
                .build((v, at, problems) -> checked(all.plain(v, verb).withLiftedFreezes(v.get(lifts)), at, problems));
    }

    private static JsonCodec<OperatorOrder> auditorOrders() {
        Common all = Common.of(
                Table.AUDITOR_ORDERS,
                "auditor-order",
                "The auditor's freeze of the fleet, and why. An order on freezes that names its id lifts it.",
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
                    "orders \"" + order.verb().label() + "\" under " + order.key() + ", where only "
                            + String.join(
                                    ", ", verbs.stream().map(OrderVerb::label).toList()) + " can stand",
                    null);
            return null;
        }
        if (!order.liftedFreezes().isEmpty() && order.verb() != OrderVerb.UNFREEZE) {
            problems.add(
                    RejectionReason.CONTRADICTION,
                    at,
                    "names freezes to lift and orders \"" + order.verb().label() + "\"; only "
                            + OrderVerb.UNFREEZE.label() + " lifts",
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
