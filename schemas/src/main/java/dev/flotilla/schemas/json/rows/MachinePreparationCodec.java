package dev.flotilla.schemas.json.rows;

import dev.flotilla.schemas.json.codec.JsonCodec;
import dev.flotilla.schemas.json.codec.JsonObjectCodec;
import dev.flotilla.schemas.json.codec.ScalarCodecs;
import dev.flotilla.schemas.json.codec.UnionCodec;
import dev.flotilla.schemas.row.AttemptFailure;
import dev.flotilla.schemas.row.MachinePreparation;
import dev.flotilla.schemas.row.MachinePreparation.PreparationProgress;

/** JSON codec for the preparation of a machine. */
final class MachinePreparationCodec {
    private static final int MAX_FAILURES = 100;

    static final JsonCodec<MachinePreparation> PREPARATION = preparation();

    private MachinePreparationCodec() {}

    private static JsonCodec<MachinePreparation> preparation() {
        var preparation = JsonObjectCodec.<MachinePreparation>of(
                "preparation", "A preparation of one machine: what its upgrade needs is fetched ahead of it.");
        var id = preparation.required(
                "id",
                ScalarCodecs.SEQ,
                "Its id: the seq of the decision that began it, so no attempt has it.",
                MachinePreparation::id);
        var rollout = preparation.required(
                "rollout",
                AttemptCodecs.ROLLOUT_REF,
                "The campaign that asked for it.",
                MachinePreparation::rolloutRef);
        var target = preparation.required(
                "target", SharedValueCodecs.OPTION, "What is fetched.", MachinePreparation::target);
        var template = preparation.required(
                "template",
                UpgradeProviderCodecs.TEMPLATE,
                "The template of its NodeUpgrade.",
                MachinePreparation::template);
        var failures = preparation.defaulted(
                "failures",
                ScalarCodecs.integer(0, MAX_FAILURES),
                0,
                "How many preparations for this target have failed.",
                MachinePreparation::failures);
        var progress = preparation.required("progress", progress(), "How far it is.", MachinePreparation::progress);
        return preparation.build(v -> new MachinePreparation(
                v.get(id), v.get(rollout), v.get(target), v.get(template), v.get(failures), v.get(progress)));
    }

    private static JsonCodec<PreparationProgress> progress() {
        var preparing = JsonObjectCodec.<PreparationProgress.Preparing>of("preparing", "Its command is out.");
        var deadline = preparing.required(
                "deadline", ScalarCodecs.INSTANT, "No step starts after it.", PreparationProgress.Preparing::deadline);

        var prepared =
                JsonObjectCodec.<PreparationProgress.Prepared>of("prepared", "What the upgrade needs is on the node.");
        var at = prepared.required(
                "at", ScalarCodecs.INSTANT, "When it was reported.", PreparationProgress.Prepared::at);

        var failed = JsonObjectCodec.<PreparationProgress.PreparationFailed>of(
                "preparation-failed", "It has failed, and the upgrade fetches what it needs itself.");
        var reason = failed.required(
                "reason",
                ScalarCodecs.text(0, AttemptFailure.MAX_TEXT),
                "Why it failed.",
                PreparationProgress.PreparationFailed::reason);
        var retryAt = failed.optional(
                "retryAt",
                ScalarCodecs.INSTANT,
                "When it is tried again; absent for never.",
                PreparationProgress.PreparationFailed::retryAt);
        return new UnionCodec<PreparationProgress>(
                        "preparation-progress", "How far a preparation is.", "How far it is.")
                .with(
                        "preparing",
                        PreparationProgress.Preparing.class,
                        preparing.build(v -> new PreparationProgress.Preparing(v.get(deadline))))
                .with(
                        "prepared",
                        PreparationProgress.Prepared.class,
                        prepared.build(v -> new PreparationProgress.Prepared(v.get(at))))
                .with(
                        "failed",
                        PreparationProgress.PreparationFailed.class,
                        failed.build(v -> new PreparationProgress.PreparationFailed(v.get(reason), v.get(retryAt))));
    }
}
