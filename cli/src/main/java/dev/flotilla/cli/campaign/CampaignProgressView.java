package dev.flotilla.cli.campaign;

import dev.flotilla.cli.terminal.JsonFormatter;
import dev.flotilla.cli.terminal.TextTable;
import dev.flotilla.core.explain.BlockedMachineCounter;
import dev.flotilla.core.explain.CampaignWarning;
import dev.flotilla.core.explain.CampaignWarningFinder;
import dev.flotilla.core.fleet.FleetState;
import dev.flotilla.core.fleet.rollout.CampaignEndEstimate;
import dev.flotilla.core.fleet.rollout.CampaignRollout;
import dev.flotilla.core.fleet.rollout.FailureBudgetUsage;
import dev.flotilla.core.fleet.rollout.WaveProgress;
import dev.flotilla.core.gate.CampaignPolicyStartRules;
import dev.flotilla.core.gate.GateChain;
import dev.flotilla.core.gate.GateLabel;
import dev.flotilla.schemas.contenthash.CampaignContentHash;
import dev.flotilla.schemas.json.tree.JsonObjectReader;
import dev.flotilla.schemas.json.tree.JsonValue;
import dev.flotilla.schemas.row.CampaignState;
import dev.flotilla.schemas.row.CampaignStatus;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Progress of a campaign.
 *
 * @param failed machines whose last attempt has failed, whether they are tried again or not
 * @param budget null if the campaign has no failure budget
 * @param timeLeft the time left at the present pace; null while the campaign does not run, none is in flight, or too few upgrades have
 * ended
 * @param preparations null if the campaign has no machines prepared
 * @param idleReason the gate at which most machines wait, with an example, if the campaign runs and has nothing in
 * flight; else empty
 */
