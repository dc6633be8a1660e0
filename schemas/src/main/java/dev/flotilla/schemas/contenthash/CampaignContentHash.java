package dev.flotilla.schemas.contenthash;

import dev.flotilla.schemas.row.Campaign;
import dev.flotilla.schemas.row.CampaignSpecBuilder;

/**
 * The content hash of a campaign: a hash of its canonical bytes without the field {@code basedOn}. All versions that encode a campaign
 * to the same bytes compute the same hash.
 */
public final class CampaignContentHash {
    private CampaignContentHash() {}

    /** Returns the first 16 hexadecimal digits of the SHA-256 of the canonical bytes. */
    public static String compute(Campaign campaign) {
        Campaign bare = new Campaign(
                campaign.name(),
                campaign.labels(),
                CampaignSpecBuilder.from(campaign.spec())
                        .expectedContentHash(null)
                        .build());
        return RowDigest.of(bare);
    }
}
