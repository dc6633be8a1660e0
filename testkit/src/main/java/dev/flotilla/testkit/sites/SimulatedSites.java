package dev.flotilla.testkit.sites;

import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.simulator.world.SimProcess;
import dev.flotilla.testkit.tables.TableWriter;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * Running simulated sites. Their processes write to a simulated log, which is exported to Kafka commit by commit. While
 * the broker accepts nothing of a site, its processes are cut off from the simulated log, as real ones would be.
 */
public final class SimulatedSites implements RunningSites {
    private static final long CUT_OFF_MILLIS = 1000;

    private final RealTimeWorldLoop loop;
    private final SitesWorld world;
    private final TableWriter writer;
    private final TopicExporter topicExporter;
    private final TopicImporter topicImporter;
    private final SitesHttpServer server;

    private SimulatedSites(
            String bootstrap, SitesSpec spec, RealTimeWorldLoop loop, SitesWorld world, InetSocketAddress listen)
            throws IOException {
        this.loop = loop;
        this.world = world;
        this.writer = new TableWriter(bootstrap, loop::fail);
        List<SiteId> sites = new SitesFleetLayout(spec).sites();
        this.topicExporter = new TopicExporter(writer, sites);
        this.topicImporter = new TopicImporter(bootstrap, sites, world.log(), loop);
        this.server = new SitesHttpServer(
                listen,
                loop,
                world.nodes()::callsJson,
                new SitesStatisticsJson(world, topicImporter, topicExporter)::stats);
    }

    /** Restores what an earlier run left in the topics, which must exist, and starts. */
    public static SimulatedSites start(String bootstrap, SitesSpec spec, InetSocketAddress listen) throws IOException {
        RealTimeWorldLoop loop = new RealTimeWorldLoop();
        SimulatedSites sites =
                new SimulatedSites(bootstrap, spec, loop, SitesWorld.createStandalone(spec, loop.now()), listen);
        sites.writer.prepare(sites.topicImporter.partitionsWrittenBySimulation());
        sites.topicImporter.applyRecords(sites.topicImporter.read());
        sites.begin();
        sites.serve();
        return sites;
    }

    /** Starts the processes; no other thread may access the world meanwhile. */
    private void begin() {
        world.log().onCommit((by, records, note) -> topicExporter.exportRecords(records));
        world.processes().start();
        loop.start(world, this::cutOffWhileStalled);
    }

    private void serve() {
        topicImporter.start();
        server.start();
    }

    private void cutOffWhileStalled() {
        world.processes().bySite().forEach((site, processes) -> {
            if (topicExporter.stalled(site)) {
                for (SimProcess process : processes) {
                    if (!process.cutOff()) {
                        process.cutOff(CUT_OFF_MILLIS);
                    }
                }
            }
        });
    }

    @Override
    public URI uri() {
        return server.uri();
    }

    @Override
    public CompletableFuture<Void> ended() {
        return loop.ended();
    }

    @Override
    public void close() {
        server.close();
        topicImporter.close();
        loop.stop();
        writer.close();
    }
}
