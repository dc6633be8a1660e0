package dev.flotilla.orchestrator.api.answer;

import dev.flotilla.core.explain.RejectedChangeCounter;
import dev.flotilla.core.fleet.FleetState;
import dev.flotilla.kafka.OpenTransaction;
import dev.flotilla.orchestrator.state.ReplicaRole;
import dev.flotilla.orchestrator.state.StateView;
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

/** The fleet in totals. */
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
    private static final int MAX_FREEZES = 10_000;
    private static final int MAX_OPEN_TRANSACTIONS = 10_000;

    /**
     * Makes the response from a state that may not be completely restored; the replica's role tells.
     *
     * @param openTransactions open transactions that block inputs
     */
    public static FleetResponse of(StateView view, List<OpenTransaction> openTransactions) {
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
                openTransactions,
                policy);
    }

    /**
     * Rejected records that an operator must act on. A rejected change needs no action: the version that was accepted
     * before stays in force.
     */
    public int rejectedRecords() {
        return rejected - rejectedChanges;
    }

    private static JsonCodec<FleetResponse> codec() {
        var it = JsonObjectCodec.<FleetResponse>of("fleet", "The fleet in totals.");
        it.required(
                "replicaRole",
                EnumCodec.of(ReplicaRole.class, ReplicaRole::label),
                "The role of the replica that responds; while it restores its tables, the numbers are incomplete.",
                FleetResponse::replicaRole);
        it.required("now", ScalarCodecs.INSTANT, "When the response was made.", FleetResponse::now);
        it.required("seq", ScalarCodecs.SEQ, "Number of the newest decision.", a -> a.head.seq());
        it.required("decidedAt", ScalarCodecs.INSTANT, "When that decision was made.", a -> a.head.decidedAt());
        it.required("term", ScalarCodecs.SEQ, "The leader's term.", a -> a.head.term());
        it.required(
                "clockInSync",
                ScalarCodecs.FLAG,
                "Whether the leader's clock agrees with the broker's.",
                a -> a.head.clockInSync());
        it.required("machines", ScalarCodecs.COUNT, "The number of machines.", FleetResponse::machines);
        it.required(
                "inFlight",
                ScalarCodecs.COUNT,
                "Machines in flight, foreign machines included.",
                FleetResponse::inFlight);
        it.optional("cap", InFlightCap.CAP, "The fleet's cap; absent if there is none.", FleetResponse::cap);
        it.required("sites", ScalarCodecs.COUNT, "The number of sites.", FleetResponse::sites);
        it.required("campaigns", ScalarCodecs.COUNT, "The number of accepted campaigns.", FleetResponse::campaigns);
        it.required(
                "freezes",
                new ListCodec<>(FreezeCause.FREEZE, MAX_FREEZES),
                "The freezes in force.",
                FleetResponse::freezes);
        it.required(
                "rejected",
                ScalarCodecs.FLAG,
                "Whether a rejected record is unreadable, or has no accepted version that stays in force.",
                fleet -> fleet.rejectedRecords() > 0);
        it.required(
                "rejectedChanges",
                ScalarCodecs.COUNT,
                "Rejected changes of campaigns and policies; the accepted versions stay in force.",
                FleetResponse::rejectedChanges);
        it.required(
                "openTransactions",
                new ListCodec<>(OpenTransactionCodec.CODEC, MAX_OPEN_TRANSACTIONS),
                "Inputs that another producer's open transaction blocks.",
                FleetResponse::openTransactions);
        it.optional("policy", UpgradePolicyCodec.POLICY, "The fleet's accepted policy.", FleetResponse::policy);
        return EncodeOnlyCodec.encodeOnly(it);
    }
}
