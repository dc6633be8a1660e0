package dev.flotilla.simulator.broken;

import dev.flotilla.core.Decider;
import dev.flotilla.core.FleetDecider;
import dev.flotilla.core.decision.Decision;
import dev.flotilla.core.decision.DecisionEvent;
import dev.flotilla.core.decision.DecisionInput;
import dev.flotilla.core.fleet.FleetState;
import dev.flotilla.core.fleet.rollout.CampaignRollout;
import dev.flotilla.core.fleet.rollout.WaveProgress;
import dev.flotilla.schemas.row.RowChange;
import dev.flotilla.schemas.row.Wave;
import dev.flotilla.schemas.row.WaveStatus;
import dev.flotilla.simulator.check.Invariant;
import dev.flotilla.simulator.run.SystemUnderTest;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/** Cores that size waves wrongly, or do not wait between them. */
final class BrokenWaveCores {
    private BrokenWaveCores() {}

    static List<BrokenCore> all() {
        return List.of(
                core(
                                "canary-recomputed-after-restart",
                                "a new leader computes the share of a wave again",
                                () -> BrokenWaveCores::recomputingShares)
                        .expectedToBreak(Invariant.WAVE_SHARE),
                core(
                                "soak-from-the-opening",
                                "a wave soaks from its opening, not from its last success",
                                () -> (state, input) -> changing(state, input, BrokenWaveCores::soakingFromTheOpening))
                        .expectedToBreak(Invariant.SOAK),
                core(
                                "approval-taken-for-granted",
                                "a wave that needs an approval begins without one",
                                () -> BrokenWaveCores::withoutApproval)
                        .expectedToBreak(Invariant.APPROVAL),
                core(
                                "canary-twice-as-large",
                                "a wave takes twice its share of the clusters",
                                () -> (state, input) -> changing(state, input, BrokenWaveCores::doubled))
                        .expectedToBreak(Invariant.WAVE_SHARE));
    }

    private static BrokenCore core(String name, String what, Supplier<Decider> decider) {
        return new BrokenCore(name, what, SystemUnderTest.REAL.with(decider));
    }

    private static Decision changing(FleetState state, DecisionInput input, UnaryOperator<WaveStatus> change) {
        Decision decision = FleetDecider.standard().decide(state, input);
        List<RowChange> facts = new ArrayList<>();
        for (RowChange rowChange : decision.changes()) {
            facts.add(rowChange instanceof WaveStatus wave ? change.apply(wave) : rowChange);
        }
        return DecisionRewriter.of(decision, facts);
    }

    private static WaveStatus soakingFromTheOpening(WaveStatus wave) {
        return wave.lastSuccessAt() == null || wave.openedAt() == null
                ? wave
                : wave.withLastSuccessAt(wave.openedAt(), wave.durations());
    }

    private static WaveStatus doubled(WaveStatus wave) {
        return wave.sharePartsPerMillion() == null || wave.openedAt() != null || wave.approvedBy() != null
                ? wave
                : wave.withShare(Math.min(Wave.WHOLE, 2 * wave.sharePartsPerMillion()));
    }

    private static Decision withoutApproval(FleetState state, DecisionInput input) {
        Decision decision = FleetDecider.standard().decide(state, input);
        List<RowChange> facts = new ArrayList<>();
        for (RowChange rowChange : decision.changes()) {
            boolean opens = decision.event() == DecisionEvent.WAVE_OPENED && rowChange instanceof WaveStatus;
            facts.add(opens && rowChange instanceof WaveStatus wave ? wave.withApproval("nobody") : rowChange);
        }
        return DecisionRewriter.of(decision, facts);
    }

    private static Decision recomputingShares(FleetState state, DecisionInput input) {
        Decision decision = FleetDecider.standard().decide(state, input);
        if (!(input instanceof DecisionInput.LeaderElected)) {
            return decision;
        }
        FleetDecider.standard().refreshDerivedState(state, input.at());
        List<RowChange> facts = new ArrayList<>(decision.changes());
        for (CampaignRollout campaign : state.campaigns().values()) {
            for (WaveProgress wave : campaign.waves()) {
                WaveStatus known = wave.status();
                if (known != null && known.sharePartsPerMillion() != null) {
                    facts.add(0, known.withShare(state.waveShareOf(campaign, wave)));
                }
            }
        }
        return DecisionRewriter.of(decision, facts);
    }
}
