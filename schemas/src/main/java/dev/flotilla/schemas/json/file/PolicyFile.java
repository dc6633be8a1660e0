package dev.flotilla.schemas.json.file;

import dev.flotilla.schemas.json.rows.PolicyCodec;
import dev.flotilla.schemas.row.Policy;

/** A policy as people write it: {@code kind: Policy}, YAML or JSON. */
public final class PolicyFile {
    private PolicyFile() {}

    /** The policy that a file's text states, or everything that is wrong with it. */
    public static FileRead<Policy> read(String text) {
        return SpecificationFile.read(text, PolicyCodec.POLICY);
    }
}
