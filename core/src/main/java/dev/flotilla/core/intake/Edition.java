package dev.flotilla.core.intake;

import dev.flotilla.core.fleet.Digest;
import dev.flotilla.schemas.row.Campaign;

/** Tells one form of a campaign from another: a hash of all that it says but of which form it edits. */
public final class Edition {
    private static final int DIGITS = 16;

    private Edition() {}

    public static String of(Campaign campaign) {
        Campaign bare = new Campaign(
                campaign.name(),
                campaign.labels(),
                campaign.spec().with(campaign.spec().terms().basedOn(null)));
        String digits = Long.toHexString(Digest.of(bare.toString()));
        return "0".repeat(DIGITS - digits.length()) + digits;
    }
}
