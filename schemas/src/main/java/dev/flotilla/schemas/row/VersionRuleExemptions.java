package dev.flotilla.schemas.row;

/**
 * Rules about versions that a policy lifts for annotations.
 *
 * @param allowDowngrade whether an annotation may downgrade a machine
 * @param allowUnknownVersion whether several machines may start for a target whose version is not known yet
 */
public record VersionRuleExemptions(boolean allowDowngrade, boolean allowUnknownVersion) {
    /** No rule is lifted. */
    public static final VersionRuleExemptions STRICT = new VersionRuleExemptions(false, false);
}
