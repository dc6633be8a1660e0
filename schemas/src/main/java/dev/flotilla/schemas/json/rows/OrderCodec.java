package dev.flotilla.schemas.json.rows;

import dev.flotilla.schemas.id.OrderKey;
import dev.flotilla.schemas.json.codec.Choice;
import dev.flotilla.schemas.json.codec.Codec;
import dev.flotilla.schemas.json.codec.Problems;
import dev.flotilla.schemas.json.codec.RecordCodec;
import dev.flotilla.schemas.json.codec.Scalars;
import dev.flotilla.schemas.json.tree.Tree;
import dev.flotilla.schemas.row.Order;
import dev.flotilla.schemas.row.Order.Verb;
import dev.flotilla.schemas.row.RejectionReason;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What operators order. */
public final class OrderCodec {
    public static final Codec<Order> ORDER = order();

    private OrderCodec() {}

    private static Codec<Order> order() {
        var row = RecordCodec.<Order>of("order", "What an operator orders, with who and why.");
        var about = row.required(
                "order",
                Ids.ORDER,
                "What the order is about, the same as the record's key: <campaign>/state, /approve/<wave>, /overlap,"
                        + " /skip/<site>/<namespace>/<machine> or /retry; fleet/freeze; site/<site>/freeze,"
                        + " /accept-removal, /write-off or /adopt, fleet/adopt.",
                Order::key);
        var id = row.required("id", Scalars.TOKEN, "Tells one order from another of the same kind.", Order::id);
        var who = row.required("who", Scalars.TOKEN, "Who orders it.", Order::who);
        var why = row.required("why", Scalars.text(0, 1024), "Why it is ordered.", Order::why);
        var uid = row.optional(
                "campaignUid",
                Scalars.SEQ,
                "Under a campaign's name: which campaign of that name is meant. Another uid is refused.",
                Order::campaignUid);
        var edition = row.optional(
                "edition",
                Scalars.TOKEN,
                "Under <campaign>/approve/<wave>: the edition of the campaign that was looked at. An approval without it, or of"
                        + " another edition than the campaign is at, is refused.",
                Order::edition);
        var other = row.optional(
                "otherUid",
                Scalars.SEQ,
                "Under <campaign>/overlap: the uid of the earlier campaign beside which this one may run.",
                Order::otherUid);
        var verb = row.required(
                "verb", Choice.of(Verb.class, Verb::label), "What is ordered; it must suit the key.", Order::verb);
        return row.build((v, at, problems) -> checked(
                new Order(
                        v.get(about),
                        v.get(id),
                        v.get(who),
                        v.get(why),
                        v.get(uid),
                        v.get(edition),
                        v.get(other),
                        v.get(verb)),
                at,
                problems));
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
