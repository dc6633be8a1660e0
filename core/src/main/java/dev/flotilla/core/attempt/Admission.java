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
import dev.flotilla.schemas.row.AttemptMachineSnapshot;
import dev.flotilla.schemas.row.UpgradeAttempt;
import dev.flotilla.schemas.row.AttemptState;
import dev.flotilla.schemas.row.RolloutRef;
import dev.flotilla.schemas.row.RolloutEntry;
import dev.flotilla.schemas.row.MachineStatus;
import dev.flotilla.schemas.row.MachineOutcome;
import dev.flotilla.schemas.row.UpgradeTarget;
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
        RolloutRef rolloutRef = candidate.driver();
        UpgradeTarget target = candidate.target();
        Instant notAfter = Commands.notAfter(candidate, draft.at());
        @Nullable MachineStatus before = machine.status();
        UpgradeAttempt attempt = new UpgradeAttempt(
                draft.seq(),
                rolloutRef,
                target,
                new AttemptState.Admitted(notAfter),
                draft.at(),
                false,
                new AttemptMachineSnapshot(candidate.cluster().key().name(), machine.role()));
        List<RolloutEntry> entries = AttemptEnd.last(draft.state(), before, entry(candidate, before, rolloutRef));
        MachineStatus status =
                new MachineStatus(key, machine.uid(), attempt, before == null ? null : before.lastFailure(), entries);
        draft.write(status)
                .write(Commands.upgrade(draft.state(), candidate.rollout(), machine, status, attempt, notAfter));
        return draft.decide(Event.ATTEMPT_ADMITTED, key, "");
    }

    private static RolloutEntry entry(Candidate candidate, @Nullable MachineStatus before, RolloutRef rolloutRef) {
        RolloutEntry known = before == null ? null : AttemptEnd.entry(before, rolloutRef);
        String wave = candidate.rollout() instanceof CampaignRollout campaign
                ? campaign.waves().get(candidate.share().wave()).wave().name()
                : "";
        String from = candidate.rollout().tellsCohorts() ? candidate.machine().revision() : null;
        return new RolloutEntry(
                rolloutRef,
                wave,
                known == null ? 0 : known.failedAttempts(),
                null,
                null,
                from,
                MachineOutcome.OPEN,
                null,
                candidate.target(),
                known == null ? null : known.deferral());
    }
}
