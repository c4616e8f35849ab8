package dev.stowage.cli;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * One JVM in a directory of its own that runs one command after the other: what commands find and leave in the current
 * directory is seen without a JVM for each.
 */
public final class ProgramElsewhere implements AutoCloseable {
    static final String JAVA =
            Path.of(System.getProperty("java.home"), "bin", "java").toString();

    /** Like the JVM of the tests, quick to begin. */
    static final List<String> LIKE_TESTS = List.of(
            "-Djava.awt.headless=true",
            "-Dstowage.progress.after=100000000",
            "-XX:TieredStopAtLevel=1",
            "-XX:+UseSerialGC");

    private final Process process;
    private final DataOutputStream asks;
    private final DataInputStream answers;

    ProgramElsewhere(Path directory, Map<String, String> environment) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(java(ProgramElsewhere.class))
                .directory(directory.toFile())
                .redirectError(directory.resolve("errors.txt").toFile());
        builder.environment().putAll(environment);
        process = builder.start();
        asks = new DataOutputStream(process.getOutputStream());
        answers = new DataInputStream(process.getInputStream());
    }

    /** A JVM for a command of the program, not yet started: for what is killed or goes on until it is. */
    public static ProcessBuilder process(String... arguments) {
        List<String> words = java(StowageCommand.class);
        words.addAll(List.of(arguments));
        return new ProcessBuilder(words);
    }

    private static List<String> java(Class<?> main) {
        List<String> words = new ArrayList<>(List.of(JAVA));
        words.addAll(ClassArchive.options());
        words.addAll(LIKE_TESTS);
        words.add(main.getName());
        return words;
    }

    Program run(List<String> arguments) throws IOException {
        asks.writeInt(arguments.size());
        for (String argument : arguments) {
            asks.writeUTF(argument);
        }
        asks.flush();
        return new Program(answers.readInt(), text(), text());
    }

    private String text() throws IOException {
        return new String(answers.readNBytes(answers.readInt()), StandardCharsets.UTF_8);
    }

    @Override
    public void close() throws IOException, InterruptedException {
        asks.close();
        process.waitFor();
    }

    /** The other side. */
    public static void main(String[] none) throws IOException {
        DataInputStream asks = new DataInputStream(System.in);
        DataOutputStream answers = new DataOutputStream(System.out);
        // What is printed past the command's own streams must not stand among the answers.
        System.setOut(new PrintStream(OutputStream.nullOutputStream(), true, StandardCharsets.UTF_8));
        while (true) {
            String[] arguments;
            try {
                arguments = new String[asks.readInt()];
            } catch (EOFException e) {
                return;
            }
            for (int i = 0; i < arguments.length; i++) {
                arguments[i] = asks.readUTF();
            }
            Program program = Program.run(arguments);
            answers.writeInt(program.code());
            for (String text : List.of(program.out(), program.err())) {
                byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
                answers.writeInt(bytes.length);
                answers.write(bytes);
            }
            answers.flush();
        }
    }
}
