package dev.flotilla.schemas.json.rows;

import dev.flotilla.schemas.id.OrderKey;
import dev.flotilla.schemas.json.codec.Choice;
import dev.flotilla.schemas.json.codec.Codec;
import dev.flotilla.schemas.json.codec.Field;
import dev.flotilla.schemas.json.codec.Lists;
import dev.flotilla.schemas.json.codec.Problems;
import dev.flotilla.schemas.json.codec.RecordCodec;
import dev.flotilla.schemas.json.codec.Scalars;
import dev.flotilla.schemas.json.codec.Values;
import dev.flotilla.schemas.json.tree.Tree;
import dev.flotilla.schemas.row.Order;
import dev.flotilla.schemas.row.Order.Verb;
import dev.flotilla.schemas.row.RejectionReason;
import dev.flotilla.schemas.topic.Table;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What operators order. Each table of orders has a form of its own; that of {@code orders} reads also what belongs on another
 * table, as earlier versions wrote it, so that it is refused with the table where it belongs.
 */
public final class OrderCodec {
    public static final Codec<Order> ORDER = orders();
    public static final Codec<Order> APPROVAL = approvals();
    public static final Codec<Order> FREEZE = freezes();
    public static final Codec<Order> AUDITOR_ORDER = auditorOrders();

    private static final int MAX_LIFTS = 16;

    private OrderCodec() {}

