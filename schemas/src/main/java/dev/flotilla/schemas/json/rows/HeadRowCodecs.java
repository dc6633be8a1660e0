package dev.flotilla.schemas.json.rows;

import dev.flotilla.schemas.id.RejectedRecordKey;
import dev.flotilla.schemas.json.codec.EnumCodec;
import dev.flotilla.schemas.json.codec.JsonCodec;
import dev.flotilla.schemas.json.codec.JsonObjectCodec;
import dev.flotilla.schemas.json.codec.ListCodec;
import dev.flotilla.schemas.json.codec.ScalarCodecs;
import dev.flotilla.schemas.row.FailureBudgetUse;
import dev.flotilla.schemas.row.FleetHead;
import dev.flotilla.schemas.row.RejectedRecord;
import dev.flotilla.schemas.row.RejectionReason;
import dev.flotilla.schemas.row.RowChange;
import dev.flotilla.schemas.row.SiteHead;
import dev.flotilla.schemas.row.SiteWriteOff;
import dev.flotilla.schemas.topic.Table;
import java.util.List;

/** How far the orchestrator has decided, and what it could not take. */
public final class HeadRowCodecs {
    public static final JsonCodec<FleetHead> FLEET = fleet();
    public static final JsonCodec<SiteHead> SITE = site();
    public static final JsonCodec<RejectedRecord> REJECTED = rejected();

    private HeadRowCodecs() {}

