package dev.flotilla.schemas.contenthash;

import dev.flotilla.schemas.json.RowCodec;
import dev.flotilla.schemas.row.Campaign;
import dev.flotilla.schemas.row.CampaignSpecBuilder;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * The content hash of a campaign: a hash of its canonical bytes without the field {@code basedOn}. All versions that encode a campaign
 * to the same bytes compute the same hash.
 */
public final class CampaignContentHash {
    private static final int BYTES = 8;

    private CampaignContentHash() {}

    /** Returns the first 16 hexadecimal digits of the SHA-256 of the canonical bytes. */
    public static String compute(Campaign campaign) {
        Campaign bare = new Campaign(
                campaign.name(),
                campaign.labels(),
                CampaignSpecBuilder.from(campaign.spec())
                        .expectedContentHash(null)
                        .build());
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(RowCodec.encode(bare));
            return HexFormat.of().formatHex(digest, 0, BYTES);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JVM has SHA-256", e);
        }
    }
}
