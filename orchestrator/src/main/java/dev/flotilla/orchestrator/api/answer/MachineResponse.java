package dev.flotilla.orchestrator.api.answer;

import dev.flotilla.core.fleet.inventory.MachineView;
import dev.flotilla.orchestrator.state.StateView;
import dev.flotilla.schemas.json.codec.EnumCodec;
import dev.flotilla.schemas.json.codec.JsonCodec;
import dev.flotilla.schemas.json.codec.JsonObjectCodec;
import dev.flotilla.schemas.json.codec.LabelsCodec;
import dev.flotilla.schemas.json.codec.ScalarCodecs;
import dev.flotilla.schemas.json.rows.StatusRowCodecs;
import dev.flotilla.schemas.row.Labels;
import dev.flotilla.schemas.row.MachineStatus;
import dev.flotilla.schemas.row.UpgradeProvider;
import org.jspecify.annotations.Nullable;

/** A machine and its status. */
public record MachineResponse(
        MachineListItem summary,
        boolean present,
        @Nullable String uid,
        @Nullable String architecture,
        @Nullable String release,
        @Nullable UpgradeProvider provider,
        Labels labels,
        MachineFlags flags,
        @Nullable MachineStatus status) {
    public static final JsonCodec<MachineResponse> CODEC = codec();

    /** Facts that its site shows about a machine, most of which prevent a start. */
    public record MachineFlags(
            boolean node,
            boolean unreadable,
            boolean deleting,
            boolean paused,
            boolean hold,
            boolean optOut,
            boolean foreign,
            boolean duplicateNode) {
        static final JsonObjectCodec<MachineFlags> CODEC = codec();

        private static JsonObjectCodec<MachineFlags> codec() {
            var it = JsonObjectCodec.<MachineFlags>of("machine-flags", "Facts that a site shows about a machine.");
            it.required("node", ScalarCodecs.FLAG, "Has a node.", MachineFlags::node);
            it.required("unreadable", ScalarCodecs.FLAG, "Its newest row is unreadable.", MachineFlags::unreadable);
            it.required("deleting", ScalarCodecs.FLAG, "Is being deleted.", MachineFlags::deleting);
            it.required("paused", ScalarCodecs.FLAG, "Is paused in Cluster API.", MachineFlags::paused);
            it.required("hold", ScalarCodecs.FLAG, "Is on hold: not upgraded for now.", MachineFlags::hold);
            it.required("optOut", ScalarCodecs.FLAG, "Has opted out: never upgraded.", MachineFlags::optOut);
            it.required("foreign", ScalarCodecs.FLAG, "Another controller is upgrading it.", MachineFlags::foreign);
            it.required(
                    "duplicateNode",
                    ScalarCodecs.FLAG,
                    "Another site shows the same node.",
                    MachineFlags::duplicateNode);
            return EncodeOnlyCodec.encodeOnly(it);
        }
    }

    public static MachineResponse of(StateView view, MachineView machine) {
        boolean present = machine.isPresent();
        return new MachineResponse(
                MachineListItem.of(view, machine),
                present,
                present ? machine.uid() : null,
                present ? machine.architecture() : null,
                present ? machine.release() : null,
                present ? machine.provider() : null,
                present ? machine.labels() : Labels.NONE,
                new MachineFlags(
                        machine.hasNode(),
                        machine.unreadable(),
                        machine.deleting(),
                        machine.paused(),
                        machine.hold(),
                        machine.optOut(),
                        machine.hasForeignActivity(),
                        machine.hasDuplicateNode()),
                machine.status());
    }

    private static JsonCodec<MachineResponse> codec() {
        var it = JsonObjectCodec.<MachineResponse>of("machine", "A machine and its status.");
        it.required("summary", MachineListItem.ITEM, "The machine's summary.", MachineResponse::summary);
        it.required("present", ScalarCodecs.FLAG, "Whether its site has a row for it.", MachineResponse::present);
        it.optional(
                "uid",
                ResponseCodecs.TEXT,
                "The machine's uid; tells machines of the same name apart.",
                MachineResponse::uid);
        it.optional("architecture", ResponseCodecs.TEXT, "The node's architecture.", MachineResponse::architecture);
        it.optional(
                "release",
                ResponseCodecs.TEXT,
                "The release annotation: a record, not a proof.",
                MachineResponse::release);
        it.optional(
                "provider",
                EnumCodec.of(UpgradeProvider.class, UpgradeProvider::label),
                "What upgrades it: what the policy says, otherwise what its watcher has found.",
                MachineResponse::provider);
        it.required("labels", new LabelsCodec(), "The machine's labels.", MachineResponse::labels);
        it.required("flags", MachineFlags.CODEC, "Facts that its site shows.", MachineResponse::flags);
        it.optional(
                "status",
                StatusRowCodecs.MACHINE,
                "The machine status: its row in table status.",
                MachineResponse::status);
        return EncodeOnlyCodec.encodeOnly(it);
    }
}
