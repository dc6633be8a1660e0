package dev.flotilla.cli.campaign;

import dev.flotilla.cli.terminal.JsonFormatter;
import dev.flotilla.cli.terminal.Terminal;
import dev.flotilla.core.gate.GateLabel;
import dev.flotilla.schemas.json.tree.JsonObjectReader;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Progress of a campaign as JSON: an object on a line for each change. */
final class CampaignWatchJson {
    private final Terminal terminal;
    private @Nullable CampaignProgressView lastView;
    private Map<GateLabel, Integer> lastGates = Map.of();

    CampaignWatchJson(Terminal terminal) {
        this.terminal = terminal;
    }

    /**
     * Prints the campaign at an instant, unless nothing but the time has changed.
     *
     * @param gates how many machines wait at each gate
     */
    void show(CampaignProgressView view, Map<GateLabel, Integer> gates, Instant now) {
        if (view.equals(lastView) && gates.equals(lastGates)) {
            return;
        }
        lastView = view;
        lastGates = gates;
        JsonObjectReader.Builder waiting = new JsonObjectReader.Builder();
        gates.forEach((gate, machines) -> waiting.put(gate.label(), machines));
        JsonObjectReader.Builder line = new JsonObjectReader.Builder().put("at", now.toString());
        JsonObjectReader campaign = view.json(now);
        for (int i = 0; i < campaign.size(); i++) {
            line.put(campaign.name(i), campaign.value(i));
        }
        terminal.out()
                .println(JsonFormatter.line(line.put("gates", waiting.build()).build()));
        terminal.out().flush();
    }
}
