package dev.flotilla.orchestrator.api.answer;

import dev.flotilla.core.fleet.Machine;
import dev.flotilla.orchestrator.view.View;
import dev.flotilla.schemas.json.codec.Codec;
import dev.flotilla.schemas.json.codec.LabelsCodec;
import dev.flotilla.schemas.json.codec.RecordCodec;
import dev.flotilla.schemas.json.codec.Scalars;
import dev.flotilla.schemas.json.rows.StatusCodecs;
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
    public static final Codec<MachineAnswer> CODEC = codec();

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
        static final RecordCodec<Marks> MARKS = codec();

        private static RecordCodec<Marks> codec() {
            var it = RecordCodec.<Marks>of("machine-marks", "What its site says of a machine.");
            it.required("node", Scalars.FLAG, "It has a node.", Marks::node);
            it.required("unreadable", Scalars.FLAG, "Its newest row cannot be read.", Marks::unreadable);
            it.required("deleting", Scalars.FLAG, "It is being deleted.", Marks::deleting);
            it.required("paused", Scalars.FLAG, "Cluster API does not touch it.", Marks::paused);
            it.required("hold", Scalars.FLAG, "It is held: not now.", Marks::hold);
            it.required("optOut", Scalars.FLAG, "It has opted out: never.", Marks::optOut);
            it.required("foreign", Scalars.FLAG, "Others are upgrading it.", Marks::foreign);
            it.required("inTwoSites", Scalars.FLAG, "Another site shows the same node.", Marks::inTwoSites);
            return Written.only(it);
        }
    }

    public static MachineAnswer of(View view, Machine machine) {
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
                        machine.foreign(),
                        machine.inTwoSites()),
                machine.status());
    }

    private static Codec<MachineAnswer> codec() {
        var it = RecordCodec.<MachineAnswer>of("machine", "A machine as it stands.");
        it.required("summary", MachineItem.ITEM, "The machine in short.", MachineAnswer::summary);
        it.required("present", Scalars.FLAG, "Whether its site shows it.", MachineAnswer::present);
        it.optional("uid", Forms.WORDS, "Which machine of that name.", MachineAnswer::uid);
        it.optional("architecture", Forms.WORDS, "The node's architecture.", MachineAnswer::architecture);
        it.optional("release", Forms.WORDS, "The release annotation: a record, never a proof.", MachineAnswer::release);
        it.required("labels", new LabelsCodec(), "Its labels.", MachineAnswer::labels);
        it.required("marks", Marks.MARKS, "What its site says of it.", MachineAnswer::marks);
        it.optional(
                "status", StatusCodecs.MACHINE, "What was decided about it: its row in status.", MachineAnswer::status);
        return Written.only(it);
    }
}
