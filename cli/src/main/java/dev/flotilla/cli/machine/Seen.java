package dev.flotilla.cli.machine;

import dev.flotilla.cli.kafka.Snapshot;
import dev.flotilla.cli.terminal.JsonText;
import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.id.RowKey;
import dev.flotilla.schemas.json.tree.Obj;
import dev.flotilla.schemas.json.tree.Tree;
import dev.flotilla.schemas.row.Evidence;
import dev.flotilla.schemas.row.Progress;
import dev.flotilla.schemas.row.Report;
import dev.flotilla.schemas.topic.Table;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a worker saw when the attempt failed that it spoke of last. */
record Seen(long attempt, Evidence evidence) {
    /** As of the tables; null where its last word is no failure, or nothing was seen. */
    static @Nullable Seen of(Snapshot tables, MachineKey machine) {
        Progress progress = tables.row(new RowKey(Table.PROGRESS, machine), Progress.class);
        return progress != null && progress.report() instanceof Report.Failed failed && failed.evidence() != null
                ? new Seen(progress.attempt(), failed.evidence())
                : null;
    }

    List<String> lines() {
        List<String> lines = new ArrayList<>();
        lines.add("Seen by the worker when attempt " + attempt + " failed:");
        evidence.node().forEach(line -> lines.add("  node  " + line));
        evidence.k8sd().forEach(line -> lines.add("  k8sd  " + line));
        evidence.left().forEach(line -> lines.add("  left  " + line));
        return lines;
    }

    static Tree json(@Nullable Seen seen) {
        return seen == null
                ? new Tree.Nothing(Tree.NO_LINE)
                : new Obj.Builder()
                        .put("attempt", seen.attempt)
                        .put("node", texts(seen.evidence.node()))
                        .put("k8sd", texts(seen.evidence.k8sd()))
                        .put("left", texts(seen.evidence.left()))
                        .build();
    }

    private static Tree texts(List<String> lines) {
        return JsonText.list(lines.stream().map(JsonText::text).toList());
    }
}
