package dev.flotilla.cli.campaign;

import dev.flotilla.cli.terminal.ProgressBar;
import dev.flotilla.cli.terminal.Terminal;
import dev.flotilla.core.fleet.rollout.FailureBudgetUsage;
import dev.flotilla.core.gate.GateLabel;
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
        String state = view.status().state().label() + (view.holdReason().isEmpty() ? "" : ", " + view.holdReason());
        String head = view.status().name() + " " + state + ": " + view.atTarget() + " of " + view.machines()
                + " at the target, " + view.remaining() + " remaining, " + view.inFlight() + " in flight"
                + describeBudget(view)
                + describePreparations(view)
                + describeTimeLeft(view)
                + describeIdle(view, gates);
        if (terminal.interactive()) {
            draw(head, view.waves());
            return;
        }
        String line = head
                + view.waves().stream()
                        .map(wave ->
                                "; " + wave.name() + " " + wave.atTarget() + "/" + wave.machines() + " " + wave.state())
                        .collect(Collectors.joining());
        if (!line.equals(lastLine)) {
            lastLine = line;
            terminal.note(now.truncatedTo(ChronoUnit.SECONDS) + "  " + line);
        }
    }

    private static String describeBudget(CampaignProgressView view) {
        FailureBudgetUsage budget = view.budget();
        return budget == null ? "" : ", failure budget " + budget.used() + " of " + budget.machines() + " used";
    }

    private static String describePreparations(CampaignProgressView view) {
        CampaignProgressView.PreparationView preparations = view.preparations();
        return preparations == null
                ? ""
                : ", " + preparations.prepared() + " prepared, " + preparations.preparing() + " preparing"
                        + (preparations.failed() == 0 ? "" : ", " + preparations.failed() + " could not be prepared");
    }

    /** Says where machines wait if nothing is in flight, because that may last until an operator acts. */
    private static String describeIdle(CampaignProgressView view, Map<GateLabel, Integer> gates) {
        return view.inFlight() > 0 || view.status().state() != CampaignState.RUNNING
                ? ""
                : gates.entrySet().stream()
                        .map(gate -> ", " + gate.getValue() + " wait at gate "
                                + gate.getKey().label())
                        .collect(Collectors.joining());
    }

    private static String describeTimeLeft(CampaignProgressView view) {
        String left = view.describeTimeLeft();
        return left.isEmpty() ? "" : ", about " + left + " left at the present pace";
    }

    private void draw(String head, List<CampaignProgressView.WaveProgressView> waves) {
        List<String> lines = new ArrayList<>();
        lines.add(head.length() > terminal.width() ? head.substring(0, terminal.width()) : head);
        waves.forEach(wave -> lines.add(bar(wave)));
        terminal.err().print(ProgressBar.up(drawnLines) + String.join("\n", lines) + "\n");
        terminal.err().flush();
        drawnLines = lines.size();
    }

    private String bar(CampaignProgressView.WaveProgressView wave) {
        int others = wave.machines() - wave.atTarget() - wave.remaining();
        return String.format("%-12s", wave.name()) + progressBar.render(wave.machines(), wave.atTarget(), others, 0)
                + " " + wave.atTarget() + "/" + wave.machines() + " " + wave.state();
    }
}
