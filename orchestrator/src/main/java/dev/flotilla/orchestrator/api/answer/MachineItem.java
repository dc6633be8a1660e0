package dev.flotilla.orchestrator.api.answer;

import dev.flotilla.core.explain.MachineExplainer;
import dev.flotilla.core.explain.MachineSummary;
import dev.flotilla.core.fleet.ClusterState;
import dev.flotilla.core.fleet.MachineView;
import dev.flotilla.core.gate.GateLabel;
import dev.flotilla.orchestrator.view.View;
import dev.flotilla.schemas.json.codec.JsonCodec;
import dev.flotilla.schemas.json.codec.JsonObjectCodec;
import dev.flotilla.schemas.json.codec.ScalarCodecs;
import dev.flotilla.schemas.row.UpgradeAttempt;
import dev.flotilla.schemas.row.RolloutRef;
import dev.flotilla.schemas.row.MachineRole;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** A machine in short. */
public record MachineItem(
        String machine,
        @Nullable String cluster,
        MachineRole role,
        boolean ready,
        String state,
        @Nullable GateLabel gate,
        @Nullable String driver,
        @Nullable Long attempt,
        @Nullable Instant since) {
    static final JsonCodec<String> STATE =
            ScalarCodecs.oneOf(MachineSummary.states().stream().distinct().toList());
    static final JsonObjectCodec<MachineItem> ITEM = codec();

    static MachineItem of(View view, MachineView machine) {
        return of(machine, MachineExplainer.summarizeMachine(view.state(), view.gates(), machine, view.now()));
    }

    static MachineItem of(MachineView machine, MachineSummary machineSummary) {
        ClusterState cluster = machine.cluster();
        UpgradeAttempt attempt = machine.attempt();
        RolloutRef rolloutRef = machineSummary.rolloutRef();
        return new MachineItem(
                machine.key().toString(),
                cluster == null || cluster.isNowhere() ? null : cluster.key().toString(),
                machine.role(),
                machine.ready(),
                machineSummary.state(),
                machineSummary.gate(),
                rolloutRef == null ? null : rolloutRef.toString(),
                attempt == null ? null : attempt.id(),
                attempt == null ? null : attempt.since());
    }

    private static JsonObjectCodec<MachineItem> codec() {
        var it = JsonObjectCodec.<MachineItem>of("machine-item", "A machine in short.");
        it.required("machine", Forms.WORDS, "As <site>/<namespace>/<name>.", MachineItem::machine);
        it.optional("cluster", Forms.WORDS, "Its cluster, in the same form.", MachineItem::cluster);
        it.required("role", Forms.ROLE, "What it is in its cluster.", MachineItem::role);
        it.required("ready", ScalarCodecs.FLAG, "Whether its site calls it ready.", MachineItem::ready);
        it.required("state", STATE, "What it is doing, or how it ended.", MachineItem::state);
        it.optional("gate", Forms.GATE, "The first gate that is closed to it.", MachineItem::gate);
        it.optional("driver", Forms.WORDS, "On whose behalf: a campaign, or an intent.", MachineItem::driver);
        it.optional("attempt", ScalarCodecs.SEQ, "The number of its open attempt.", MachineItem::attempt);
        it.optional("since", ScalarCodecs.INSTANT, "When that attempt began.", MachineItem::since);
        return Written.only(it);
    }
}
