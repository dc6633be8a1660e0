package dev.flotilla.testkit.sites;

import dev.flotilla.schemas.json.tree.Obj;
import dev.flotilla.schemas.json.tree.Tree;
import dev.flotilla.simulator.fleet.SimMachine;
import dev.flotilla.simulator.node.Ledger;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** What the nodes say of themselves, as JSON. */
final class SitesReport {
    private final SitesWorld world;
    private final Inlet inlet;
    private final Outbox outbox;

    SitesReport(SitesWorld world, Inlet inlet, Outbox outbox) {
        this.world = world;
        this.inlet = inlet;
        this.outbox = outbox;
    }

    /** Every call that a node received. */
    Tree ledger() {
        List<Tree> calls = new ArrayList<>();
        for (Ledger.Call call : world.ledger().calls()) {
            SimMachine machine = world.fleet().machine(call.machine());
            calls.add(new Obj.Builder()
                    .put("machine", call.machine().toString())
                    .put("node", machine == null ? "" : machine.node().name())
                    .put("at", Instant.ofEpochMilli(call.at()).toString())
                    .put("changeId", call.changeId())
                    .put("effective", call.effective())
                    .put("refused", call.refused())
                    .put("attempt", call.attempt())
                    .build());
        }
        return new Obj.Builder()
                .put("calls", list(calls))
                .put("maxInFlight", world.ledger().maxInFlight())
                .build();
    }

    /** How much each node was called and how long it worked for it, and how the bridge does. */
    Tree stats() {
        List<Tree> machines = new ArrayList<>();
        for (SimMachine machine : world.fleet().machines()) {
            machines.add(new Obj.Builder()
                    .put("machine", machine.key().toString())
                    .put("calls", world.ledger().calls(machine.key()).size())
                    .put("busyMillis", world.busy().millis(machine.key()))
                    .build());
        }
        List<Tree> kills = new ArrayList<>();
        world.kills().done().forEach(kill -> kills.add(of(kill)));
        return new Obj.Builder()
                .put("inFlight", world.ledger().inFlight())
                .put("maxInFlight", world.ledger().maxInFlight())
                .put("calls", world.ledger().calls().size())
                .put("refusedRows", inlet.refused())
                .put("unwrittenRows", outbox.open())
                .put("kills", list(kills))
                .put("machines", list(machines))
                .build();
    }

    static Tree of(SiteKills.Kill kill) {
        return new Obj.Builder()
                .put("what", kill.what())
                .put("process", kill.process())
                .put("atMillis", kill.at())
                .put("recoveredAtMillis", kill.recovered())
                .build();
    }

    private static Tree list(List<Tree> items) {
        return new Tree.Arr(items, Tree.NO_LINE);
    }
}
