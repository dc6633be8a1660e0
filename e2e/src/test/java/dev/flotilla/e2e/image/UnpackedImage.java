package dev.flotilla.e2e.image;

import dev.flotilla.testkit.process.ChildProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * The files of an image, run as a pod runs them: as a user without rights, with a root file system that cannot be written
 * and 64 MiB in {@code /tmp}. Needs root.
 *
 * @param root the root file system
 */
record UnpackedImage(Path root, ImageLayout layout) {
    /** Mounts what a container has. The mounts end with the process, whose namespace they are in. */
    private static final String ENTER = """
            set -e
            root=$1 extra=$2
            shift 2
            mount --bind "$root" "$root"
            mount --rbind /proc "$root/proc"
            mount --rbind /dev "$root/dev"
            mount -o remount,bind,ro "$root"
            mount -t tmpfs -o mode=1777,size=64m tmpfs "$root/tmp"
            [ -z "$extra" ] || { cp -r "$extra/." "$root/tmp" && chmod -R a+rX "$root/tmp"; }
            exec env -i PATH="$PATH" LANG=C.UTF-8 setpriv --no-new-privs chroot --userspec=65532:65532 --groups= "$root" "$@"
            """;

    /** Unpacks an image below a folder. */
    static UnpackedImage unpack(Path tar, Path folder) throws Exception {
        ImageLayout layout = ImageLayout.unpack(tar, folder.resolve("layout"));
        Path root = folder.resolve("root");
        Files.createDirectories(root);
        for (Path layer : layout.layers()) {
            Programs.run("tar", "-xzpf", layer.toString(), "-C", root.toString());
        }
        // A container engine creates what it mounts over.
        Files.createDirectories(root.resolve("proc"));
        Files.createDirectories(root.resolve("dev"));
        return new UnpackedImage(root, layout);
    }

    /** The jars, by name. */
    List<String> jars() throws IOException {
        try (Stream<Path> files = Files.list(root.resolve("opt/flotilla/lib"))) {
            return files.map(file -> file.getFileName().toString()).sorted().toList();
        }
    }

    /** Runs the image's entry point with these arguments until it ends. */
    Programs.ProgramResult run(String... arguments) throws IOException {
        return Programs.runToExit(Map.of(), command("", entryPoint(), arguments));
    }

    /** Runs a class of {@code folder}, which is copied to {@code /tmp}, with the image's runtime and jars. */
    Programs.ProgramResult runClass(Path folder, String main, String... arguments) throws IOException {
        return Programs.runToExit(
                Map.of(),
                command(
                        folder.toString(),
                        List.of(
                                "/opt/java/bin/java",
                                "--enable-native-access=ALL-UNNAMED",
                                "-cp",
                                "/tmp:/opt/flotilla/lib/*",
                                main),
                        arguments));
    }

    /** Starts the image's entry point with a copy of {@code folder} in {@code /tmp}; its log is in that folder. */
    ChildProcess start(String name, Path folder, String... arguments) throws IOException {
        return ChildProcess.startProgram(name, folder, command(folder.toString(), entryPoint(), arguments), Map.of());
    }

    private List<String> entryPoint() throws IOException {
        return layout.config().getJsonObject("config").getJsonArray("Entrypoint").stream()
                .map(String.class::cast)
                .toList();
    }

    private List<String> command(String extra, List<String> program, String... arguments) {
        List<String> command = new ArrayList<>(List.of(
                "unshare", "--mount", "--propagation", "private", "sh", "-c", ENTER, "enter", root.toString(), extra));
        command.addAll(program);
        command.addAll(List.of(arguments));
        return command;
    }
}
