package dev.flotilla.orchestrator.api.answer;

import dev.flotilla.core.fleet.MachineView;
import dev.flotilla.orchestrator.view.StateView;
import dev.flotilla.schemas.json.codec.JsonCodec;
import dev.flotilla.schemas.json.codec.JsonObjectCodec;
import dev.flotilla.schemas.json.codec.LabelsCodec;
import dev.flotilla.schemas.json.codec.ScalarCodecs;
import dev.flotilla.schemas.json.rows.StatusRowCodecs;
import dev.flotilla.schemas.row.Labels;
import dev.flotilla.schemas.row.MachineStatus;
import org.jspecify.annotations.Nullable;

/** A machine as it stands. */
public record MachineResponse(
        MachineListItem summary,
        boolean present,
        @Nullable String uid,
        @Nullable String architecture,
        @Nullable String release,
        Labels labels,
        MachineFlags flags,
        @Nullable MachineStatus status) {
    public static final JsonCodec<MachineResponse> CODEC = codec();

    /** What keeps a machine from being started, as its site shows it. */
    public record MachineFlags(
            boolean node,
            boolean unreadable,
            boolean deleting,
            boolean paused,
            boolean hold,
            boolean optOut,
            boolean foreign,
            boolean duplicateNode) {
        static final JsonObjectCodec<MachineFlags> MARKS = codec();

        private static JsonObjectCodec<MachineFlags> codec() {
            var it = JsonObjectCodec.<MachineFlags>of("machine-marks", "What its site says of a machine.");
            it.required("node", ScalarCodecs.FLAG, "It has a node.", MachineFlags::node);
            it.required("unreadable", ScalarCodecs.FLAG, "Its newest row cannot be read.", MachineFlags::unreadable);
            it.required("deleting", ScalarCodecs.FLAG, "It is being deleted.", MachineFlags::deleting);
            it.required("paused", ScalarCodecs.FLAG, "Cluster API does not touch it.", MachineFlags::paused);
            it.required("hold", ScalarCodecs.FLAG, "It is held: not now.", MachineFlags::hold);
            it.required("optOut", ScalarCodecs.FLAG, "It has opted out: never.", MachineFlags::optOut);
            it.required("foreign", ScalarCodecs.FLAG, "Others are upgrading it.", MachineFlags::foreign);
            it.required(
                    "inTwoSites", ScalarCodecs.FLAG, "Another site shows the same node.", MachineFlags::duplicateNode);
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
        var it = JsonObjectCodec.<MachineResponse>of("machine", "A machine as it stands.");
        it.required("summary", MachineListItem.ITEM, "The machine in short.", MachineResponse::summary);
        it.required("present", ScalarCodecs.FLAG, "Whether its site shows it.", MachineResponse::present);
        it.optional("uid", ResponseCodecs.WORDS, "Which machine of that name.", MachineResponse::uid);
        it.optional("architecture", ResponseCodecs.WORDS, "The node's architecture.", MachineResponse::architecture);
        it.optional(
                "release",
                ResponseCodecs.WORDS,
                "The release annotation: a record, never a proof.",
                MachineResponse::release);
        it.required("labels", new LabelsCodec(), "Its labels.", MachineResponse::labels);
        it.required("marks", MachineFlags.MARKS, "What its site says of it.", MachineResponse::flags);
        it.optional(
                "status",
                StatusRowCodecs.MACHINE,
                "What was decided about it: its row in status.",
                MachineResponse::status);
        return EncodeOnlyCodec.encodeOnly(it);
    }
}
