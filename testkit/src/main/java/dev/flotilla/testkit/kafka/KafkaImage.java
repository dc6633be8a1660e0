package dev.flotilla.testkit.kafka;

import dev.flotilla.testkit.process.RepositoryFolder;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** An image of the Kafka that tests use, for containers and pods. It is made by {@code testkit/kafka/image}. */
public final class KafkaImage {
    public static final String NAME = "flotilla.test/kafka:1";

    private KafkaImage() {}

    /** Writes the image of the libraries on this JVM's class path, as a docker-archive. */
    public static void write(Path file) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(
                List.of(RepositoryFolder.find().resolve("testkit/kafka/image").toString(), file.toString()));
        Stream.of(System.getProperty("java.class.path").split(File.pathSeparator, -1))
                .filter(each -> each.endsWith(".jar") && !each.contains("flotilla-"))
                .forEach(command::add);
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        Process process = builder.start();
        process.getOutputStream().close();
        String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (process.waitFor() != 0) {
            throw new IOException("testkit/kafka/image failed with exit code " + process.exitValue() + ": " + printed);
        }
    }
}
