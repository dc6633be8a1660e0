package dev.flotilla.schemas.edition;

import dev.flotilla.schemas.json.RowCodec;
import dev.flotilla.schemas.row.Campaign;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * The edition of a campaign: a hash of its canonical bytes, without the edition that it says it edits. Every version that writes the
 * same bytes knows it by the same name.
 */
public final class CampaignContentHash {
    private static final int BYTES = 8;

    private CampaignContentHash() {}

    /** The first 16 hexadecimal digits of the SHA-256 of the canonical bytes. */
    public static String compute(Campaign campaign) {
        Campaign bare = new Campaign(
                campaign.name(),
                campaign.labels(),
                campaign.spec().with(campaign.spec().constraints().expectedContentHash(null)));
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(RowCodec.encode(bare));
            return HexFormat.of().formatHex(digest, 0, BYTES);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JVM has SHA-256", e);
        }
    }
}
