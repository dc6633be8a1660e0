package dev.flotilla.campaigncontroller;

import dev.flotilla.campaigncontroller.config.CampaignControllerConfig;
import dev.flotilla.kafka.KafkaClientSettings;
import java.io.IOException;

/** Starts a campaign controller. */
public final class Main {
    private Main() {}

    /** Starts the process and returns the URL of its HTTP server. A signal stops it in order. */
    public static String start(String instance, KafkaClientSettings kafka, CampaignControllerConfig config)
            throws IOException {
        return CampaignControllerProcess.start(instance, kafka, config)
                .stopOnSignal()
                .url();
    }
}
