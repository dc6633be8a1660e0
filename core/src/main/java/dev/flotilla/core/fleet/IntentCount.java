package dev.flotilla.core.fleet;

import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.row.Attempt;
import dev.flotilla.schemas.row.Driver;
import dev.flotilla.schemas.row.Entry;
import dev.flotilla.schemas.row.Intent;
import dev.flotilla.schemas.row.ObjectStatus;
import dev.flotilla.schemas.row.Outcome;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Counts how far a cluster's intent is. */
final class IntentCount {
    private IntentCount() {}

    static ObjectStatus of(Intent intent, List<Machine> machines) {
        Driver driver = IntentsRollout.driver(intent);
        int total = 0;
        int succeeded = 0;
        int failed = 0;
        int open = 0;
        @Nullable MachineKey atWork = null;
        for (Machine machine : machines) {
            Entry entry = machine.entry(driver);
            if (machine.optOut() && entry == null) {
                continue;
            }
            total++;
            Outcome outcome = entry == null ? Outcome.OPEN : entry.outcome();
            succeeded += outcome.atTarget() ? 1 : 0;
            failed += outcome == Outcome.QUARANTINED ? 1 : 0;
            open += outcome.ended() || machine.optOut() ? 0 : 1;
            Attempt attempt = machine.attempt();
            if (atWork == null && attempt != null && attempt.driver().equals(driver)) {
                atWork = machine.key();
            }
        }
        ObjectStatus.State state = open > 0 || total == 0
                ? ObjectStatus.State.IN_PROGRESS
                : failed > 0 ? ObjectStatus.State.FAILED : ObjectStatus.State.DONE;
        return new ObjectStatus(
                intent.object(),
                intent.uid(),
                intent.since(),
                intent.option(),
                state,
                atWork,
                total,
                succeeded,
                failed);
    }
}
