package dev.stowage.kube.real;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The judge, a separate program: it follows etcd's history from the first revision on, and reports what is wrong. */
final class JudgeProcess implements AutoCloseable {
    private static final Path PROGRAM = Path.of("..", ".ci", "kube-judge");

    /** The judge's output, with its exit code. */
    record Sentence(int code, String text) {
        /** Whether a rule was broken. */
        boolean isGuilty() {
            return code != 0 && code != 3;
        }

        /** Whether there is nothing left to do. */
        boolean isDone() {
            return code == 0;
        }
    }

    private final Path history;
    private final Process recorder;
    private final boolean guard;

    JudgeProcess(int etcdPort, Path directory, boolean guard) throws IOException {
        this.guard = guard;
        history = Files.createFile(directory.resolve("history.jsonl"));
        recorder = new ProcessBuilder(
                        "python3", PROGRAM.toString(), "record", "http://127.0.0.1:" + etcdPort, history.toString())
                .inheritIO()
                .start();
    }

    /** Its verdict on everything up to now. */
    Sentence check() throws IOException, InterruptedException {
        if (!recorder.isAlive()) {
            throw new AssertionError("the recorder of etcd's history ended with " + recorder.exitValue());
        }
        List<String> command = new ArrayList<>(List.of("python3", PROGRAM.toString(), "check", history.toString()));
        if (guard) {
            command.add("--guard");
        }
        Process check = new ProcessBuilder(command).redirectErrorStream(true).start();
        String text = new String(check.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return new Sentence(check.waitFor(), text);
    }

    /** The last revision that is recorded. */
    long revision() throws IOException {
        List<String> lines = Files.readAllLines(history);
        String last = lines.get(lines.size() - 2);
        return Long.parseLong(last.replaceAll("^\\{\"revision\": ([0-9]+),.*", "$1"));
    }

    @Override
    public void close() {
        recorder.destroyForcibly().onExit().join();
    }
}
