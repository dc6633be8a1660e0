package dev.flotilla.orchestrator.api.answer;

import dev.flotilla.core.gate.GateLabel;
import dev.flotilla.schemas.json.codec.Choice;
import dev.flotilla.schemas.json.codec.Codec;
import dev.flotilla.schemas.json.codec.LimitCodec;
import dev.flotilla.schemas.json.codec.Scalars;
import dev.flotilla.schemas.row.Limit;
import dev.flotilla.schemas.row.Role;
import dev.flotilla.schemas.row.RunState;

/** Codecs of values that several answers have. */
final class Forms {
    static final Codec<Limit> LIMIT = new LimitCodec();
    static final Codec<GateLabel> GATE = Choice.of(GateLabel.class, GateLabel::label);
    static final Codec<Role> ROLE = Choice.of(Role.class, Role::label);
    static final Codec<RunState> RUN_STATE = Choice.of(RunState.class, RunState::label);

    /** Words that come from operators, nodes and other programs. */
    static final Codec<String> WORDS = Scalars.text(0, 4_096);

    /** Items of a page at most. */
    static final int MOST = 1_000;

    private Forms() {}
}
