package dev.flotilla.testkit.process;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;

/** A process that prints an address, repeats the lines of its standard input, and exits with the code that it reads. */
final class AddressPrintingMain {
    private AddressPrintingMain() {}

    public static void main(String[] args) throws Exception {
        System.out.println("ready at http://127.0.0.1:8080, waiting");
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            System.out.println("read " + line);
            if (line.startsWith("exit ")) {
                System.exit(Integer.parseInt(line.substring("exit ".length())));
            }
        }
    }
}
