package dev.flotilla.schemas.id;

/** A wave of a campaign. */
public record WaveKey(CampaignName campaign, String wave) implements EntityKey {
    public WaveKey {
        NameValidator.require(NameValidator.problemOfLabel(wave), "wave", wave);
    }

    @Override
    public String toString() {
        return campaign.name() + "/" + wave;
    }
}
