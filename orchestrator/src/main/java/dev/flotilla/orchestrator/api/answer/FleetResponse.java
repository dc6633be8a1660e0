package dev.flotilla.orchestrator.api.answer;

import dev.flotilla.core.explain.RejectedChangeCounter;
import dev.flotilla.core.fleet.FleetState;
import dev.flotilla.orchestrator.view.ReplicaRole;
import dev.flotilla.orchestrator.view.StateView;
import dev.flotilla.runtime.kafka.OpenTransaction;
import dev.flotilla.schemas.id.FleetScope;
import dev.flotilla.schemas.json.codec.EnumCodec;
import dev.flotilla.schemas.json.codec.JsonCodec;
import dev.flotilla.schemas.json.codec.JsonObjectCodec;
import dev.flotilla.schemas.json.codec.ListCodec;
import dev.flotilla.schemas.json.codec.ScalarCodecs;
import dev.flotilla.schemas.json.rows.UpgradePolicyCodec;
import dev.flotilla.schemas.row.FleetHead;
import dev.flotilla.schemas.row.UpgradePolicy;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The whole fleet at a glance. */
public record FleetResponse(
        ReplicaRole replicaRole,
        Instant now,
        FleetHead head,
        int machines,
        int inFlight,
        @Nullable InFlightCap cap,
        int sites,
        int campaigns,
        List<FreezeCause> freezes,
        int rejected,
        int rejectedChanges,
        List<OpenTransaction> openTransactions,
        @Nullable UpgradePolicy policy) {
    public static final JsonCodec<FleetResponse> CODEC = codec();
    private static final int MOST_FREEZES = 10_000;
    private static final int MOST_HELD_BACK = 10_000;

    /**
     * Answers from a state that may still be incomplete: the standing says so.
     *
     * @param heldBack inputs that wait for an open transaction
     */
    public static FleetResponse of(StateView view, List<OpenTransaction> heldBack) {
        FleetState state = view.state();
        UpgradePolicy policy = state.policy(FleetScope.FLEET);
        return new FleetResponse(
                view.replicaRole(),
                view.now(),
                state.head(),
                state.machines(),
                state.inFlight(),
                InFlightCap.of(policy == null ? null : policy.maxInFlight(), state.machines()),
                state.sites().size(),
                state.campaigns().size(),
                FreezeCause.causesInFleet(state),
                state.rejected().size(),
                RejectedChangeCounter.countRejectedChanges(state),
                heldBack,
                policy);
    }

    /** Whether somebody has to look: a change that was refused leaves what was accepted before in force. */
    public boolean hasRejectedRecords() {
        return rejected > rejectedChanges;
    }

    private static JsonCodec<FleetResponse> codec() {
        var it = JsonObjectCodec.<FleetResponse>of("fleet", "The whole fleet at a glance.");
        it.required(
                "standing",
                EnumCodec.of(ReplicaRole.class, ReplicaRole::label),
                "What the process that answers is; while it restores, the numbers are not complete.",
                FleetResponse::replicaRole);
        it.required("now", ScalarCodecs.INSTANT, "The instant of the answer.", FleetResponse::now);
        it.required("seq", ScalarCodecs.SEQ, "The newest decision.", a -> a.head.seq());
        it.required("decided", ScalarCodecs.INSTANT, "When that was.", a -> a.head.decidedAt());
        it.required("term", ScalarCodecs.SEQ, "How many leaders there have been.", a -> a.head.term());
        it.required(
                "clockAgrees", ScalarCodecs.FLAG, "Whether the leader's clock is right.", a -> a.head.clockInSync());
        it.required("machines", ScalarCodecs.COUNT, "Machines that sites show.", FleetResponse::machines);
        it.required(
                "inFlight", ScalarCodecs.COUNT, "Machines in flight, foreign ones included.", FleetResponse::inFlight);
        it.optional("cap", InFlightCap.CAP, "The fleet's cap; absent for none.", FleetResponse::cap);
        it.required("sites", ScalarCodecs.COUNT, "Sites that are known.", FleetResponse::sites);
        it.required("campaigns", ScalarCodecs.COUNT, "Campaigns that were accepted.", FleetResponse::campaigns);
        it.required(
                "freezes",
                new ListCodec<>(FreezeCause.FREEZE, MOST_FREEZES),
                "What is frozen, and why.",
                FleetResponse::freezes);
        it.required(
                "rejected",
                ScalarCodecs.FLAG,
                "Whether a record is rejected that cannot be read, or in whose place nothing is in force.",
                FleetResponse::hasRejectedRecords);
        it.required(
                "refusedChanges",
                ScalarCodecs.COUNT,
                "Changes of campaigns and policies that were refused; what was accepted before is in force.",
                FleetResponse::rejectedChanges);
        it.required(
                "heldBack",
                new ListCodec<>(OpenTransactionCodec.HELD_BACK, MOST_HELD_BACK),
                "Inputs that wait for an open transaction of another producer.",
                FleetResponse::openTransactions);
        it.optional("policy", UpgradePolicyCodec.POLICY, "The fleet's accepted policy.", FleetResponse::policy);
        return EncodeOnlyCodec.encodeOnly(it);
    }
}
