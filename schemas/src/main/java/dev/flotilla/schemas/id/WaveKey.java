package dev.flotilla.schemas.id;

/** A wave of a campaign. */
public record WaveKey(CampaignName campaign, String wave) implements Key {
    public WaveKey {
        Names.require(Names.problemOfLabel(wave), "wave", wave);
    }

    @Override
    public String toString() {
        return campaign.name() + "/" + wave;
    }
}
