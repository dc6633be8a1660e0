package dev.flotilla.cli.upgrade;

import dev.flotilla.cli.kafka.RowJson;
import dev.flotilla.cli.kafka.TableSnapshot;
import dev.flotilla.cli.kafka.UnreadableRow;
import dev.flotilla.cli.terminal.JsonFormatter;
import dev.flotilla.core.leader.OrchestratorPartitions;
import dev.flotilla.orchestrator.journal.DecisionDifference;
import dev.flotilla.orchestrator.journal.DecisionDifference.RowDifference;
import dev.flotilla.orchestrator.journal.DecisionReplay;
import dev.flotilla.runtime.process.BuildVersion;
import dev.flotilla.schemas.id.RejectedRecordKey;
import dev.flotilla.schemas.json.codec.RejectionDetail;
import dev.flotilla.schemas.json.tree.JsonObjectReader;
import dev.flotilla.schemas.json.tree.JsonValue;
import dev.flotilla.schemas.row.FleetHead;
import dev.flotilla.schemas.row.JournalRecord;
import dev.flotilla.schemas.row.MachineStatus;
import dev.flotilla.schemas.row.RejectedRecord;
import dev.flotilla.schemas.row.RolloutRef;
import dev.flotilla.schemas.row.RowChange;
import dev.flotilla.schemas.row.TableRow;
import dev.flotilla.schemas.row.UpgradeAttempt;
import dev.flotilla.schemas.topic.Topic;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** What {@code flotilla upgrade check} finds. */
final class UpgradeCheckReport {
    /** Rows and records that cannot be read come in masses, for one cause. */
    private static final int MAX_REFUSALS = 20;

    private final Instant from;
    private final int limit;
    private final List<String> refusals = new ArrayList<>();
    private final List<ListedDifference> listed = new ArrayList<>();
    private final Map<DecisionDifference.Kind, Long> counts = new TreeMap<>();
    private long offset;
    private @Nullable Instant oldest;
    private long decisions;
    private long fromReports;
    private long uncertain;
    private long differences;
    private long unlistedRefusals;
    private boolean isComparable = true;

    private record ListedDifference(long offset, DecisionDifference difference) {}

    /**
     * @param from the instant from which on decisions are made again
     * @param limit how many differences are listed
     */
    UpgradeCheckReport(Instant from, int limit) {
        this.from = from;
        this.limit = limit;
    }

    /** Adds what this version cannot read in the tables. */
    void addTables(TableSnapshot tables) {
        int level = tables.head().featureLevel();
        if (level > FleetHead.FEATURE_LEVEL) {
            refuse("the tables are at feature level " + level + ", and flotilla " + BuildVersion.number()
                    + " reads up to level " + FleetHead.FEATURE_LEVEL
                    + ": it would not lead this fleet; upgrade to a version that reads level " + level);
        }
        Set<RejectedRecordKey> rejected = new HashSet<>();
        tables.rows(RejectedRecord.class).forEach(row -> rejected.add(row.key()));
        for (UnreadableRow row : tables.unreadableRows()) {
            // The version that runs the fleet cannot read these either.
            if (!rejected.contains(new RejectedRecordKey(
                    new Topic(row.partition().table(), row.partition().site()).name(),
                    row.partition().partition(),
                    row.key()))) {
                refuse("row " + row.key() + " of " + row.partition() + ", offset " + row.offset()
                        + ", cannot be read by flotilla " + BuildVersion.number() + ": " + row.why() + "; it would "
                        + (OrchestratorPartitions.isInput(row.partition().table())
                                ? "reject this row"
                                : "not lead this fleet"));
            }
        }
    }

    private void refuse(String why) {
        if (refusals.size() < MAX_REFUSALS) {
            refusals.add(why);
        } else {
            unlistedRefusals++;
        }
    }

    /** Notes the journal's record whose decision is made next. */
    void beginRecord(long recordOffset, JournalRecord record) {
        offset = recordOffset;
        if (oldest == null && !record.decidedAt().isBefore(from)) {
            oldest = record.decidedAt();
        }
    }

    void addDifference(DecisionDifference difference) {
        counts.merge(difference.kind(), 1L, Long::sum);
        if (listed.size() < limit) {
            listed.add(new ListedDifference(offset, difference));
        }
    }

    void addUnreadableRecord(long recordOffset, RejectionDetail why) {
        refuse("the journal's record at offset " + recordOffset + " cannot be read by flotilla "
                + BuildVersion.number() + ": " + why + "; decisions from there to the next complete checkpoint are not"
                + " compared");
    }

    /** Adds the figures of the replay after the last record. */
    void finish(DecisionReplay replay) {
        decisions = replay.replayedDecisions();
        fromReports = replay.skippedReports();
        uncertain = replay.uncertainDecisions();
        differences = replay.differentDecisions();
        if (decisions == 0 && replay.decisionsWithoutState() > 0 && refusals.isEmpty()) {
            isComparable = false;
            refuse("no decision could be compared: the journal has no complete chapter, and its beginning was"
                    + " deleted. Wait for a chapter (`flotilla journal chapters` lists them; a new one begins daily)");
        }
    }

