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
 * Has the mutants that no unit test noticed judged by some JVMs side by side, and writes a line for each.
 *
 * <p>Arguments: PIT's report, how many seeds, how many JVMs, the file to write. Prints how many the worlds noticed.
 */
final class MutantTestMain {
    private static final int PROGRESS_EVERY = 50;

    private final List<Mutant> mutants;
    private final List<String> command;
    private final PrintWriter lines;
    private final AtomicInteger next = new AtomicInteger();
    private int judged;
    private int noticed;

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
            new MutantTestMain(Mutant.unnoticed(Path.of(args[0])), command, lines).run(Integer.parseInt(args[2]));
        } finally {
            Files.delete(agent);
        }
    }

    /** A jar that is only its manifest: the class of the agent is on the class path. */
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
        requireNothingWithoutAMutant();
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < jvms; i++) {
            threads.add(Thread.ofPlatform().start(this::judgeAll));
        }
        for (Thread thread : threads) {
            thread.join();
        }
        if (judged < mutants.size()) {
            throw new IllegalStateException("judged " + judged + " of " + mutants.size() + " mutants");
        }
        System.out.println(noticed);
    }

    private void requireNothingWithoutAMutant() throws IOException, InterruptedException {
        MutantTesterProcess judge = MutantTesterProcess.start(command);
        MutantTestResult mutantTestResult = judge.ask(MutantTester.UNCHANGED);
        judge.close();
        if (!MutantTestResult.SURVIVED.equals(mutantTestResult)) {
            throw new IllegalStateException("without a mutant the worlds must hold: " + mutantTestResult);
        }
    }

    private void judgeAll() {
        MutantTesterProcess judge = null;
        try {
            for (int number = next.getAndIncrement(); number < mutants.size(); number = next.getAndIncrement()) {
                if (judge == null) {
                    judge = MutantTesterProcess.start(command);
                }
                MutantTestResult mutantTestResult = judge.ask(Integer.toString(number));
                if (mutantTestResult == null) {
                    judge = null;
                }
                note(mutants.get(number), mutantTestResult == null ? MutantTestResult.ENDLESS_WORLD : mutantTestResult);
            }
        } catch (IOException | InterruptedException e) {
            throw new IllegalStateException("a JVM that judges mutants failed", e);
        } finally {
            close(judge);
        }
    }

    private static void close(@Nullable MutantTesterProcess judge) {
        if (judge != null) {
            judge.close();
        }
    }

    private synchronized void note(Mutant mutant, MutantTestResult mutantTestResult) {
        lines.println((mutantTestResult.noticed() ? "noticed" : "survived") + "\t" + mutant.type() + "\t"
                + mutant.line() + "\t" + mutant.method() + "\t" + mutant.what() + "\t" + mutantTestResult.by());
        lines.flush();
        judged++;
        if (mutantTestResult.noticed()) {
            noticed++;
        }
        if (judged % PROGRESS_EVERY == 0) {
            System.err.println(
                    "worlds: " + judged + " of " + mutants.size() + " mutants judged, " + noticed + " noticed");
        }
    }
}
