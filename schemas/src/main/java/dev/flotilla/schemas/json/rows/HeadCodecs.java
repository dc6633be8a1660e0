package dev.flotilla.schemas.json.rows;

import dev.flotilla.schemas.id.RejectedKey;
import dev.flotilla.schemas.json.codec.Choice;
import dev.flotilla.schemas.json.codec.Codec;
import dev.flotilla.schemas.json.codec.Lists;
import dev.flotilla.schemas.json.codec.RecordCodec;
import dev.flotilla.schemas.json.codec.Scalars;
import dev.flotilla.schemas.row.BudgetUse;
import dev.flotilla.schemas.row.Fact;
import dev.flotilla.schemas.row.FleetHead;
import dev.flotilla.schemas.row.Rejected;
import dev.flotilla.schemas.row.RejectionReason;
import dev.flotilla.schemas.row.SiteHead;
import dev.flotilla.schemas.row.SiteWriteOff;
import dev.flotilla.schemas.topic.Table;
import java.util.List;

/** How far the orchestrator has decided, and what it could not take. */
public final class HeadCodecs {
    public static final Codec<FleetHead> FLEET = fleet();
    public static final Codec<SiteHead> SITE = site();
    public static final Codec<Rejected> REJECTED = rejected();

    private HeadCodecs() {}

    private static Codec<FleetHead> fleet() {
        var row = RecordCodec.<FleetHead>of("fleet-head", "How far the orchestrator has decided.");
        var term = row.required("term", Scalars.SEQ, "How many leaders there have been.", FleetHead::term);
        var seq = row.required("seq", Scalars.SEQ, "The newest journal record.", FleetHead::seq);
        var decided = row.required(
                "decided",
                Scalars.INSTANT,
                "The instant of the newest decision; time never goes back behind it.",
                FleetHead::decided);
        var chain = row.required(
                "chain", Scalars.text(0, Scalars.MAX_TOKEN), "The journal's hash up to seq.", FleetHead::chain);
        var level = row.required(
                "featureLevel",
                Scalars.COUNT,
                "What a leader must understand to go on from here.",
                FleetHead::featureLevel);
        var agrees = row.required(
                "clockAgrees",
                Scalars.FLAG,
                "Whether the leader's clock and the broker's agree.",
                FleetHead::clockAgrees);
        var offsets = row.required(
                "offsets", Parts.OFFSETS, "How far the fleet's input topics are read.", FleetHead::offsets);
        var chapter = row.optional(
                "chapter",
                ChapterCodec.CHAPTER,
                "The journal's newest chapter; absent before the first.",
                FleetHead::chapter);
        var topics = row.usual(
                "topics",
                Parts.TOPICS,
                List.of(),
                "The ids of the topics that those offsets are of, by table.",
                FleetHead::topics);
        return row.build(v -> new FleetHead(
                v.get(term),
                v.get(seq),
                v.get(decided),
                v.get(chain),
                v.get(level),
                v.get(agrees),
                v.get(offsets),
                v.get(chapter),
                v.get(topics)));
    }

    private static Codec<SiteHead> site() {
        var row = RecordCodec.<SiteHead>of("site-head", "How the orchestrator stands to a site.");
        var site = row.required("site", Ids.SITE, "The site.", SiteHead::site);
        var silent = row.optional(
                "silentSince",
                Scalars.INSTANT,
                "Since when its watcher's heartbeat is missed; absent while it is heard.",
                SiteHead::silentSince);
        var unreachable = row.optional(
                "unreachableSince",
                Scalars.INSTANT,
                "Since when the site is set aside, because its topics cannot be used; absent while they can.",
                SiteHead::unreachableSince);
        var reason = row.optional(
                "unreachableReason",
                Scalars.text(0, SiteHead.MAX_REASON),
                "Why the site is set aside.",
                SiteHead::unreachableReason);
        var lost = row.usual(
                "lost",
                new Lists<>(Choice.of(Table.class, Table::label), Table.values().length),
                List.of(),
                "Those of its tables that were created again or lost records: the order site/<site>/adopt ends that.",
                SiteHead::lost);
        var inFlight = row.required(
                "inFlight", Scalars.COUNT, "Machines in flight there when this was written.", SiteHead::inFlight);
        var budgets = row.optional(
                "budgets",
                new Lists<>(budgetUse(), SiteHead.MAX_BUDGETS),
                "What campaigns with a failure budget have used of it there, by campaign; absent where nobody said.",
                SiteHead::budgets);
        var offsets =
                row.required("offsets", Parts.OFFSETS, "How far the site's input topics are read.", SiteHead::offsets);
        var topics = row.usual(
                "topics",
                Parts.TOPICS,
                List.of(),
                "The ids of the topics that those offsets are of, by table.",
                SiteHead::topics);
        var adopt = row.optional(
                "adoptOrder",
                Scalars.TOKEN,
                "The id of the last order that adopted the site's topics; absent where there was none.",
                SiteHead::adoptOrder);
        var writeOff = row.optional(
                "writeOff",
                writeOff(),
                "The last order that wrote the site off; absent where there was none.",
                SiteHead::writeOff);
        return row.build(v -> new SiteHead(
                v.get(site),
                v.get(silent),
                v.get(unreachable),
                v.get(reason),
                v.get(lost),
                v.get(inFlight),
                v.get(budgets),
                v.get(offsets),
                v.get(topics),
                v.get(writeOff),
                v.get(adopt)));
    }