    /** @param accepted whether decisions may differ */
    boolean isGood(boolean accepted) {
        return (differences == 0 || accepted) && refusals.isEmpty();
    }

    List<String> lines() {
        List<String> lines = new ArrayList<>(refusals);
        if (unlistedRefusals > 0) {
            lines.add("and " + unlistedRefusals + " more that cannot be read");
        }
        for (ListedDifference each : listed) {
            JournalRecord record = each.difference().record();
            lines.add(record.decidedAt() + " offset " + each.offset() + " seq " + record.seq() + ": " + record.event()
                    + " " + record.subject() + campaignText(record)
                    + (record.reason().isEmpty() ? "" : " (" + record.reason() + ")"));
            lines.add("  now: " + each.difference().newDecision());
            each.difference().rows().forEach(row -> lines.addAll(describe(row)));
        }
        if (differences > listed.size()) {
            lines.add("and " + (differences - listed.size()) + " more differences; --limit lists more");
        }
        if (isComparable) {
            lines.add(summary());
        }
        return lines;
    }

    private static String campaignText(JournalRecord record) {
        String campaign = campaign(record);
        return campaign == null ? "" : " of campaign " + campaign;
    }

    /** The campaign of the attempt that a decision is about; null if it is about none. */
    private static @Nullable String campaign(JournalRecord record) {
        for (RowChange rowChange : record.changes()) {
            UpgradeAttempt attempt = rowChange instanceof MachineStatus status ? status.attempt() : null;
            if (attempt != null && attempt.rolloutRef() instanceof RolloutRef.CampaignRef campaign) {
                return campaign.name().name();
            }
        }
        return null;
    }

    private String summary() {
        StringBuilder text = new StringBuilder();
        if (oldest == null) {
            text.append("no decision since ").append(from);
        } else {
            text.append(decisions).append(" decisions since ").append(oldest);
        }
        text.append(": ")
                .append(differences)
                .append(" would differ with flotilla ")
                .append(BuildVersion.number());
        if (differences > 0) {
            List<String> kinds = new ArrayList<>();
            counts.forEach((kind, count) -> kinds.add(count + " " + kind.label()));
            text.append(" (").append(String.join(", ", kinds)).append(')');
        }
        if (fromReports > 0) {
            text.append("; ").append(fromReports).append(" more follow directly from worker reports");
        }
        if (uncertain > 0) {
            text.append("; ")
                    .append(uncertain)
                    .append(" more cannot be compared: their leader had taken over while a site was unreachable, or"
                            + " they follow an earlier difference");
        }
        return text.toString();
    }

    private static List<String> describe(RowDifference row) {
        if (row.recorded() instanceof TableRow recorded && row.now() instanceof TableRow now) {
            return RowJson.differences(recorded, now).stream()
                    .map(field -> "  " + recorded.rowKey() + " " + field)
                    .toList();
        }
        return List.of("  "
                + (row.now() == null
                        ? describe(row.recorded()) + " is not written"
                        : describe(row.now()) + " is written, and not "
                                + (row.recorded() == null ? "recorded" : "deleted")));
    }

    private static String describe(@Nullable RowChange change) {
        return change == null ? "" : change.rowKey().toString();
    }

    JsonObjectReader json() {
        JsonObjectReader.Builder kinds = new JsonObjectReader.Builder();
        counts.forEach((kind, count) -> kinds.put(kind.label(), count));
        return new JsonObjectReader.Builder()
                .put("version", BuildVersion.number())
                .put("featureLevel", FleetHead.FEATURE_LEVEL)
                .put("since", from.toString())
                .put("oldestDecisionAt", JsonFormatter.text(oldest == null ? null : oldest.toString()))
                .put("decisions", decisions)
                .put("differences", differences)
                .put("differencesByKind", kinds.build())
                .put("decisionsFromReports", fromReports)
                .put("uncertainDecisions", uncertain)
                .put("refusals", JsonFormatter.texts(refusals))
                .put("unlistedRefusals", unlistedRefusals)
                .put(
                        "listed",
                        JsonFormatter.list(
                                listed.stream().map(UpgradeCheckReport::json).toList()))
                .build();
    }

    private static JsonValue json(ListedDifference each) {
        JournalRecord record = each.difference().record();
        return new JsonObjectReader.Builder()
                .put("offset", each.offset())
                .put("seq", record.seq())
                .put("at", record.decidedAt().toString())
                .put("event", record.event())
                .put("subject", record.subject())
                .put("campaign", JsonFormatter.text(campaign(record)))
                .put("reason", record.reason())
                .put("kind", each.difference().kind().label())
                .put("newDecision", each.difference().newDecision())
                .put(
                        "rows",
                        JsonFormatter.list(each.difference().rows().stream()
                                .map(UpgradeCheckReport::json)
                                .toList()))
                .build();
    }

    private static JsonValue json(RowDifference row) {
        RowChange any = row.now() == null ? row.recorded() : row.now();
        return new JsonObjectReader.Builder()
                .put("row", describe(any))
                .put("recorded", RowJson.toJson(row.recorded() instanceof TableRow recorded ? recorded : null))
                .put("new", RowJson.toJson(row.now() instanceof TableRow now ? now : null))
                .build();
    }
}
