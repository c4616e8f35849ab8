package dev.stowage.bench;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Open consoles in a process of their own, as browsers are: as many as it is told, until it is told another number. */
final class ConsoleReaders implements AutoCloseable {
    private final Process process;
    private final PrintStream tells;
    private final BufferedReader said;

    ConsoleReaders(Process process) {
        this.process = process;
        tells = new PrintStream(process.getOutputStream(), true, StandardCharsets.UTF_8);
        said = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    }

    /** Opens so many, in place of those that are open; says what those have read. */
    String open(int consoles) throws IOException {
        tells.println(consoles);
        return String.valueOf(said.readLine());
    }

    /** The other side: a number on each line of standard input. */
    static void read(String address) throws IOException {
        List<ConsoleReader> open = new ArrayList<>();
        try (BufferedReader asked = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
            for (String line = asked.readLine(); line != null; line = asked.readLine()) {
                System.out.println(ConsoleReader.total(open));
                open.forEach(ConsoleReader::close);
                open.clear();
                for (int i = 0; i < Integer.parseInt(line); i++) {
                    open.add(new ConsoleReader(address));
                }
            }
        }
    }

    @Override
    public void close() {
        process.destroy();
    }
}
