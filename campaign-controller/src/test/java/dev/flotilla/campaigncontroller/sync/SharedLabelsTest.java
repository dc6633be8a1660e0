package dev.flotilla.campaigncontroller.sync;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.schemas.json.file.CampaignFileReader;
import dev.flotilla.schemas.json.file.FileReadResult;
import dev.flotilla.schemas.row.Campaign;
import org.junit.jupiter.api.Test;

class SharedLabelsTest {
    private static Campaign campaign(String labels) {
        String manifest = "apiVersion: flotilla.dev/v1\nkind: Campaign\nmetadata: {name: spring, labels: " + labels
                + "}\nspec: {target: {option: revision=7}, select: {}}\n";
        return CampaignFileReader.read(manifest) instanceof FileReadResult.ValidFile<Campaign> valid
                ? valid.value()
                : org.assertj.core.api.Assertions.fail("not valid: " + labels);
    }

    /** Kubernetes would not store an object with the others. */
    @Test
    void labelsThatKubernetesDoesNotAllowAreOnlyInTheRow() {
        Campaign row = campaign("{owner: night shift, ring: canary, argocd.example/instance: prod, empty: \"\"}");

        assertThat(SharedLabels.of(row).labels().values()).containsOnlyKeys("ring", "empty");
        assertThat(RowHash.of(row)).isEqualTo(RowHash.of(SharedLabels.of(row)));
    }

    @Test
    void anEditOfTheObjectKeepsThem() {
        Campaign row = campaign("{owner: night shift, ring: canary}");
        Campaign edited = campaign("{ring: early}");

        assertThat(SharedLabels.withThoseOfTheRow(edited, row).labels().values())
                .containsOnlyKeys("owner", "ring")
                .containsEntry("ring", "early");
        assertThat(SharedLabels.withThoseOfTheRow(edited, null)).isEqualTo(edited);
    }
}
