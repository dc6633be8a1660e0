package dev.flotilla.cli.allinone;

import dev.flotilla.runtime.config.HostPort;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.testkit.kafka.BrokerProcess;
import dev.flotilla.testkit.process.ChildProcess;
import dev.flotilla.testkit.process.ComponentClassPaths;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * The broker and the processes of Flotilla, as children that end with this process. One that ends by itself is started again. Used
 * by one thread, except {@link #close}.
 */
final class AllInOneProcesses implements AutoCloseable {
    static final String ORCHESTRATOR = "orchestrator";

    private static final String MAIN = "dev.flotilla.cli.Main";
    private static final String HEAP = "256m";
    private static final String AUDITOR_TIMEOUT_SECONDS = "120";

    private final Path folder;
    private final FileChannel lockFile;
    private final BrokerProcess broker;
    private final Map<String, Component> components = new LinkedHashMap<>();
    private final AtomicBoolean closed = new AtomicBoolean();

    /** How a process is started, and the one that runs. */
    private static final class Component {
        private final String classPath;
        private final String main;
        private final List<String> arguments;
        private ChildProcess process;

        Component(String classPath, String main, List<String> arguments, ChildProcess process) {
            this.classPath = classPath;
            this.main = main;
            this.arguments = arguments;
            this.process = process;
        }
    }

    private AllInOneProcesses(Path folder, FileChannel lockFile) {
        this.folder = folder;
        this.lockFile = lockFile;
        this.broker = BrokerProcess.singleBroker(folder, Map.of());
    }

    /** Takes a data folder, which only one process may use. */
    static AllInOneProcesses open(Path folder) throws AllInOneException {
        try {
            Files.createDirectories(folder);
            FileChannel file =
                    FileChannel.open(folder.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
            FileLock lock = tryLock(file);
            if (lock == null) {
                file.close();
                throw new AllInOneException("another flotilla all-in-one uses the data folder " + folder
                        + ": end it, or name another folder with --data");
            }
            return new AllInOneProcesses(folder, file);
        } catch (IOException e) {
            throw new AllInOneException("the data folder " + folder + " cannot be used: " + describe(e, folder)
                    + ". Name a folder that you can write to with --data");
        }
    }

    /** The message of such an exception is often the path alone. */
    private static String describe(IOException failure, Path folder) {
        return switch (failure) {
            case AccessDeniedException denied -> "no permission for " + denied.getFile();
            case FileAlreadyExistsException exists -> exists.getFile() + " is not a folder";
            case NoSuchFileException missing -> "it cannot be created in " + folder.getParent();
            default -> String.valueOf(failure.getMessage());
        };
    }

    private static @Nullable FileLock tryLock(FileChannel file) throws IOException {
        try {
            return file.tryLock();
        } catch (OverlappingFileLockException e) {
            return null;
        }
    }

    void startBroker() throws AllInOneException {
        try {
            broker.start();
        } catch (IllegalStateException e) {
            throw new AllInOneException(firstLine(e));
        }
    }

    String bootstrap() {
        return broker.bootstrap();
    }

    long brokerPid() {
        return broker.pid();
    }

    void startOrchestrator(String listen) {
        start(ORCHESTRATOR, ComponentClassPaths.own(), MAIN, kafka(ORCHESTRATOR, "--listen", listen));
    }

    void startAuditor() {
        start(
                "auditor",
                ComponentClassPaths.auditor(),
                "dev.flotilla.auditor.Main",
                List.of("--bootstrap", bootstrap(), "--listen", "127.0.0.1:0", "--timeout", AUDITOR_TIMEOUT_SECONDS));
    }

    /** Starts a process of the site, by its command. */
    void startSiteService(String what, String command, SiteId site, Path kubeconfig) {
        start(
                what,
                ComponentClassPaths.own(),
                MAIN,
                kafka(command, "--site", site.name(), "--kubeconfig", kubeconfig.toString()));
    }

    void startNodeUpgrader(Path kubeconfig) {
        start(
                "node-upgrader",
                ComponentClassPaths.own(),
                MAIN,
                List.of("node-upgrader", "--kubeconfig", kubeconfig.toString()));
    }

    /**
     * Starts Cluster API's extension.
     *
     * @param settings what its settings file has
     */
    void startExtension(Path kubeconfig, AllInOneOptions.ExtensionOptions extension, String settings) {
        Path configFile;
        try {
            configFile = new ExtensionConfigFiles(folder).write(HostPort.parse(extension.listen()), settings);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        start(
                "cluster-api-extension",
                ComponentClassPaths.own(),
                MAIN,
                List.of(
                        "cluster-api-extension",
                        "--config",
                        configFile.toString(),
                        "--kubeconfig",
                        kubeconfig.toString(),
                        "--listen",
                        extension.listen(),
                        "--cert",
                        extension.cert().toString(),
                        "--key",
                        extension.key().toString()));
    }

    private List<String> kafka(String command, String... options) {
        List<String> arguments = new ArrayList<>(List.of(command, "--bootstrap", bootstrap()));
        arguments.addAll(List.of(options));
        return arguments;
    }

    private void start(String what, String classPath, String main, List<String> arguments) {
        components.put(what, new Component(classPath, main, arguments, launch(what, classPath, main, arguments)));
    }

    private ChildProcess launch(String what, String classPath, String main, List<String> arguments) {
        List<String> options = new ArrayList<>(ChildProcess.quickStartOptions(classPath));
        options.add("-Xmx" + HEAP);
        options.add("--enable-native-access=ALL-UNNAMED");
        ChildProcess process = ChildProcess.startJvm(what, folder, classPath, options, main, arguments)
                .endWithParent();
        if (closed.get()) {
            process.close();
        }
        return process;
    }

    /** Waits until all are ready. */
    void awaitReady() throws AllInOneException {
        for (Component component : components.values()) {
            try {
                component.process.awaitAddress();
            } catch (IllegalStateException e) {
                throw new AllInOneException(
                        firstLine(e) + ", whose last line is: " + component.process.lastLogLines(1));
            }
        }
    }

    private static String firstLine(IllegalStateException failure) {
        return String.valueOf(failure.getMessage()).lines().findFirst().orElse("");
    }

    /** The processes that run, by what they are. */
    Map<String, ChildProcess> running() {
        Map<String, ChildProcess> running = new LinkedHashMap<>();
        components.forEach((what, component) -> running.put(what, component.process));
        return running;
    }

    /** Starts again what has ended by itself. Returns what that was. */
    List<String> restartEnded() {
        List<String> restarted = new ArrayList<>();
        if (closed.get()) {
            return restarted;
        }
        if (!broker.isAlive()) {
            restarted.add("broker");
            broker.kill();
            try {
                broker.start();
            } catch (IllegalStateException | UncheckedIOException e) {
                // It is tried again in the next round.
                return restarted;
            }
        }
        components.forEach((what, component) -> {
            if (component.process.hasCrashed()) {
                restarted.add(what);
                component.process = launch(what, component.classPath, component.main, component.arguments);
            }
        });
        return restarted;
    }

    Path folder() {
        return folder;
    }

    /** Ends all in order, the broker last. A second call does nothing. */
    @Override
    public void close() {
        if (!closed.compareAndSet(false, true)) {
            return;
        }
        List<Component> all = List.copyOf(components.values());
        all.forEach(component -> component.process.terminate());
        all.forEach(component -> component.process.stop());
        broker.stop();
        try {
            lockFile.close();
        } catch (IOException e) {
            // The lock ends with this process.
        }
    }
}
