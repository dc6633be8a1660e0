package dev.flotilla.core.gate;

import dev.flotilla.core.fleet.rollout.CampaignRollout;
import dev.flotilla.core.fleet.rollout.FreezeRule;
import dev.flotilla.core.fleet.rollout.WaveProgress;
import dev.flotilla.core.fleet.start.FleetStateReader;
import dev.flotilla.core.fleet.start.StartCandidate;
import dev.flotilla.schemas.contenthash.CampaignContentHash;
import dev.flotilla.schemas.id.OperatorOrderKey;
import dev.flotilla.schemas.id.RowKey;
import dev.flotilla.schemas.id.Table;
import dev.flotilla.schemas.row.OperatorOrder;
import dev.flotilla.schemas.row.UpgradePolicy;
import dev.flotilla.schemas.topic.Topic;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The explanations of gates that several gates share or that need more than a sentence. */
final class GateMessages {
    /** The tables that may hold a freeze, including those of earlier versions. */
    private static final List<Table> FREEZE_TABLES = List.of(Table.FREEZES, Table.AUDITOR_ORDERS, Table.ORDERS);

    private static final String WHEN_SITES_READABLE =
            "every site that may have machines in it can be read or is written off.";

    private GateMessages() {}

    /** A freeze: who froze, and why. */
    static ClosedGate frozen(String what, @Nullable OperatorOrder order, @Nullable UpgradePolicy policy) {
        String freeze = FreezeRule.describe(what, order, policy);
        String end = ".!?".indexOf(freeze.charAt(freeze.length() - 1)) >= 0 ? "" : ".";
        return new ClosedGate(GateLabel.FREEZE, "frozen", "not frozen", freeze + end);
    }

    /**
     * The table whose newest freeze record closes its scope: the record is unreadable, or the table does not accept
     * freezes. Null for none.
     */
    static @Nullable Table tableOfClosingFreeze(FleetStateReader state, OperatorOrderKey key) {
        if (state.hasUnreadable()) {
            for (Table table : FREEZE_TABLES) {
                if (state.isUnreadable(new RowKey(table, key))) {
                    return table;
                }
            }
        }
        return state.orders().misplacedFreeze(key) == null ? null : Table.ORDERS;
    }

    /** Explains an unreadable freeze, or a freeze in a table that does not accept freezes. */
    static ClosedGate rejectedFreeze(FleetStateReader state, OperatorOrderKey key) {
        Table table = Objects.requireNonNullElse(tableOfClosingFreeze(state, key), key.table());
        String topic = Topic.of(table).name();
        OperatorOrder misplaced = state.orders().misplacedFreeze(key);
        return misplaced == null || state.isUnreadable(new RowKey(table, key))
                ? unreadable(key.toString(), topic)
                : new ClosedGate(
                        GateLabel.REJECTED_INPUT,
                        "a freeze on " + topic,
                        "no freeze on " + topic,
                        "Order " + misplaced.id() + " of " + misplaced.requestedBy() + " freezes " + key + " on topic "
                                + topic
                                + ", which does not accept freezes: write it to topic " + Topic.of(key.table())
                                + ", or lift it with an order on that topic that names its id in \"liftedFreezes\".");
    }

    static ClosedGate unreadable(String key, String topic) {
        return new ClosedGate(
                GateLabel.REJECTED_INPUT,
                "unreadable",
                "a readable record",
                "The newest record of " + key + " on topic " + topic
                        + " cannot be read (see flotilla rejected list): write it again. A tombstone does not open this gate.");
    }

