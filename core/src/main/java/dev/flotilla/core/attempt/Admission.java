package dev.flotilla.core.attempt;

import dev.flotilla.core.Decision;
import dev.flotilla.core.Draft;
import dev.flotilla.core.Event;
import dev.flotilla.core.Undecidable;
import dev.flotilla.core.fleet.CampaignRollout;
import dev.flotilla.core.fleet.Candidate;
import dev.flotilla.core.fleet.Judge;
import dev.flotilla.core.fleet.Machine;
import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.row.AdmittedMachine;
import dev.flotilla.schemas.row.Attempt;
import dev.flotilla.schemas.row.AttemptState;
import dev.flotilla.schemas.row.Driver;
import dev.flotilla.schemas.row.Entry;
import dev.flotilla.schemas.row.MachineStatus;
import dev.flotilla.schemas.row.Outcome;
import dev.flotilla.schemas.row.UpgradeOption;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Starts the next machine. */
public final class Admission {
    private Admission() {}

    /** Admits the machine that goes first, if one may start now. */
    public static Decision next(Draft draft, Judge judge) {
        Candidate candidate = draft.state().nextStart(judge, draft.at(), draft.seq());
        return candidate == null
                ? Decision.NOTHING
                : Undecidable.about(candidate.machine().key(), () -> admit(draft, candidate));
    }

    private static Decision admit(Draft draft, Candidate candidate) {
        Machine machine = candidate.machine();
        MachineKey key = machine.key();
        Driver driver = candidate.driver();
        UpgradeOption target = candidate.target();
        Instant notAfter = Commands.notAfter(candidate, draft.at());
        @Nullable MachineStatus before = machine.status();
        Attempt attempt = new Attempt(
                draft.seq(),
                driver,
                target,
                new AttemptState.Admitted(notAfter),
                draft.at(),
                false,
                new AdmittedMachine(candidate.cluster().key().name(), machine.role()));
        List<Entry> entries = AttemptEnd.last(draft.state(), before, entry(candidate, before, driver));
        MachineStatus status =
                new MachineStatus(key, machine.uid(), attempt, before == null ? null : before.lastFailure(), entries);
        draft.write(status)
                .write(Commands.upgrade(draft.state(), candidate.rollout(), machine, status, attempt, notAfter));
        return draft.decide(Event.ATTEMPT_ADMITTED, key, "");
    }

    private static Entry entry(Candidate candidate, @Nullable MachineStatus before, Driver driver) {
        Entry known = before == null ? null : AttemptEnd.entry(before, driver);
        String wave = candidate.rollout() instanceof CampaignRollout campaign
                ? campaign.waves().get(candidate.share().wave()).wave().name()
                : "";
        String from = candidate.rollout().tellsCohorts() ? candidate.machine().revision() : null;
        return new Entry(
                driver,
                wave,
                known == null ? 0 : known.failedAttempts(),
                null,
                null,
                from,
                Outcome.OPEN,
                null,
                candidate.target(),
                known == null ? null : known.deferral());
    }
}
