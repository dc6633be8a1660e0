package dev.flotilla.schemas.json.file;

import dev.flotilla.schemas.json.rows.UpgradePolicyCodec;
import dev.flotilla.schemas.row.UpgradePolicy;

/** A policy as people write it: {@code kind: Policy}, YAML or JSON. */
public final class PolicyFileReader {
    private PolicyFileReader() {}

    /** The policy that a file's text states, or everything that is wrong with it. */
    public static FileReadResult<UpgradePolicy> read(String text) {
        return SpecificationFileReader.read(text, UpgradePolicyCodec.POLICY);
    }
}
