package dev.flotilla.auditor.wire;

import dev.flotilla.auditor.json.JsonFieldReader;
import dev.flotilla.auditor.json.MalformedJsonException;
import org.jspecify.annotations.Nullable;

/**
 * A preparation, from the status row.
 *
 * @param template the template of its NodeUpgrade, as one text
 * @param state {@code preparing}, {@code prepared} or {@code failed}
 * @param deadline no step of a running preparation starts after it; null in other states
 * @param retryAt when a failed one is tried again; null for never, and in other states
 */
public record MachinePreparation(
        long id,
        RolloutRef rollout,
        String target,
        String template,
        long failures,
        String state,
        @Nullable Long deadline,
        @Nullable Long retryAt) {
    static MachinePreparation read(JsonFieldReader row) {
        JsonFieldReader progress = row.child("progress");
        JsonFieldReader template = row.child("template");
        String state = progress.text("type");
        return switch (state) {
            case "preparing", "prepared", "failed" ->
                new MachinePreparation(
                        row.number("id"),
                        RolloutRef.read(row.child("rollout")),
                        row.text("target"),
                        template.text("apiVersion") + " " + template.text("kind") + " " + template.text("name"),
                        row.numberOr("failures", 0),
                        state,
                        progress.instantOrNull("deadline"),
                        progress.instantOrNull("retryAt"));
            default -> throw new MalformedJsonException("has the unknown preparation state \"" + state + "\"");
        };
    }

    public boolean isRunning() {
        return state.equals("preparing");
    }

    public boolean isPrepared() {
        return state.equals("prepared");
    }

    /** Whether both fetch the same. */
    public boolean isLike(MachinePreparation other) {
        return target.equals(other.target) && template.equals(other.template);
    }
}
