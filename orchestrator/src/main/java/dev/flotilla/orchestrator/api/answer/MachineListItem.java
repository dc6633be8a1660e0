package dev.flotilla.orchestrator.api.answer;

import dev.flotilla.core.explain.MachineExplainer;
import dev.flotilla.core.explain.MachineSummary;
import dev.flotilla.core.fleet.inventory.ClusterState;
import dev.flotilla.core.fleet.inventory.KubernetesVersion;
import dev.flotilla.core.fleet.inventory.MachineView;
import dev.flotilla.core.gate.GateLabel;
import dev.flotilla.orchestrator.state.StateView;
import dev.flotilla.schemas.json.codec.EnumCodec;
import dev.flotilla.schemas.json.codec.JsonCodec;
import dev.flotilla.schemas.json.codec.JsonObjectCodec;
import dev.flotilla.schemas.json.codec.ScalarCodecs;
import dev.flotilla.schemas.row.AttemptFailure;
import dev.flotilla.schemas.row.FailureReason;
import dev.flotilla.schemas.row.MachineRole;
import dev.flotilla.schemas.row.MachineStatus;
import dev.flotilla.schemas.row.RolloutRef;
import dev.flotilla.schemas.row.UpgradeAttempt;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** A machine in a list. */
public record MachineListItem(
        String machine,
        @Nullable String cluster,
        MachineRole role,
        boolean ready,
        @Nullable String version,
        String state,
        @Nullable GateLabel gate,
        @Nullable String rollout,
        @Nullable Long attemptId,
        @Nullable Instant since,
        @Nullable FailureReason lastFailure) {
    static final JsonCodec<String> STATE =
            ScalarCodecs.oneOf(MachineSummary.allStates().stream().distinct().toList());
    static final JsonObjectCodec<MachineListItem> ITEM = codec();

    static MachineListItem of(StateView view, MachineView machine) {
        return of(machine, MachineExplainer.summarizeMachine(view.state(), view.gates(), machine, view.now()));
    }

    static MachineListItem of(MachineView machine, MachineSummary machineSummary) {
        ClusterState cluster = machine.cluster();
        UpgradeAttempt attempt = machine.attempt();
        MachineStatus status = machine.status();
        AttemptFailure lastFailure = status == null ? null : status.lastFailure();
        RolloutRef rolloutRef = machineSummary.rolloutRef();
        return new MachineListItem(
                machine.key().toString(),
                cluster == null || cluster.isPlaceholder()
                        ? null
                        : cluster.key().toString(),
                machine.role(),
                machine.ready(),
                machine.version() == KubernetesVersion.UNKNOWN ? null : KubernetesVersion.text(machine.version()),
                machineSummary.state(),
                machineSummary.gate(),
                rolloutRef == null ? null : rolloutRef.toString(),
                attempt == null ? null : attempt.id(),
                attempt == null ? null : attempt.admittedAt(),
                lastFailure == null ? null : lastFailure.reason());
    }

    private static JsonObjectCodec<MachineListItem> codec() {
        var it = JsonObjectCodec.<MachineListItem>of("machine-item", "A machine in a list.");
        it.required(
                "machine", ResponseCodecs.TEXT, "The machine as <site>/<namespace>/<name>.", MachineListItem::machine);
        it.optional(
                "cluster", ResponseCodecs.TEXT, "The machine's cluster, in the same format.", MachineListItem::cluster);
        it.required("role", ResponseCodecs.ROLE, "The machine's role.", MachineListItem::role);
        it.required("ready", ScalarCodecs.FLAG, "Whether the machine is ready.", MachineListItem::ready);
        it.optional("version", ResponseCodecs.TEXT, "The node's Kubernetes version.", MachineListItem::version);
        it.required("state", STATE, "The machine's state: a step, or an outcome.", MachineListItem::state);
        it.optional("gate", ResponseCodecs.GATE, "The first gate that blocks it.", MachineListItem::gate);
        it.optional(
                "rollout", ResponseCodecs.TEXT, "The campaign or intent that it is about.", MachineListItem::rollout);
        it.optional("attemptId", ScalarCodecs.SEQ, "The id of its open attempt.", MachineListItem::attemptId);
        it.optional("admittedAt", ScalarCodecs.INSTANT, "When that attempt started.", MachineListItem::since);
        it.optional(
                "lastFailure",
                EnumCodec.of(FailureReason.class, FailureReason::label),
                "Why its last failed attempt failed.",
                MachineListItem::lastFailure);
        return EncodeOnlyCodec.encodeOnly(it);
    }
}
