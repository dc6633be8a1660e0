package dev.flotilla.schemas.json.tree;

/** What a document may be at most. One that is more is refused before it costs anything. */
public final class DocumentLimits {
    /** As large as a record may be: {@code max.message.bytes} of every topic. */
    public static final int RECORD_BYTES = 256 * 1024;

    /** Whatever others write for the orchestrator: what it decides about it, copies included, must fit into a record. */
    public static final int INPUT_BYTES = 64 * 1024;

    /** A campaign or policy as a file. */
    public static final int SPECIFICATION_BYTES = INPUT_BYTES;

    public static final int DEPTH = 32;
    public static final int TEXT = 64 * 1024;
    public static final int NAME = 512;
    public static final int NUMBER = 1_000;

    /** So many problems are told; a document with more is not worth more reading. */
    public static final int PROBLEMS = 100;

    private DocumentLimits() {}
}
