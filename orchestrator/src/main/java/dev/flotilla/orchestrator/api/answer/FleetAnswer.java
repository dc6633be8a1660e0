package dev.flotilla.orchestrator.api.answer;

import dev.flotilla.core.explain.RejectedChangeCounter;
import dev.flotilla.core.fleet.FleetState;
import dev.flotilla.orchestrator.view.Standing;
import dev.flotilla.orchestrator.view.View;
import dev.flotilla.runtime.kafka.OpenTransaction;
import dev.flotilla.schemas.id.FleetScope;
import dev.flotilla.schemas.json.codec.EnumCodec;
import dev.flotilla.schemas.json.codec.JsonCodec;
import dev.flotilla.schemas.json.codec.ListCodec;
import dev.flotilla.schemas.json.codec.JsonObjectCodec;
import dev.flotilla.schemas.json.codec.ScalarCodecs;
import dev.flotilla.schemas.json.rows.UpgradePolicyCodec;
import dev.flotilla.schemas.row.FleetHead;
import dev.flotilla.schemas.row.UpgradePolicy;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The whole fleet at a glance. */
public record FleetAnswer(
        Standing standing,
        Instant now,
        FleetHead head,
        int machines,
        int inFlight,
        @Nullable Cap cap,
        int sites,
        int campaigns,
        List<Freeze> freezes,
        int rejected,
        int refusedChanges,
        List<OpenTransaction> heldBack,
        @Nullable UpgradePolicy policy) {
    public static final JsonCodec<FleetAnswer> CODEC = codec();
    private static final int MOST_FREEZES = 10_000;
    private static final int MOST_HELD_BACK = 10_000;

    /**
     * Answers from a state that may still be incomplete: the standing says so.
     *
     * @param heldBack inputs that wait for an open transaction
     */
    public static FleetAnswer of(View view, List<OpenTransaction> heldBack) {
        FleetState state = view.state();
        UpgradePolicy policy = state.policy(FleetScope.FLEET);
        return new FleetAnswer(
                view.standing(),
                view.now(),
                state.head(),
                state.machines(),
                state.inFlight(),
                Cap.of(policy == null ? null : policy.maxInFlight(), state.machines()),
                state.sites().size(),
                state.campaigns().size(),
                Freeze.all(state),
                state.rejected().size(),
                RejectedChangeCounter.countRejectedChanges(state),
                heldBack,
                policy);
    }

    /** Whether somebody has to look: a change that was refused leaves what was accepted before in force. */
    public boolean standsRejected() {
        return rejected > refusedChanges;
    }

    private static JsonCodec<FleetAnswer> codec() {
        var it = JsonObjectCodec.<FleetAnswer>of("fleet", "The whole fleet at a glance.");
        it.required(
                "standing",
                EnumCodec.of(Standing.class, Standing::label),
                "What the process that answers is; while it restores, the numbers are not complete.",
                FleetAnswer::standing);
        it.required("now", ScalarCodecs.INSTANT, "The instant of the answer.", FleetAnswer::now);
        it.required("seq", ScalarCodecs.SEQ, "The newest decision.", a -> a.head.seq());
        it.required("decided", ScalarCodecs.INSTANT, "When that was.", a -> a.head.decidedAt());
        it.required("term", ScalarCodecs.SEQ, "How many leaders there have been.", a -> a.head.term());
        it.required("clockAgrees", ScalarCodecs.FLAG, "Whether the leader's clock is right.", a -> a.head.clockInSync());
        it.required("machines", ScalarCodecs.COUNT, "Machines that sites show.", FleetAnswer::machines);
        it.required("inFlight", ScalarCodecs.COUNT, "Machines in flight, foreign ones included.", FleetAnswer::inFlight);
        it.optional("cap", Cap.CAP, "The fleet's cap; absent for none.", FleetAnswer::cap);
        it.required("sites", ScalarCodecs.COUNT, "Sites that are known.", FleetAnswer::sites);
        it.required("campaigns", ScalarCodecs.COUNT, "Campaigns that were accepted.", FleetAnswer::campaigns);
        it.required(
                "freezes", new ListCodec<>(Freeze.FREEZE, MOST_FREEZES), "What is frozen, and why.", FleetAnswer::freezes);
        it.required(
                "rejected",
                ScalarCodecs.FLAG,
                "Whether a record is rejected that cannot be read, or in whose place nothing is in force.",
                FleetAnswer::standsRejected);
        it.required(
                "refusedChanges",
                ScalarCodecs.COUNT,
                "Changes of campaigns and policies that were refused; what was accepted before is in force.",
                FleetAnswer::refusedChanges);
        it.required(
                "heldBack",
                new ListCodec<>(HeldBack.HELD_BACK, MOST_HELD_BACK),
                "Inputs that wait for an open transaction of another producer.",
                FleetAnswer::heldBack);
        it.optional("policy", UpgradePolicyCodec.POLICY, "The fleet's accepted policy.", FleetAnswer::policy);
        return Written.only(it);
    }
}
