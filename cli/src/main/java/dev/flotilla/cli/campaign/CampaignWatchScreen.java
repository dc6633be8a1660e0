package dev.flotilla.cli.campaign;

import dev.flotilla.cli.terminal.ProgressBar;
import dev.flotilla.cli.terminal.Terminal;
import dev.flotilla.core.fleet.rollout.FailureBudgetUsage;
import dev.flotilla.core.gate.GateLabel;
import dev.flotilla.schemas.json.tree.RedactedText;
import dev.flotilla.schemas.row.CampaignState;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Progress of a campaign, shown repeatedly: bars that are redrawn on a terminal, elsewhere one line for each change.
 */
final class CampaignWatchScreen {
    private static final int BESIDE_THE_BAR = 44;

    private final Terminal terminal;
    private final ProgressBar progressBar;
    private String lastLine = "";
    private int drawnLines;

    CampaignWatchScreen(Terminal terminal) {
        this.terminal = terminal;
        this.progressBar = new ProgressBar(terminal, BESIDE_THE_BAR);
    }

    /**
     * Shows the campaign at an instant.
     *
     * @param gates how many machines wait at each gate
     */
    void show(CampaignProgressView view, Map<GateLabel, Integer> gates, Instant now) {
        List<String> parts =
                describe(view, gates).stream().map(RedactedText::escape).toList();
        if (terminal.interactive()) {
            draw(parts, view.waves());
            return;
        }
        String line = String.join(", ", parts)
                + view.waves().stream()
                        .map(wave ->
                                "; " + wave.name() + " " + wave.atTarget() + "/" + wave.machines() + " " + wave.state())
                        .collect(Collectors.joining());
        if (!line.equals(lastLine)) {
            lastLine = line;
            terminal.note(now.truncatedTo(ChronoUnit.SECONDS) + "  " + line);
        }
    }

    private static List<String> describe(CampaignProgressView view, Map<GateLabel, Integer> gates) {
        List<String> parts = new ArrayList<>();
        parts.add(view.status().name() + " " + view.status().state().label()
                + (view.holdReason().isEmpty() ? "" : ", " + view.holdReason()) + ": " + view.atTarget() + " of "
                + view.machines() + " at the target");
        parts.add(view.remaining() + " remaining");
        parts.add(view.inFlight() + " in flight");
        FailureBudgetUsage budget = view.budget();
        if (budget != null) {
            parts.add("failure budget " + budget.used() + " of " + budget.machines() + " used");
        }
        CampaignProgressView.PreparationView preparations = view.preparations();
        if (preparations != null) {
            parts.add(preparations.prepared() + " prepared");
            parts.add(preparations.preparing() + " preparing");
            if (preparations.failed() > 0) {
                parts.add(preparations.failed() + " could not be prepared");
            }
        }
        if (!view.describeTimeLeft().isEmpty()) {
            parts.add("about " + view.describeTimeLeft() + " left at the present pace");
        }
        // If nothing is in flight, that may last until an operator acts.
        if (view.inFlight() == 0 && view.status().state() == CampaignState.RUNNING) {
            gates.forEach((gate, machines) -> parts.add(machines + " wait at gate " + gate.label()));
        }
        return parts;
    }

    private void draw(List<String> parts, List<CampaignProgressView.WaveProgressView> waves) {
        List<String> lines = new ArrayList<>(wrap(parts));
        waves.forEach(wave -> lines.add(cut(bar(wave))));
        terminal.err().print(ProgressBar.up(drawnLines) + String.join("\n", lines) + "\n");
        terminal.err().flush();
        drawnLines = lines.size();
    }

    /** Puts as many parts on a line as the terminal is wide; a part that is wider is cut. */
    private List<String> wrap(List<String> parts) {
        List<String> lines = new ArrayList<>();
        String line = "";
        for (String part : parts) {
            if (!line.isEmpty() && line.length() + ", ".length() + part.length() >= terminal.width()) {
                lines.add(line + ",");
                line = "";
            }
            line += line.isEmpty() ? part : ", " + part;
        }
        lines.add(line);
        return lines.stream().map(this::cut).toList();
    }

    private String cut(String line) {
        return line.substring(0, Math.min(line.length(), terminal.width()));
    }

    private String bar(CampaignProgressView.WaveProgressView wave) {
        int others = wave.machines() - wave.atTarget() - wave.remaining();
        return String.format("%-12s", wave.name()) + progressBar.render(wave.machines(), wave.atTarget(), others, 0)
                + " " + wave.atTarget() + "/" + wave.machines() + " " + wave.state();
    }
}