    private static JsonCodec<FleetHead> fleet() {
        var row = JsonObjectCodec.<FleetHead>of("fleet-head", "How far the orchestrator has decided.");
        var term = row.required("term", ScalarCodecs.SEQ, "How many leaders there have been.", FleetHead::term);
        var seq = row.required("seq", ScalarCodecs.SEQ, "The newest journal record.", FleetHead::seq);
        var decided = row.required(
                "decided",
                ScalarCodecs.INSTANT,
                "The instant of the newest decision; time never goes back behind it.",
                FleetHead::decidedAt);
        var chain = row.required(
                "chain",
                ScalarCodecs.text(0, ScalarCodecs.MAX_TOKEN),
                "The journal's hash up to seq.",
                FleetHead::journalHash);
        var level = row.required(
                "featureLevel",
                ScalarCodecs.COUNT,
                "What a leader must understand to go on from here.",
                FleetHead::featureLevel);
        var agrees = row.required(
                "clockAgrees",
                ScalarCodecs.FLAG,
                "Whether the leader's clock and the broker's agree.",
                FleetHead::clockInSync);
        var offsets = row.required(
                "offsets", SharedValueCodecs.OFFSETS, "How far the fleet's input topics are read.", FleetHead::offsets);
        var chapter = row.optional(
                "chapter",
                JournalChapterCodec.CHAPTER,
                "The journal's newest chapter; absent before the first.",
                FleetHead::chapter);
        var topics = row.omittedIfDefault(
                "topics",
                SharedValueCodecs.TOPICS,
                List.of(),
                "The ids of the topics that those offsets are of, by table.",
                FleetHead::topicIds);
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

    private static JsonCodec<SiteHead> site() {
        var row = JsonObjectCodec.<SiteHead>of("site-head", "How the orchestrator stands to a site.");
        var site = row.required("site", IdCodecs.SITE, "The site.", SiteHead::site);
        var silent = row.optional(
                "silentSince",
                ScalarCodecs.INSTANT,
                "Since when its watcher's heartbeat is missed; absent while it is heard.",
                SiteHead::silentSince);
        var unreachable = row.optional(
                "unreachableSince",
                ScalarCodecs.INSTANT,
                "Since when the site is set aside, because its topics cannot be used; absent while they can.",
                SiteHead::unreachableSince);
        var reason = row.optional(
                "unreachableReason",
                ScalarCodecs.text(0, SiteHead.MAX_REASON),
                "Why the site is set aside.",
                SiteHead::unreachableReason);
        var lost = row.omittedIfDefault(
                "lost",
                new ListCodec<>(EnumCodec.of(Table.class, Table::label), Table.values().length),
                List.of(),
                "Those of its tables that were created again or lost records: the order site/<site>/adopt ends that.",
                SiteHead::lostTables);
        var inFlight = row.required(
                "inFlight", ScalarCodecs.COUNT, "Machines in flight there when this was written.", SiteHead::inFlight);
        var budgets = row.optional(
                "budgets",
                new ListCodec<>(budgetUse(), SiteHead.MAX_BUDGETS),
                "What campaigns with a failure budget have used of it there, by campaign; absent where nobody said.",
                SiteHead::budgetUses);
        var offsets = row.required(
                "offsets", SharedValueCodecs.OFFSETS, "How far the site's input topics are read.", SiteHead::offsets);
        var topics = row.omittedIfDefault(
                "topics",
                SharedValueCodecs.TOPICS,
                List.of(),
                "The ids of the topics that those offsets are of, by table.",
                SiteHead::topicIds);
        var adopt = row.optional(
                "adoptOrder",
                ScalarCodecs.TOKEN,
                "The id of the last order that adopted the site's topics; absent where there was none.",
                SiteHead::adoptOrderId);
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

    private static JsonCodec<SiteWriteOff> writeOff() {
        var part = JsonObjectCodec.<SiteWriteOff>of("write-off", "A site's open attempts are given up, by an order.");
        var below = part.required(
                "below",
                ScalarCodecs.SEQ,
                "Open attempts with a lower number are written off.",
                SiteWriteOff::beforeAttempt);
        var order = part.required("order", ScalarCodecs.TOKEN, "The id of the order.", SiteWriteOff::orderId);
        var since = part.optional(
                "since",
                ScalarCodecs.INSTANT,
                "Since when the whole site is written off; absent once its topics can be used.",
                SiteWriteOff::since);
        return part.build(v -> new SiteWriteOff(v.get(below), v.get(order), v.get(since)));
    }

    private static JsonCodec<FailureBudgetUse> budgetUse() {
        var part = JsonObjectCodec.<FailureBudgetUse>of(
                "budget-use", "What a campaign has used of its failure budget in a site.");
        var campaign = part.required("campaign", IdCodecs.CAMPAIGN, "The campaign.", FailureBudgetUse::campaign);
        var uid = part.required(
                "campaignUid", ScalarCodecs.SEQ, "Which campaign of that name.", FailureBudgetUse::campaignUid);
        var machines = part.required(
                "machines",
                ScalarCodecs.COUNT,
                "Machines that failed or are in flight, and what half-done control planes reserve.",
                FailureBudgetUse::machines);
        return part.build(v -> new FailureBudgetUse(v.get(campaign), v.get(uid), v.get(machines)));
    }

    private static JsonCodec<RejectedRecord> rejected() {
        var row = JsonObjectCodec.<RejectedRecord>of("rejected", "A record that could not be taken.");
        var topic = row.required(
                "topic",
                ScalarCodecs.TOKEN,
                "The topic it stands in.",
                r -> r.key().topic());
        var partition = row.required(
                "partition",
                ScalarCodecs.COUNT,
                "The partition it stands in.",
                r -> r.key().partition());
        var key = row.required(
                "key",
                ScalarCodecs.text(0, 1024),
                "Its key as it was written.",
                r -> r.key().key());
        var offset = row.required("offset", ScalarCodecs.SEQ, "Its offset.", RejectedRecord::offset);
        var reason = row.required(
                "reason",
                EnumCodec.of(RejectionReason.class, RejectionReason::label),
                "Why it could not be taken.",
                RejectedRecord::reason);
        var path = row.required(
                "path",
                ScalarCodecs.text(0, 1024),
                "The place within it, such as spec.target.option; empty for the whole record.",
                RejectedRecord::path);
        var value = row.required(
                "value",
                ScalarCodecs.text(0, 1024),
                "What stands there, cut short, never a secret.",
                RejectedRecord::value);
        var problem =
                row.required("problem", ScalarCodecs.text(0, 1024), "What is wrong with it.", RejectedRecord::problem);
        var time = row.required("time", ScalarCodecs.INSTANT, "When it was looked at.", RejectedRecord::rejectedAt);
        var readable = row.required(
                "readable",
                ScalarCodecs.FLAG,
                "Whether it could be read and was refused for what it asks: then it closes nothing.",
                RejectedRecord::readable);
        var accepted = row.<RowChange>optional(
                "accepted",
                new RowChangeCodec(),
                "What was accepted under its key before and still counts, where no other row keeps it.",
                RejectedRecord::lastAccepted);
        return row.build(v -> new RejectedRecord(
                new RejectedRecordKey(v.get(topic), v.get(partition), v.get(key)),
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
