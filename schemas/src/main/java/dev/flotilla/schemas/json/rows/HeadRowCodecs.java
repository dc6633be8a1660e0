package dev.flotilla.schemas.json.rows;

import dev.flotilla.schemas.id.RejectedRecordKey;
import dev.flotilla.schemas.id.Table;
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
import java.util.List;

/** JSON codecs for head rows and rejected records. */
final class HeadRowCodecs {
    public static final JsonCodec<FleetHead> FLEET = fleet();
    public static final JsonCodec<SiteHead> SITE = site();

    private HeadRowCodecs() {}

    private static JsonCodec<FleetHead> fleet() {
        var row = JsonObjectCodec.<FleetHead>of("fleet-head", "How far the leader has decided, for the fleet.");
        var term = row.required(
                "term", ScalarCodecs.SEQ, "The leader's term: each new leader's is higher.", FleetHead::term);
        var seq = row.required("seq", ScalarCodecs.SEQ, "The seq of the newest journal record.", FleetHead::seq);
        var decidedAt = row.required(
                "decidedAt",
                ScalarCodecs.INSTANT,
                "The instant of the newest decision; no later decision is earlier than this.",
                FleetHead::decidedAt);
        var journalHash = row.required(
                "journalHash",
                ScalarCodecs.text(0, ScalarCodecs.MAX_TOKEN),
                "The journal hash of the record seq.",
                FleetHead::journalHash);
        var level = row.required(
                "featureLevel",
                ScalarCodecs.COUNT,
                "The feature level that a leader must support to continue from these rows.",
                FleetHead::featureLevel);
        var clockInSync = row.required(
                "clockInSync",
                ScalarCodecs.FLAG,
                "Whether the clocks of the leader and the broker are in sync.",
                FleetHead::clockInSync);
        var offsets = row.required(
                "offsets",
                SharedValueCodecs.OFFSETS,
                "The next offsets to read of the fleet's input topics.",
                FleetHead::offsets);
        var chapter = row.optional(
                "chapter",
                JournalChapterCodec.CHAPTER,
                "The journal's newest chapter; absent before the first.",
                FleetHead::chapter);
        var topicIds = row.omittedIfDefault(
                "topicIds",
                SharedValueCodecs.TOPICS,
                List.of(),
                "The ids of the topics that the offsets belong to, by table.",
                FleetHead::topicIds);
        return row.build(v -> new FleetHead(
                v.get(term),
                v.get(seq),
                v.get(decidedAt),
                v.get(journalHash),
                v.get(level),
                v.get(clockInSync),
                v.get(offsets),
                v.get(chapter),
                v.get(topicIds)));
    }

    private static JsonCodec<SiteHead> site() {
        var row = JsonObjectCodec.<SiteHead>of("site-head", "How far the leader has decided, for a site.");
        var site = row.required("site", IdCodecs.SITE, "The site.", SiteHead::site);
        var silent = row.optional(
                "silentSince",
                ScalarCodecs.INSTANT,
                "Since when its watcher has sent no heartbeat; absent while heartbeats arrive.",
                SiteHead::silentSince);
        var unreachable = row.optional(
                "unreachableSince",
                ScalarCodecs.INSTANT,
                "Since when the site is suspended, because its topics cannot be used; absent while they can.",
                SiteHead::unreachableSince);
        var reason = row.optional(
                "unreachableReason",
                ScalarCodecs.text(0, SiteHead.MAX_REASON),
                "Why the site is suspended.",
                SiteHead::unreachableReason);
        var lostTables = row.omittedIfDefault(
                "lostTables",
                new ListCodec<>(EnumCodec.of(Table.class, Table::label), Table.values().length),
                List.of(),
                "Its tables whose topics were created again or lost records, until the order site/<site>/adopt.",
                SiteHead::lostTables);
        var inFlight = row.required(
                "inFlight", ScalarCodecs.COUNT, "Machines in flight there when this was written.", SiteHead::inFlight);
        var budgets = row.optional(
                "budgets",
                new ListCodec<>(budgetUse(), SiteHead.MAX_BUDGET_USES),
                "The failure budget that each campaign has used in the site; absent if it is not known.",
                SiteHead::budgetUses);
        var offsets = row.required(
                "offsets",
                SharedValueCodecs.OFFSETS,
                "The next offsets to read of the site's input topics.",
                SiteHead::offsets);
        var topicIds = row.omittedIfDefault(
                "topicIds",
                SharedValueCodecs.TOPICS,
                List.of(),
                "The ids of the topics that the offsets belong to, by table.",
                SiteHead::topicIds);
        var adoptOrderId = row.optional(
                "adoptOrderId",
                ScalarCodecs.TOKEN,
                "The id of the last order that adopted the site's topics; absent if there was none.",
                SiteHead::adoptOrderId);
        var writeOff = row.optional(
                "writeOff",
                writeOff(),
                "The last order that wrote the site off; absent if there was none.",
                SiteHead::writeOff);
        return row.build(v -> new SiteHead(
                v.get(site),
                v.get(silent),
                v.get(unreachable),
                v.get(reason),
                v.get(lostTables),
                v.get(inFlight),
                v.get(budgets),
                v.get(offsets),
                v.get(topicIds),
                v.get(writeOff),
                v.get(adoptOrderId)));
    }

