package dev.flotilla.runtime.process;

import dev.flotilla.schemas.json.codec.RejectionDetail;
import dev.flotilla.schemas.row.RejectionReason;
import org.jspecify.annotations.Nullable;

/** Recognizes rows that a newer version of Flotilla wrote, and says what to do about them. */
public final class NewerVersion {
    private NewerVersion() {}

    /** What is newer in an unreadable row and what to do; null if it may be unreadable for another reason. */
    public static @Nullable String describe(RejectionDetail why) {
        return why.reason() == RejectionReason.FUTURE_VERSION || why.reason() == RejectionReason.UNKNOWN_TYPE
                ? why + ". A newer version of Flotilla wrote it, and this is " + BuildVersion.number()
                        + ": run that version or a newer one"
                : null;
    }

    /** What to do about a row of the orchestrator that a process of a site, such as {@code node-worker}, cannot read. */
    public static String remedy(String process) {
        return "a newer version may have written it, and this is " + BuildVersion.number() + ": upgrade this " + process
                + " to the version of the orchestrator";
    }
}
