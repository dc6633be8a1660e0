package dev.flotilla.schemas.json.file;

import dev.flotilla.schemas.json.rows.CampaignCodec;
import dev.flotilla.schemas.row.Campaign;

/** A campaign as people write it: {@code kind: Campaign}, YAML or JSON. */
public final class CampaignFileReader {
    private CampaignFileReader() {}

    /** The campaign that a file's text states, or everything that is wrong with it. */
    public static FileReadResult<Campaign> read(String text) {
        return SpecificationFileReader.read(text, CampaignCodec.CAMPAIGN);
    }
}
