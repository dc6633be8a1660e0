package dev.flotilla.campaigncontroller.sync;

import dev.flotilla.schemas.json.tree.JsonObjectReader;
import dev.flotilla.schemas.row.Campaign;
import dev.flotilla.schemas.row.Labels;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The labels that a campaign and its object have in common. Labels with a prefix are those of tools that manage the object, and Kubernetes
 * allows fewer characters than Kafka does: such a label is in the row alone.
 */
final class SharedLabels {
    private static final Pattern ALLOWED = Pattern.compile("[A-Za-z0-9]([A-Za-z0-9_.-]{0,61}[A-Za-z0-9])?");

    private SharedLabels() {}

    /** Returns the campaign with these labels alone. */
    static Campaign of(Campaign campaign) {
        SortedMap<String, String> shared = new TreeMap<>(campaign.labels().values());
        shared.entrySet().removeIf(label -> !isShared(label.getKey(), label.getValue()));
        return new Campaign(campaign.name(), new Labels(shared), campaign.spec());
    }

    /** Returns the campaign with the labels besides that only its row has had. */
    static Campaign withThoseOfTheRow(Campaign campaign, @Nullable Campaign row) {
        SortedMap<String, String> all = new TreeMap<>(campaign.labels().values());
        if (row != null) {
            row.labels().values().forEach((name, value) -> {
                if (!isShared(name, value)) {
                    all.putIfAbsent(name, value);
                }
            });
        }
        return new Campaign(campaign.name(), new Labels(all), campaign.spec());
    }

    /** Returns those of an object's labels. */
    static JsonObjectReader sharedOf(JsonObjectReader labels) {
        JsonObjectReader.Builder shared = new JsonObjectReader.Builder();
        for (int i = 0; i < labels.size(); i++) {
            if (ALLOWED.matcher(labels.name(i)).matches()) {
                shared.put(labels.name(i), labels.value(i));
            }
        }
        return shared.build();
    }

    private static boolean isShared(String name, String value) {
        return ALLOWED.matcher(name).matches()
                && (value.isEmpty() || ALLOWED.matcher(value).matches());
    }
}