record CampaignProgressView(
        CampaignStatus status,
        int inFlight,
        int failed,
        @Nullable FailureBudgetUsage budget,
        @Nullable Duration timeLeft,
        @Nullable PreparationView preparations,
        List<WaveProgressView> waves,
        List<String> warnings,
        String idleReason) {
    /** How many machines that have not ended are prepared. */
    record PreparationView(int prepared, int preparing, int failed) {
        static @Nullable PreparationView of(CampaignRollout campaign) {
            return campaign.spec().preparation() == null
                    ? null
                    : new PreparationView(campaign.prepared(), campaign.preparing(), campaign.unprepared());
        }

        JsonValue json() {
            return new JsonObjectReader.Builder()
                    .put("prepared", prepared)
                    .put("preparing", preparing)
                    .put("failed", failed)
                    .build();
        }
    }

    /** Progress of a wave. */
    record WaveProgressView(String name, String state, int machines, int atTarget, int remaining) {
        static WaveProgressView of(FleetState state, CampaignRollout campaign, WaveProgress wave) {
            String word = CampaignPolicyStartRules.isHeld(state, campaign, wave) ? "needs approval" : state(wave);
            return new WaveProgressView(wave.wave().name(), word, wave.total(), wave.atTarget(), wave.remaining());
        }

        private static String state(WaveProgress wave) {
            if (wave.isClosed()) {
                return wave.remaining() > 0 ? "passed" : "done";
            }
            if (wave.isOpen()) {
                return wave.hasSucceeded() && wave.awaitsApproval() ? "needs approval" : "open";
            }
            return wave.mayOpen() ? "waiting" : "needs approval";
        }

        String[] cells() {
            return new String[] {
                name, state, Integer.toString(atTarget), Integer.toString(remaining), Integer.toString(machines)
            };
        }

        JsonValue json() {
            return new JsonObjectReader.Builder()
                    .put("name", name)
                    .put("state", state)
                    .put("machines", machines)
                    .put("atTarget", atTarget)
                    .put("remaining", remaining)
                    .build();
        }
    }

    /** Computes the view from a fleet state whose derived state is up to date. */
    static CampaignProgressView of(FleetState state, CampaignRollout campaign, Instant now) {
        return of(
                state,
                campaign,
                now,
                isIdle(campaign)
                        ? BlockedMachineCounter.explainByGate(state, GateChain.standard(), campaign, now)
                        : Map.of());
    }

    /** Computes the view with the given numbers of waiting machines. */
    static CampaignProgressView of(
            FleetState state,
            CampaignRollout campaign,
            Instant now,
            Map<GateLabel, BlockedMachineCounter.BlockedMachines> gates) {
        return new CampaignProgressView(
                campaign.status(),
                campaign.inFlight(),
                campaign.failed(),
                FailureBudgetUsage.of(campaign),
                CampaignEndEstimate.of(campaign).estimateTimeLeft(),
                PreparationView.of(campaign),
                campaign.waves().stream()
                        .map(wave -> WaveProgressView.of(state, campaign, wave))
                        .toList(),
                CampaignWarningFinder.findWarnings(state, campaign, now).stream()
                        .map(CampaignWarning::message)
                        .toList(),
                isIdle(campaign) ? idleReason(gates) : "");
    }

    private static boolean isIdle(CampaignRollout campaign) {
        return campaign.status().state() == CampaignState.RUNNING
                && campaign.inFlight() == 0
                && campaign.remaining() > 0;
    }

    private static String idleReason(Map<GateLabel, BlockedMachineCounter.BlockedMachines> gates) {
        Map.Entry<GateLabel, BlockedMachineCounter.BlockedMachines> most = BlockedMachineCounter.largestGroup(gates);
        return most == null ? "" : describeWaiting(most.getKey(), most.getValue());
    }

    /** Describes how many machines wait at a gate, with the reason of one of them. */
    static String describeWaiting(GateLabel gate, BlockedMachineCounter.BlockedMachines waiting) {
        return waiting.machines() + (waiting.machines() == 1 ? " waits" : " wait") + " at gate " + gate.label()
                + (waiting.machines() == 1 ? ", " : ", such as ") + waiting.example() + ": " + waiting.message();
    }

    int machines() {
        return waves.stream().mapToInt(WaveProgressView::machines).sum();
    }

    int atTarget() {
        return waves.stream().mapToInt(WaveProgressView::atTarget).sum();
    }

    int remaining() {
        return waves.stream().mapToInt(WaveProgressView::remaining).sum();
    }

    /** Content hash of the accepted campaign. */
    private String contentHash() {
        return CampaignContentHash.compute(status.acceptedCampaign());
    }

    /** Reason of the pause; empty if the campaign is not paused. */
    String pauseReason() {
        String reason = status.pauseReason();
        return reason == null ? "" : reason;
    }

    /** Reasons why the campaign does not proceed as its file says; empty if there are none. */
    String stopReason() {
        return holdReason().isEmpty() ? idleReason : holdReason();
    }

    /** Why it is paused, and its warnings; empty for nothing. */
    String holdReason() {
        List<String> reasons = new ArrayList<>(warnings);
        if (!pauseReason().isEmpty()) {
            reasons.addFirst(pauseReason());
        }
        return String.join("; ", reasons);
    }

    /** Whether it runs and has machines that have not ended, so that its end can be expected. */
    private boolean isUnderWay() {
        return status.state() == CampaignState.RUNNING && remaining() > 0;
    }

    /** The time left at the present pace, such as {@code 1h5m}; empty if the campaign does not run or it is unknown. */
    String describeTimeLeft() {
        return timeLeft == null || !isUnderWay()
                ? ""
                : timeLeft.truncatedTo(ChronoUnit.SECONDS)
                        .toString()
                        .substring("PT".length())
                        .toLowerCase(Locale.ROOT);
    }

    private String describeEnd(Instant now) {
        if (timeLeft != null) {
            return "expected to end about " + now.plus(timeLeft).truncatedTo(ChronoUnit.SECONDS) + ", in "
                    + describeTimeLeft() + " at the present pace";
        }
        return "expected end unknown: "
                + (inFlight == 0 ? "no machine is in flight" : "too few upgrades have ended to know the pace");
    }

    String[] cells() {
        return new String[] {
            status.name().name(),
            status.state().label(),
            status.acceptedCampaign().spec().target().option().text(),
            Integer.toString(atTarget()),
            Integer.toString(inFlight),
            Integer.toString(remaining()),
            Integer.toString(machines()),
            stopReason()
        };
    }

    List<String> lines(Instant now) {
        List<String> lines = new ArrayList<>();
        lines.add("campaign " + status.name() + " (uid " + status.uid() + ", content hash " + contentHash() + ") to "
                + status.acceptedCampaign().spec().target().option().text() + ": "
                + status.state().label() + " since " + status.stateSince()
                + (pauseReason().isEmpty() ? "" : ", " + pauseReason()));
        warnings.forEach(warning -> lines.add("it " + warning));
        lines.add(atTarget() + " of " + machines() + " machines at the target, " + remaining() + " remaining, "
                + inFlight + " of them in flight" + (failed == 0 ? "" : ", " + failed + " failed"));
        if (budget == null) {
            lines.add("failure budget: none");
        } else {
            lines.add("failure budget: " + budget.used() + " of " + budget.machines()
                    + " used (failed, in flight or reserved), " + budget.remaining() + " left");
        }
        if (isUnderWay()) {
            lines.add(describeEnd(now));
        }
        if (preparations != null) {
            lines.add(preparations.prepared() + " of " + remaining() + " remaining machines prepared, "
                    + preparations.preparing() + " preparing, " + preparations.failed() + " could not be prepared");
        }
        TextTable table = new TextTable("WAVE", "STATE", "DONE", "REMAINING", "MACHINES");
        waves.forEach(wave -> table.row(wave.cells()));
        lines.addAll(table.lines());
        return lines;
    }

    JsonObjectReader json(Instant now) {
        return new JsonObjectReader.Builder()
                .put("name", status.name().name())
                .put("uid", status.uid())
                .put("contentHash", contentHash())
                .put("state", status.state().label())
                .put("pauseReason", JsonFormatter.text(status.pauseReason()))
                .put("warnings", JsonFormatter.texts(warnings))
                .put("idleReason", JsonFormatter.text(idleReason.isEmpty() ? null : idleReason))
                .put("stateSince", status.stateSince().toString())
                .put(
                        "target",
                        status.acceptedCampaign().spec().target().option().text())
                .put("machines", machines())
                .put("atTarget", atTarget())
                .put("remaining", remaining())
                .put("inFlight", inFlight)
                .put("failed", failed)
                .put("budget", budget == null ? JsonFormatter.text(null) : json(budget))
                .put(
                        "expectedEndAt",
                        JsonFormatter.text(
                                timeLeft == null || !isUnderWay()
                                        ? null
                                        : now.plus(timeLeft).toString()))
                .put("preparations", preparations == null ? JsonFormatter.text(null) : preparations.json())
                .put(
                        "waves",
                        JsonFormatter.list(
                                waves.stream().map(WaveProgressView::json).toList()))
                .build();
    }

    private static JsonValue json(FailureBudgetUsage budget) {
        return new JsonObjectReader.Builder()
                .put("machines", budget.machines())
                .put("used", budget.used())
                .put("remaining", budget.remaining())
                .build();
    }
}