    private static JsonCodec<SiteWriteOff> writeOff() {
        var part = JsonObjectCodec.<SiteWriteOff>of("write-off", "A write-off of a site's open attempts, by an order.");
        var beforeAttempt = part.required(
                "beforeAttempt",
                ScalarCodecs.SEQ,
                "Open attempts with a lower id are written off.",
                SiteWriteOff::beforeAttempt);
        var orderId = part.required("orderId", ScalarCodecs.TOKEN, "The id of the order.", SiteWriteOff::orderId);
        var since = part.optional(
                "since",
                ScalarCodecs.INSTANT,
                "Since when the whole site is written off; absent once its topics can be used again.",
                SiteWriteOff::since);
        return part.build(v -> new SiteWriteOff(v.get(beforeAttempt), v.get(orderId), v.get(since)));
    }

    private static JsonCodec<FailureBudgetUse> budgetUse() {
        var part = JsonObjectCodec.<FailureBudgetUse>of(
                "budget-use", "How much of its failure budget a campaign has used in a site.");
        var campaign = part.required("campaign", IdCodecs.CAMPAIGN, "The campaign.", FailureBudgetUse::campaign);
        var uid = part.required("campaignUid", ScalarCodecs.SEQ, "The campaign's uid.", FailureBudgetUse::campaignUid);
        var used = part.required(
                "used",
                ScalarCodecs.COUNT,
                "Machines that failed or are in flight, plus the machines reserved for half-upgraded control planes.",
                FailureBudgetUse::machines);
        return part.build(v -> new FailureBudgetUse(v.get(campaign), v.get(uid), v.get(used)));
    }

    static JsonCodec<RejectedRecord> rejected(JsonCodec<RowChange> change) {
        var row = JsonObjectCodec.<RejectedRecord>of("rejected", "A record that was not accepted.");
        var topic = row.required(
                "topic", ScalarCodecs.TOKEN, "Its topic.", r -> r.key().topic());
        var partition = row.required(
                "partition", ScalarCodecs.COUNT, "Its partition.", r -> r.key().partition());
        var key = row.required(
                "key",
                ScalarCodecs.text(0, 1024),
                "Its key, as written.",
                r -> r.key().key());
        var offset = row.required("offset", ScalarCodecs.SEQ, "Its offset.", RejectedRecord::offset);
        var reason = row.required(
                "reason",
                EnumCodec.of(RejectionReason.class, RejectionReason::label),
                "Why it was rejected.",
                RejectedRecord::reason);
        var path = row.required(
                "path",
                ScalarCodecs.text(0, 1024),
                "The path of the wrong value, such as spec.target.option; empty for the whole record.",
                RejectedRecord::path);
        var value = row.required(
                "value",
                ScalarCodecs.text(0, 1024),
                "The wrong value, truncated; secrets are masked.",
                RejectedRecord::value);
        var problem = row.required(
                "problem", ScalarCodecs.text(0, 1024), "What is wrong with the value.", RejectedRecord::problem);
        var rejectedAt =
                row.required("rejectedAt", ScalarCodecs.INSTANT, "When it was rejected.", RejectedRecord::rejectedAt);
        var readable = row.required(
                "readable",
                ScalarCodecs.FLAG,
                "Whether it was readable and rejected for its content; then it blocks nothing.",
                RejectedRecord::readable);
        var lastAccepted = row.optional(
                "lastAccepted",
                change,
                "The row of its key that was accepted before and still applies, if no other row keeps it.",
                RejectedRecord::lastAccepted);
        return row.build(v -> new RejectedRecord(
                new RejectedRecordKey(v.get(topic), v.get(partition), v.get(key)),
                v.get(offset),
                v.get(reason),
                v.get(path),
                v.get(value),
                v.get(problem),
                v.get(rejectedAt),
                v.get(readable),
                v.get(lastAccepted)));
    }
}
