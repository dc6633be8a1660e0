package dev.flotilla.cli.machine;

import dev.flotilla.cli.kafka.TableSnapshot;
import dev.flotilla.cli.terminal.JsonFormatter;
import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.id.RowKey;
import dev.flotilla.schemas.id.Table;
import dev.flotilla.schemas.json.tree.JsonObjectReader;
import dev.flotilla.schemas.json.tree.JsonValue;
import dev.flotilla.schemas.row.AttemptProgress;
import dev.flotilla.schemas.row.AttemptReport;
import dev.flotilla.schemas.row.FailureEvidence;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Evidence that the worker recorded when the machine's last reported attempt failed. */
record LastFailureEvidence(long attempt, FailureEvidence evidence) {
    /** Finds it in the tables; null if the last report is not a failure or has no evidence. */
    static @Nullable LastFailureEvidence findLastFailure(TableSnapshot tables, MachineKey machine) {
        AttemptProgress progress = tables.row(new RowKey(Table.PROGRESS, machine), AttemptProgress.class);
        return progress != null && progress.report() instanceof AttemptReport.Failed failed && failed.evidence() != null
                ? new LastFailureEvidence(progress.attemptId(), failed.evidence())
                : null;
    }

    List<String> lines() {
        List<String> lines = new ArrayList<>();
        lines.add("Seen by the worker when attempt " + attempt + " failed:");
        evidence.nodeConditions().forEach(line -> lines.add("  node  " + line));
        evidence.k8sdExchanges().forEach(line -> lines.add("  k8sd  " + line));
        evidence.nodeUpgrade().forEach(line -> lines.add("  upgrade  " + line));
        evidence.leftBehind().forEach(line -> lines.add("  left  " + line));
        return lines;
    }

    static JsonValue json(@Nullable LastFailureEvidence lastFailureEvidence) {
        return lastFailureEvidence == null
                ? new JsonValue.JsonNull(JsonValue.NO_LINE)
                : new JsonObjectReader.Builder()
                        .put("attemptId", lastFailureEvidence.attempt)
                        .put("nodeConditions", texts(lastFailureEvidence.evidence.nodeConditions()))
                        .put("k8sdExchanges", texts(lastFailureEvidence.evidence.k8sdExchanges()))
                        .put("nodeUpgrade", texts(lastFailureEvidence.evidence.nodeUpgrade()))
                        .put("leftBehind", texts(lastFailureEvidence.evidence.leftBehind()))
                        .build();
    }

    private static JsonValue texts(List<String> lines) {
        return JsonFormatter.list(lines.stream().map(JsonFormatter::text).toList());
    }
}