    /** What the forms have in common. */
    private record Common(
            Table table,
            RecordCodec.Declaration<Order> row,
            Field.Given<Order, OrderKey> about,
            Field.Given<Order, String> id,
            Field.Given<Order, String> who,
            Field.Given<Order, String> why) {

        static Common of(Table table, String name, String text, String keys) {
            var row = RecordCodec.<Order>of(name, text);
            return new Common(
                    table,
                    row,
                    row.required("order", Ids.ORDER, "The same as the record's key: " + keys + ".", Order::key),
                    row.required("id", Scalars.TOKEN, "Tells one order from another of the same kind.", Order::id),
                    row.required("who", Scalars.TOKEN, "Who orders it.", Order::who),
                    row.required("why", Scalars.text(0, 1024), "Why it is ordered.", Order::why));
        }

        Order plain(Values v, Field.Given<Order, Verb> verb) {
            return about(v, null, null, null, v.get(verb));
        }

        Order about(
                Values v, @Nullable Long campaignUid, @Nullable String edition, @Nullable Long otherUid, Verb verb) {
            return new Order(
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

        Field.Given<Order, Verb> verb(Verb... verbs) {
            return row.required(
                    "verb",
                    Choice.of(List.of(verbs), Verb::label),
                    "What is ordered; it must suit the key.",
                    Order::verb);
        }

        Field.Maybe<Order, Long> campaignUid() {
            return row.optional(
                    "campaignUid",
                    Scalars.SEQ,
                    "Under a campaign's name: which campaign of that name is meant. Another uid is refused.",
                    Order::campaignUid);
        }

        Field.Maybe<Order, String> edition() {
            return row.optional(
                    "edition",
                    Scalars.TOKEN,
                    "Under <campaign>/approve/<wave>: the edition of the campaign that was looked at. An approval without it, or"
                            + " of another edition than the campaign is at, is refused.",
                    Order::edition);
        }

        Field.Maybe<Order, Long> otherUid() {
            return row.optional(
                    "otherUid",
                    Scalars.SEQ,
                    "Under <campaign>/overlap: the uid of the earlier campaign beside which this one may run.",
                    Order::otherUid);
        }
    }

    private static Codec<Order> orders() {
        Common all = Common.of(
                Table.ORDERS,
                "order",
                "What an operator orders, with who and why. An approval or a freeze on this table is refused: it belongs on"
                        + " approvals or freezes. A freeze that stands here closes its scope until an order lifts it.",
                "<campaign>/state, /skip/<site>/<namespace>/<machine> or /retry; site/<site>/accept-removal, /write-off or"
                        + " /adopt; fleet/adopt");
        return aboutCampaigns(all, Verb.values());
    }

    private static Codec<Order> approvals() {
        Common all = Common.of(
                Table.APPROVALS,
                "approval",
                "What a person approves, with who and why.",
                "<campaign>/approve/<wave> or <campaign>/overlap");
        return aboutCampaigns(all, Verb.APPROVE);
    }

    private static Codec<Order> aboutCampaigns(Common all, Verb... verbs) {
        var uid = all.campaignUid();
        var edition = all.edition();
        var other = all.otherUid();
        var verb = all.verb(verbs);
        return all.row()
                .build((v, at, problems) ->
                        checked(all.about(v, v.get(uid), v.get(edition), v.get(other), v.get(verb)), at, problems));
    }

    private static Codec<Order> freezes() {
        Common all = Common.of(
                Table.FREEZES,
                "freeze",
                "A freeze of the fleet or of a site, or the order that lifts it, with who and why.",
                "fleet/freeze or site/<site>/freeze");
        var lifts = all.row()
                .<List<String>>usual(
                        "lifts",
                        new Lists<>(Scalars.TOKEN, MAX_LIFTS),
                        List.of(),
                        "With unfreeze: the ids of freezes of the same key on other tables, such as the auditor's, that it"
                                + " lifts too. Those that it does not name still hold.",
                        Order::lifts);
        var verb = all.verb(Verb.FREEZE, Verb.UNFREEZE);
        return all.row().build((v, at, problems) -> checked(all.plain(v, verb).lifting(v.get(lifts)), at, problems));
    }

    private static Codec<Order> auditorOrders() {
        Common all = Common.of(
                Table.AUDITOR_ORDERS,
                "auditor-order",
                "The auditor's freeze of the fleet, and why. An order on freezes that names its id lifts it.",
                "fleet/freeze");
        var verb = all.verb(Verb.FREEZE);
        return all.row().build((v, at, problems) -> checked(all.plain(v, verb), at, problems));
    }

    private static @Nullable Order checked(Order order, Tree at, Problems problems) {
        List<Verb> verbs = verbs(order.key());
        if (!verbs.contains(order.verb())) {
            problems.add(
                    RejectionReason.CONTRADICTION,
                    at,
                    "orders \"" + order.verb().label() + "\" under " + order.key() + ", where only "
                            + String.join(", ", verbs.stream().map(Verb::label).toList()) + " can stand",
                    null);
            return null;
        }
        if (!order.lifts().isEmpty() && order.verb() != Verb.UNFREEZE) {
            problems.add(
                    RejectionReason.CONTRADICTION,
                    at,
                    "names freezes to lift and orders \"" + order.verb().label() + "\"; only " + Verb.UNFREEZE.label()
                            + " lifts",
                    null);
            return null;
        }
        if (order.key() instanceof OrderKey.OfCampaign && order.campaignUid() == null) {
            problems.missing(at, "campaignUid", null);
            return null;
        }
        return order;
    }

    private static List<Verb> verbs(OrderKey key) {
        return switch (key) {
            case OrderKey.State state -> List.of(Verb.RUN, Verb.PAUSE, Verb.ABORT);
            case OrderKey.Approve approve -> List.of(Verb.APPROVE);
            case OrderKey.Overlap overlap -> List.of(Verb.APPROVE);
            case OrderKey.Skip skip -> List.of(Verb.SKIP);
            case OrderKey.Retry retry -> List.of(Verb.RETRY);
            case OrderKey.FleetFreeze freeze -> List.of(Verb.FREEZE, Verb.UNFREEZE);
            case OrderKey.SiteFreeze freeze -> List.of(Verb.FREEZE, Verb.UNFREEZE);
            case OrderKey.AcceptRemoval removal -> List.of(Verb.ACCEPT_REMOVAL);
            case OrderKey.WriteOff writeOff -> List.of(Verb.WRITE_OFF);
            case OrderKey.AdoptSite adopt -> List.of(Verb.ADOPT);
            case OrderKey.AdoptFleet adopt -> List.of(Verb.ADOPT);
        };
    }
}