    private static Codec<SiteWriteOff> writeOff() {
        var part = RecordCodec.<SiteWriteOff>of("write-off", "A site's open attempts are given up, by an order.");
        var below = part.required(
                "below", Scalars.SEQ, "Open attempts with a lower number are written off.", SiteWriteOff::below);
        var order = part.required("order", Scalars.TOKEN, "The id of the order.", SiteWriteOff::order);
        var since = part.optional(
                "since",
                Scalars.INSTANT,
                "Since when the whole site is written off; absent once its topics can be used.",
                SiteWriteOff::since);
        return part.build(v -> new SiteWriteOff(v.get(below), v.get(order), v.get(since)));
    }

    private static Codec<BudgetUse> budgetUse() {
        var part = RecordCodec.<BudgetUse>of("budget-use", "What a campaign has used of its failure budget in a site.");
        var campaign = part.required("campaign", Ids.CAMPAIGN, "The campaign.", BudgetUse::campaign);
        var uid = part.required("campaignUid", Scalars.SEQ, "Which campaign of that name.", BudgetUse::campaignUid);
        var machines = part.required(
                "machines",
                Scalars.COUNT,
                "Machines that failed or are in flight, and what half-done control planes reserve.",
                BudgetUse::machines);
        return part.build(v -> new BudgetUse(v.get(campaign), v.get(uid), v.get(machines)));
    }

    private static Codec<Rejected> rejected() {
        var row = RecordCodec.<Rejected>of("rejected", "A record that could not be taken.");
        var topic = row.required(
                "topic", Scalars.TOKEN, "The topic it stands in.", r -> r.key().topic());
        var partition = row.required(
                "partition",
                Scalars.COUNT,
                "The partition it stands in.",
                r -> r.key().partition());
        var key = row.required(
                "key",
                Scalars.text(0, 1024),
                "Its key as it was written.",
                r -> r.key().key());
        var offset = row.required("offset", Scalars.SEQ, "Its offset.", Rejected::offset);
        var reason = row.required(
                "reason",
                Choice.of(RejectionReason.class, RejectionReason::label),
                "Why it could not be taken.",
                Rejected::reason);
        var path = row.required(
                "path",
                Scalars.text(0, 1024),
                "The place within it, such as spec.target.option; empty for the whole record.",
                Rejected::path);
        var value = row.required(
                "value", Scalars.text(0, 1024), "What stands there, cut short, never a secret.", Rejected::value);
        var problem = row.required("problem", Scalars.text(0, 1024), "What is wrong with it.", Rejected::problem);
        var time = row.required("time", Scalars.INSTANT, "When it was looked at.", Rejected::time);
        var readable = row.required(
                "readable",
                Scalars.FLAG,
                "Whether it could be read and was refused for what it asks: then it closes nothing.",
                Rejected::readable);
        var accepted = row.<Fact>optional(
                "accepted",
                new FactCodec(),
                "What was accepted under its key before and still counts, where no other row keeps it.",
                Rejected::accepted);
        return row.build(v -> new Rejected(
                new RejectedKey(v.get(topic), v.get(partition), v.get(key)),
                v.get(offset),
                v.get(reason),
                v.get(path),
                v.get(value),
                v.get(problem),
                v.get(time),
                v.get(readable),
                v.get(accepted)));
    }
}
