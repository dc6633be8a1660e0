package dev.flotilla.schemas.json.file;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class CampaignFileTest {
    @Test
    void tellsEveryProblemOfABadCampaignAtOnceWithItsLine() {
        FileRead<?> read = CampaignFile.read("""
                apiVersion: flotilla.dev/v1
                kind: Campaign
                metadata: {name: 'Bad Name!'}
                spec:
                  target: {option: 'chanel=1.33/stable'}
                  waves: [{name: canary, percent: 140}]
                  nonsense: 1
                """);
        assertThat(read.toString()).contains("Bad Name!", "chanel", "140", "nonsense");
    }
}
