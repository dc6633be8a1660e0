package dev.flotilla.schemas.json.file;

import dev.flotilla.schemas.json.rows.UpgradePolicyCodec;
import dev.flotilla.schemas.row.UpgradePolicy;

/** Reads a policy manifest: {@code kind: Policy}, YAML or JSON. */
public final class PolicyFileReader {
    private PolicyFileReader() {}

    /** Returns the policy in a manifest's text, or all its problems. */
    public static FileReadResult<UpgradePolicy> read(String text) {
        return SpecificationFileReader.read(text, UpgradePolicyCodec.POLICY);
    }
}
