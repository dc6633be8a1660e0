package dev.flotilla.simulator.mutants;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import org.jspecify.annotations.Nullable;

/**
 * Tests the mutants that no unit test detected, in several JVMs in parallel, and writes a line for each.
 *
 * <p>Arguments: PIT's report, the number of seeds, the number of JVMs, the file to write. Prints how many mutants the
 * worlds detected.
 */
final class MutantTestMain {
    private static final int PROGRESS_EVERY = 50;

    private final List<Mutant> mutants;
    private final List<String> command;
    private final PrintWriter lines;
    private final AtomicInteger next = new AtomicInteger();
    private int testedCount;
    private int detectedCount;

    private MutantTestMain(List<Mutant> mutants, List<String> command, PrintWriter lines) {
        this.mutants = mutants;
        this.command = command;
        this.lines = lines;
    }

    public static void main(String[] args) throws IOException, InterruptedException {
        Path agent = agent();
        List<String> command = List.of(
                ProcessHandle.current().info().command().orElse("java"),
                "-javaagent:" + agent,
                "-XX:+UseSerialGC",
                "-XX:-UsePerfData",
                "-Xmx1g",
                "-cp",
                System.getProperty("java.class.path"),
                MutantTester.class.getName(),
                args[0],
                args[1]);
        try (PrintWriter lines = new PrintWriter(Files.newBufferedWriter(Path.of(args[3]), StandardCharsets.UTF_8))) {
            new MutantTestMain(Mutant.readUndetected(Path.of(args[0])), command, lines).run(Integer.parseInt(args[2]));
        } finally {
            Files.delete(agent);
        }
    }

    /** A jar that contains only its manifest, because the agent's class is on the class path. */
    private static Path agent() throws IOException {
        Manifest manifest = new Manifest();
        Attributes attributes = manifest.getMainAttributes();
        attributes.put(Attributes.Name.MANIFEST_VERSION, "1.0");
        attributes.putValue("Premain-Class", ClassRedefinitionAgent.class.getName());
        attributes.putValue("Can-Redefine-Classes", "true");
        Path jar = Files.createTempFile("mutants", ".jar");
        try (OutputStream out = Files.newOutputStream(jar)) {
            new JarOutputStream(out, manifest).close();
        }
        return jar;
    }

    private void run(int jvms) throws IOException, InterruptedException {
        requireNoViolationWithoutAMutant();
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < jvms; i++) {
            threads.add(Thread.ofPlatform().start(this::testRemainingMutants));
        }
        for (Thread thread : threads) {
            thread.join();
        }
        if (testedCount < mutants.size()) {
            throw new IllegalStateException(
                    "only " + testedCount + " of " + mutants.size() + " mutants were tested; see the errors above");
        }
        System.out.println(detectedCount);
    }

    private void requireNoViolationWithoutAMutant() throws IOException, InterruptedException {
        MutantTesterProcess tester = MutantTesterProcess.start(command);
        MutantTestResult mutantTestResult = tester.request(MutantTester.UNCHANGED);
        tester.close();
        if (!MutantTestResult.SURVIVED.equals(mutantTestResult)) {
            throw new IllegalStateException("the worlds must hold without a mutant, but: " + mutantTestResult);
        }
    }

    private void testRemainingMutants() {
        MutantTesterProcess tester = null;
        try {
            for (int number = next.getAndIncrement(); number < mutants.size(); number = next.getAndIncrement()) {
                if (tester == null) {
                    tester = MutantTesterProcess.start(command);
                }
                MutantTestResult mutantTestResult = tester.request(Integer.toString(number));
                if (mutantTestResult == null) {
                    tester = null;
                }
                writeResult(
                        mutants.get(number),
                        mutantTestResult == null ? MutantTestResult.ENDLESS_WORLD : mutantTestResult);
            }
        } catch (IOException | InterruptedException e) {
            throw new IllegalStateException("a JVM that tests mutants failed", e);
        } finally {
            close(tester);
        }
    }

    private static void close(@Nullable MutantTesterProcess tester) {
        if (tester != null) {
            tester.close();
        }
    }

    private synchronized void writeResult(Mutant mutant, MutantTestResult mutantTestResult) {
        lines.println((mutantTestResult.detected() ? "noticed" : "survived") + "\t" + mutant.type() + "\t"
                + mutant.line() + "\t" + mutant.method() + "\t" + mutant.description() + "\t" + mutantTestResult.by());
        lines.flush();
        testedCount++;
        if (mutantTestResult.detected()) {
            detectedCount++;
        }
        if (testedCount % PROGRESS_EVERY == 0) {
            System.err.println("worlds: " + testedCount + " of " + mutants.size() + " mutants judged, " + detectedCount
                    + " noticed");
        }
    }
}
