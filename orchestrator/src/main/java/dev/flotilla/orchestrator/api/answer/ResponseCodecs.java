package dev.flotilla.orchestrator.api.answer;

import dev.flotilla.core.gate.GateLabel;
import dev.flotilla.schemas.json.codec.CountOrPercentCodec;
import dev.flotilla.schemas.json.codec.EnumCodec;
import dev.flotilla.schemas.json.codec.JsonCodec;
import dev.flotilla.schemas.json.codec.ScalarCodecs;
import dev.flotilla.schemas.row.CampaignState;
import dev.flotilla.schemas.row.CountOrPercent;
import dev.flotilla.schemas.row.MachineRole;

/** Codecs of values that several responses share. */
final class ResponseCodecs {
    static final JsonCodec<CountOrPercent> COUNT_OR_PERCENT = new CountOrPercentCodec();
    static final JsonCodec<GateLabel> GATE = EnumCodec.of(GateLabel.class, GateLabel::label);
    static final JsonCodec<MachineRole> ROLE = EnumCodec.of(MachineRole.class, MachineRole::label);
    static final JsonCodec<CampaignState> CAMPAIGN_STATE = EnumCodec.of(CampaignState.class, CampaignState::label);

    /** Text from operators, nodes and other programs. */
    static final JsonCodec<String> TEXT = ScalarCodecs.text(0, 4_096);

    /** The largest number of items in a page. */
    static final int MAX_PAGE_ITEMS = 1_000;

    private ResponseCodecs() {}
}
