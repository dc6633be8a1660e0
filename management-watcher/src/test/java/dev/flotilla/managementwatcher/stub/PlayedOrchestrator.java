package dev.flotilla.managementwatcher.stub;

import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.id.ObjectKey;
import dev.flotilla.schemas.row.Attempt;
import dev.flotilla.schemas.row.AttemptState;
import dev.flotilla.schemas.row.Driver;
import dev.flotilla.schemas.row.Entry;
import dev.flotilla.schemas.row.Failure;
import dev.flotilla.schemas.row.FailureClass;
import dev.flotilla.schemas.row.FailureReason;
import dev.flotilla.schemas.row.Intent;
import dev.flotilla.schemas.row.MachineRow;
import dev.flotilla.schemas.row.MachineStatus;
import dev.flotilla.schemas.row.ObjectStatus;
import dev.flotilla.schemas.row.Outcome;
import dev.flotilla.schemas.row.Step;
import dev.flotilla.schemas.row.UpgradeOption;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The orchestrator of one site, played by hand: it says what a test has it say, in the rows of {@code status}. */
public final class PlayedOrchestrator {
    private final WatchedSite site;
    private long seq = 16;

    public PlayedOrchestrator(WatchedSite site) {
        this.site = site;
    }

    /** The intent of an object, once there is one. */
    public Intent intent(ObjectKey object) {
        site.await("the intent of " + object, () -> site.intent(object) != null);
        return (Intent) Objects.requireNonNull(site.intent(object));
    }

    public static Driver driver(Intent intent) {
        return new Driver.OfIntent(intent.object(), intent.since());
    }

    public void admits(MachineKey machine, Driver driver, UpgradeOption target) {
        seq++;
        open(machine, driver, target, new AttemptState.Admitted(now()));
    }

    public void refreshes(MachineKey machine, Driver driver, UpgradeOption target, String changeId) {
        open(machine, driver, target, new AttemptState.Running(Step.REFRESHING, changeId, now()));
    }

    private void open(MachineKey machine, Driver driver, UpgradeOption target, AttemptState state) {
        Attempt attempt = new Attempt(seq, driver, target, state, now(), false, null);
        write(machine, attempt, null, new Entry(driver, "", 0, null, Outcome.OPEN));
    }

    public void succeeds(MachineKey machine, Driver driver) {
        write(machine, null, null, new Entry(driver, "", 0, null, Outcome.SUCCEEDED));
    }

    public void fails(MachineKey machine, Driver driver, String why) {
        Failure failure = new Failure(seq, FailureClass.RETRYABLE, FailureReason.REFRESH_ERROR, why, now());
        write(machine, null, failure, new Entry(driver, "", 1, null, Outcome.QUARANTINED));
    }

    private void write(MachineKey machine, @Nullable Attempt attempt, @Nullable Failure failure, Entry entry) {
        site.await("the row of " + machine, () -> site.inventory(machine) != null);
        String uid = ((MachineRow) Objects.requireNonNull(site.inventory(machine))).uid();
        site.write(new MachineStatus(machine, uid, attempt, failure, List.of(entry)));
    }

    /** The whole way of one machine, until its object shows the end. */
    public void upgrades(MachineKey machine, Driver driver, UpgradeOption target) {
        admits(machine, driver, target);
        refreshes(machine, driver, target, Long.toString(seq));
        succeeds(machine, driver);
    }

    public void says(Intent intent, ObjectStatus.State state, @Nullable MachineKey atWork, int machines, int done) {
        int failed = state == ObjectStatus.State.FAILED ? machines - done : 0;
        site.write(new ObjectStatus(
                intent.object(),
                intent.uid(),
                intent.since(),
                intent.option(),
                state,
                atWork,
                machines,
                done,
                failed,
                null));
    }

    private static Instant now() {
        return Instant.now().truncatedTo(ChronoUnit.MILLIS);
    }
}
