package dev.flotilla.core.explain;

import dev.flotilla.core.explain.PreparationExplanation.PreparationState;
import dev.flotilla.core.fleet.FleetState;
import dev.flotilla.core.fleet.inventory.MachineProgressState;
import dev.flotilla.core.fleet.inventory.MachineView;
import dev.flotilla.core.fleet.rollout.CampaignRollout;
import dev.flotilla.core.fleet.start.PreparationNeed;
import dev.flotilla.core.fleet.start.StartCandidate;
import dev.flotilla.core.gate.ClosedGate;
import dev.flotilla.core.gate.GateChain;
import dev.flotilla.schemas.row.MachinePreparation;
import dev.flotilla.schemas.row.MachinePreparation.PreparationProgress;
import dev.flotilla.schemas.row.PreparationRule;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Explains the preparation of a machine. It evaluates the same gates as the decisions. */
final class PreparationExplainer {
    private PreparationExplainer() {}

    /** The preparation of a machine that waits for a campaign; null if the campaign has none. */
    static @Nullable PreparationExplanation explain(
            FleetState state, GateChain gates, StartCandidate waiting, Instant now) {
        MachineView machine = waiting.machine();
        if (!(waiting.rollout() instanceof CampaignRollout campaign)) {
            return null;
        }
        MachinePreparation known = machine.preparation();
        if (known != null && known.isFor(campaign.targetOf(machine), machine.nodeUpgradeTemplate())) {
            return explainKnown(known);
        }
        PreparationRule rule = campaign.spec().preparation();
        if (rule == null) {
            return null;
        }
        if (!machine.provider().canPrepare()) {
            return new PreparationExplanation(
                    PreparationState.NOT_POSSIBLE,
                    List.of(),
                    "Its provider " + machine.provider().label() + " cannot prepare.");
        }
        return new PreparationExplanation(
                PreparationState.WAITING,
                closedGates(state, gates, campaign, machine, now),
                nextStep(state, campaign, waiting, rule, now));
    }

    /** A preparation of a machine whose upgrade does not wait; null for none. */
    static @Nullable PreparationExplanation explainKnown(@Nullable MachinePreparation known) {
        if (known == null) {
            return null;
        }
        return switch (known.progress()) {
            case PreparationProgress.Preparing preparing ->
                new PreparationExplanation(
                        PreparationState.PREPARING,
                        List.of(),
                        "It is prepared for " + known.target() + ", until " + preparing.deadline() + " at the latest.");
            case PreparationProgress.Prepared prepared ->
                new PreparationExplanation(
                        PreparationState.PREPARED,
                        List.of(),
                        "It was prepared for " + known.target() + " at " + prepared.at() + ".");
            case PreparationProgress.PreparationFailed failed ->
                new PreparationExplanation(
                        PreparationState.FAILED,
                        List.of(),
                        "It was not prepared (" + failed.reason() + "), "
                                + (failed.retryAt() == null
                                        ? "and its upgrade fetches what it needs."
                                        : "and is tried again from " + failed.retryAt() + "."));
        };
    }

    private static List<ClosedGate> closedGates(
            FleetState state, GateChain gates, CampaignRollout campaign, MachineView machine, Instant now) {
        Instant startsAt =
                machine.cluster() == null ? null : PreparationNeed.startsAt(state, campaign, machine.cluster(), now);
        StartCandidate candidate =
                state.candidateOf(campaign, machine, startsAt == null || startsAt.isBefore(now) ? now : startsAt);
        return candidate == null ? List.of() : gates.forPreparations().closed(candidate);
    }

    private static String nextStep(
            FleetState state, CampaignRollout campaign, StartCandidate waiting, PreparationRule rule, Instant now) {
        if (waiting.progressState() != MachineProgressState.NOT_STARTED) {
            return "Its upgrade was tried before, and fetches what it needs.";
        }
        Instant startsAt = PreparationNeed.startsAt(state, campaign, waiting.cluster(), now);
        if (startsAt == null) {
            return "No maintenance window of its cluster opens.";
        }
        boolean mayStart = !startsAt.isAfter(now);
        Instant from = startsAt.minus(rule.before());
        if (!PreparationNeed.isHeldBack(campaign, waiting.backlog().wave(), mayStart)) {
            return mayStart
                    ? "Its upgrade may start now, and fetches what it needs."
                    : "It is prepared when its wave is the next to open, and approved.";
        }
        if (!mayStart && PreparationNeed.isTooLate(startsAt, now)) {
            return "Its upgrade may start at " + startsAt + ", and fetches what it needs.";
        }
        return mayStart || !from.isAfter(now)
                ? "It is prepared when its turn comes."
                : "It is prepared from " + from + ".";
    }
}
