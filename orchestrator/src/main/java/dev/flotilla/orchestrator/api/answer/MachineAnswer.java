package dev.flotilla.orchestrator.api.answer;

import dev.flotilla.core.fleet.MachineView;
import dev.flotilla.orchestrator.view.View;
import dev.flotilla.schemas.json.codec.JsonCodec;
import dev.flotilla.schemas.json.codec.LabelsCodec;
import dev.flotilla.schemas.json.codec.JsonObjectCodec;
import dev.flotilla.schemas.json.codec.ScalarCodecs;
import dev.flotilla.schemas.json.rows.StatusRowCodecs;
import dev.flotilla.schemas.row.Labels;
import dev.flotilla.schemas.row.MachineStatus;
import org.jspecify.annotations.Nullable;

/** A machine as it stands. */
public record MachineAnswer(
        MachineItem summary,
        boolean present,
        @Nullable String uid,
        @Nullable String architecture,
        @Nullable String release,
        Labels labels,
        Marks marks,
        @Nullable MachineStatus status) {
    public static final JsonCodec<MachineAnswer> CODEC = codec();

    /** What keeps a machine from being started, as its site shows it. */
    public record Marks(
            boolean node,
            boolean unreadable,
            boolean deleting,
            boolean paused,
            boolean hold,
            boolean optOut,
            boolean foreign,
            boolean inTwoSites) {
        static final JsonObjectCodec<Marks> MARKS = codec();

        private static JsonObjectCodec<Marks> codec() {
            var it = JsonObjectCodec.<Marks>of("machine-marks", "What its site says of a machine.");
            it.required("node", ScalarCodecs.FLAG, "It has a node.", Marks::node);
            it.required("unreadable", ScalarCodecs.FLAG, "Its newest row cannot be read.", Marks::unreadable);
            it.required("deleting", ScalarCodecs.FLAG, "It is being deleted.", Marks::deleting);
            it.required("paused", ScalarCodecs.FLAG, "Cluster API does not touch it.", Marks::paused);
            it.required("hold", ScalarCodecs.FLAG, "It is held: not now.", Marks::hold);
            it.required("optOut", ScalarCodecs.FLAG, "It has opted out: never.", Marks::optOut);
            it.required("foreign", ScalarCodecs.FLAG, "Others are upgrading it.", Marks::foreign);
            it.required("inTwoSites", ScalarCodecs.FLAG, "Another site shows the same node.", Marks::inTwoSites);
            return Written.only(it);
        }
    }

    public static MachineAnswer of(View view, MachineView machine) {
        boolean present = machine.isPresent();
        return new MachineAnswer(
                MachineItem.of(view, machine),
                present,
                present ? machine.uid() : null,
                present ? machine.architecture() : null,
                present ? machine.release() : null,
                present ? machine.labels() : Labels.NONE,
                new Marks(
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

    private static JsonCodec<MachineAnswer> codec() {
        var it = JsonObjectCodec.<MachineAnswer>of("machine", "A machine as it stands.");
        it.required("summary", MachineItem.ITEM, "The machine in short.", MachineAnswer::summary);
        it.required("present", ScalarCodecs.FLAG, "Whether its site shows it.", MachineAnswer::present);
        it.optional("uid", Forms.WORDS, "Which machine of that name.", MachineAnswer::uid);
        it.optional("architecture", Forms.WORDS, "The node's architecture.", MachineAnswer::architecture);
        it.optional("release", Forms.WORDS, "The release annotation: a record, never a proof.", MachineAnswer::release);
        it.required("labels", new LabelsCodec(), "Its labels.", MachineAnswer::labels);
        it.required("marks", Marks.MARKS, "What its site says of it.", MachineAnswer::marks);
        it.optional(
                "status", StatusRowCodecs.MACHINE, "What was decided about it: its row in status.", MachineAnswer::status);
        return Written.only(it);
    }
}
