package dev.flotilla.schemas.id;

/** The key of a wave: its campaign and its name. */
public record WaveKey(CampaignName campaign, String wave) implements EntityKey {
    public WaveKey {
        NameValidator.require(NameValidator.problemOfLabel(wave), "wave", wave);
    }

    @Override
    public String toString() {
        return campaign.name() + "/" + wave;
    }
}
