package dev.flotilla.schemas.json.file;

import dev.flotilla.schemas.json.rows.CampaignCodec;
import dev.flotilla.schemas.row.Campaign;

/** Reads a campaign manifest: {@code kind: Campaign}, YAML or JSON. */
public final class CampaignFileReader {
    private CampaignFileReader() {}

    /** Returns the campaign in a manifest's text, or all its problems. */
    public static FileReadResult<Campaign> read(String text) {
        return SpecificationFileReader.read(text, CampaignCodec.CAMPAIGN);
    }
}