    /** Why a wave has not started. */
    static ClosedGate waveNotOpen(StartCandidate c) {
        CampaignRollout campaign = (CampaignRollout) c.rollout();
        WaveProgress own = campaign.waves().get(c.backlog().wave());
        for (WaveProgress wave : campaign.waves()) {
            if (wave.isShareUnset()) {
                return new ClosedGate(
                        GateLabel.WAVE,
                        "size not fixed",
                        "size fixed",
                        "The size of wave " + name(wave) + " is fixed when " + WHEN_SITES_READABLE);
            }
            if (wave == own) {
                break;
            }
            if (!wave.isClosed()) {
                return waitsForWave(own, wave, campaign, c);
            }
        }
        return own.mayOpen()
                ? new ClosedGate(
                        GateLabel.WAVE,
                        "not started",
                        "started",
                        "Wave " + name(own) + " starts when its campaign runs.",
                        campaign.hasStarted(c.now()) ? null : campaign.spec().startAt())
                : approval(own, campaign, "Wave " + name(own) + " starts when it is approved: run ");
    }

    /** An edit of the campaign is not approved yet. */
    static ClosedGate editNotApproved(StartCandidate c) {
        CampaignRollout campaign = (CampaignRollout) c.rollout();
        String contentHash = CampaignContentHash.compute(campaign.status().acceptedCampaign());
        return new ClosedGate(
                        GateLabel.WAVE,
                        "edited",
                        "content hash " + contentHash + " approved",
                        "Campaign " + campaign.name()
                                + " was edited and needs an approval: no more machines start until content hash "
                                + contentHash + " is approved: run flotilla campaign approve " + campaign.name()
                                + " --reason TEXT.")
                .forPerson();
    }

    /** The fleet's policy requires an approval that is missing. */
    static ClosedGate notApproved(StartCandidate c) {
        CampaignRollout campaign = (CampaignRollout) c.rollout();
        return new ClosedGate(
                        GateLabel.WAVE,
                        "not approved",
                        "approved",
                        "Campaign " + campaign.name() + " "
                                + CampaignPolicyStartRules.approvalProblem(
                                        c.state(), campaign, c.backlog().wave())
                                + ".")
                .forPerson();
    }

    private static ClosedGate waitsForWave(
            WaveProgress own, WaveProgress wave, CampaignRollout campaign, StartCandidate c) {
        if (!wave.hasSucceeded()) {
            return ClosedGate.numbers(
                    GateLabel.WAVE,
                    wave.atTarget(),
                    ((long) wave.counted() * wave.wave().successPercent() + 99) / 100,
                    "Wave " + name(own) + " starts when " + wave.wave().successPercent() + "% of the "
                            + wave.counted() + " machines of wave " + name(wave) + " have succeeded; "
                            + wave.atTarget() + " have so far.");
        }
        if (wave.isSoaking(campaign.status(), c.now())) {
            return new ClosedGate(
                    GateLabel.WAVE,
                    c.now().toString(),
                    String.valueOf(wave.soakEndsAt(campaign.status())),
                    "Wave " + name(own) + " starts when wave " + name(wave) + " has soaked for "
                            + wave.wave().soak() + " after its last success, at " + wave.soakEndsAt(campaign.status())
                            + ".",
                    wave.soakEndsAt(campaign.status()));
        }
        if (c.state().isPartlyUnrestored(campaign, wave)) {
            return new ClosedGate(
                    GateLabel.WAVE,
                    "not every site can be read",
                    "every site of wave " + name(wave),
                    "Wave " + name(own) + " starts when " + WHEN_SITES_READABLE);
        }
        return approval(wave, campaign, "Wave " + name(own) + " starts when wave " + name(wave) + " is approved: run ");
    }

    private static ClosedGate approval(WaveProgress wave, CampaignRollout campaign, String prefix) {
        return new ClosedGate(
                        GateLabel.WAVE,
                        wave.isApproved() ? "approved" : "not approved",
                        "approved",
                        prefix + approveCommand(campaign, wave) + ".")
                .forPerson();
    }

    /** The command that approves a wave. */
    static String approveCommand(CampaignRollout campaign, WaveProgress wave) {
        return "flotilla campaign approve " + campaign.name() + " " + name(wave) + " --reason TEXT";
    }

    private static String name(WaveProgress wave) {
        return wave.wave().name();
    }
}
