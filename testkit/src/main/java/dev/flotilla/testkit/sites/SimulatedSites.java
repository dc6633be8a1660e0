package dev.flotilla.testkit.sites;

import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.simulator.embedded.EmbeddedFleet;
import dev.flotilla.simulator.world.SimProcess;
import dev.flotilla.testkit.tables.Seen;
import dev.flotilla.testkit.tables.TableWriter;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * Simulated sites at work. Their processes write to a log of their own, which goes to Kafka commit by commit; while the
 * broker takes nothing of a site's they are cut off there, as real ones would be.
 */
public final class SimulatedSites implements AutoCloseable {
    private static final long CUT_OFF = 1000;

    private final WorldLoop loop;
    private final SitesWorld world;
    private final TableWriter writer;
    private final Outbox outbox;
    private final Inlet inlet;
    private final SitesServer server;

    private SimulatedSites(String bootstrap, SitesSpec spec, WorldLoop loop, SitesWorld world, InetSocketAddress listen)
            throws IOException {
        this.loop = loop;
        this.world = world;
        this.writer = new TableWriter(bootstrap, loop::fail);
        List<SiteId> sites = new SitesFleet(spec).sites();
        this.outbox = new Outbox(writer, sites);
        this.inlet = new Inlet(bootstrap, sites, world.log(), loop);
        this.server = new SitesServer(listen, loop, new SitesReport(world, inlet, outbox), world.kills());
    }

    /** Restores what an earlier run left in the topics, which must be there, and begins. */
    public static SimulatedSites start(String bootstrap, SitesSpec spec, InetSocketAddress listen) throws IOException {
        WorldLoop loop = new WallClockLoop();
        SimulatedSites sites = new SimulatedSites(bootstrap, spec, loop, SitesWorld.alone(spec, loop.now()), listen);
        sites.writer.prepare(sites.inlet.own());
        sites.inlet.take(sites.inlet.read());
        sites.begin();
        sites.serve();
        return sites;
    }

    /** Watchers alone, around a fleet whose nodes real workers call. */
    public static SimulatedSites around(
            Vertx vertx, EmbeddedFleet embedded, String bootstrap, SitesSpec spec, InetSocketAddress listen)
            throws IOException, InterruptedException {
        EmbeddedLoop loop = new EmbeddedLoop(vertx, embedded);
        SitesWorld world = loop.ask(() -> SitesWorld.around(embedded, spec)).join();
        SimulatedSites sites = new SimulatedSites(bootstrap, spec, loop, world, listen);
        sites.writer.prepare(sites.inlet.own());
        List<Seen> before = sites.inlet.read();
        loop.ask(() -> {
                    sites.inlet.take(before);
                    sites.begin();
                    return true;
                })
                .join();
        sites.serve();
        return sites;
    }

    /** Nobody else may touch the world meanwhile. */
    private void begin() {
        world.log().onCommit((by, records, note) -> outbox.committed(records));
        world.processes().start();
        loop.start(world, this::cutOffWhileStalled);
    }

    private void serve() {
        inlet.start();
        server.start();
    }

    private void cutOffWhileStalled() {
        world.processes().bySite().forEach((site, processes) -> {
            if (outbox.stalled(site)) {
                for (SimProcess process : processes) {
                    if (!process.cutOff()) {
                        process.cutOff(CUT_OFF);
                    }
                }
            }
        });
    }

    /** Where the nodes' ledger is asked for. */
    public URI uri() {
        return server.uri();
    }

    /** Ends when they are closed, or with what went wrong. */
    public CompletableFuture<Void> ended() {
        return loop.ended();
    }

    @Override
    public void close() {
        server.close();
        inlet.close();
        loop.stop();
        writer.close();
    }
}
