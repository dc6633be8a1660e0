package dev.flotilla.schemas.json.tree;

/** Limits of a document. A larger document is rejected before it is processed. */
public final class DocumentLimits {
    /** The maximum size of a record: {@code max.message.bytes} of every topic. */
    public static final int RECORD_BYTES = 256 * 1024;

    /** The maximum size of an input row: the decision on it, with copies of its content, must fit into a record. */
    public static final int INPUT_BYTES = 64 * 1024;

    /** The maximum size of a manifest. */
    public static final int SPECIFICATION_BYTES = INPUT_BYTES;

    public static final int DEPTH = 32;
    public static final int TEXT = 64 * 1024;
    public static final int NAME = 512;
    public static final int NUMBER = 1_000;

    /** The maximum number of problems that are reported for a document. */
    public static final int PROBLEMS = 100;

    private DocumentLimits() {}
}
