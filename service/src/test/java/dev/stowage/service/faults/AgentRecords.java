package dev.stowage.service.faults;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What agents noted of the processes that they ran, all by the one clock of the machine that nobody sets: a start is
 * noted before a process begins, a stop after it has ended. Nothing of what the service says goes into this.
 */
final class AgentRecords {
    /**
     * One run of a request.
     *
     * @param from hundredths of a second since the machine's start
     * @param to the same, {@link Long#MAX_VALUE} while it runs
     */
    record Run(String request, int attempt, int server, long from, long to) {
        boolean goesOn() {
            return to == Long.MAX_VALUE;
        }
    }

    private final List<Run> runs = new ArrayList<>();
    /** What was wrong. */
    private final List<String> problems = new ArrayList<>();

    /** Takes the record of the agent of a server. */
    void read(int server, List<String> record) {
        Map<String, Long> open = new HashMap<>();
        for (String line : record) {
            String[] words = line.split(" ", -1);
            String key = words[1];
            long at = Long.parseLong(words[3]);
            if (words[0].equals("start")) {
                if (open.put(key, at) != null) {
                    problems.add(key + " was started twice on server " + server);
                }
            } else {
                Long from = open.remove(key);
                if (from == null) {
                    problems.add(key + " was stopped and never started on server " + server);
                } else {
                    runs.add(run(key, server, from, at));
                }
            }
        }
        open.forEach((key, from) -> runs.add(run(key, server, from, Long.MAX_VALUE)));
    }

    private static Run run(String key, int server, long from, long to) {
        String[] parts = key.split("~", -1);
        return new Run(parts[1], Integer.parseInt(parts[2]), server, from, to);
    }

    List<Run> runs() {
        return runs;
    }

    /** What goes on, by request. */
    Map<String, Run> goingOn() {
        Map<String, Run> going = new TreeMap<>();
        runs.stream().filter(Run::goesOn).forEach(run -> going.put(run.request(), run));
        return going;
    }

    /**
     * All that is wrong: requests that ran twice at a moment, attempts that ran twice at all, servers that held more
     * than they have.
     */
    List<String> problems(Map<String, Long> demands, long capacity) {
        List<String> all = new ArrayList<>(problems);
        Map<String, List<Run>> byRequest = new TreeMap<>();
        Map<Integer, List<Run>> byServer = new TreeMap<>();
        Map<String, Run> attempts = new HashMap<>();
        for (Run run : runs) {
            byRequest.computeIfAbsent(run.request(), key -> new ArrayList<>()).add(run);
            byServer.computeIfAbsent(run.server(), key -> new ArrayList<>()).add(run);
            Run other = attempts.put(run.request() + "~" + run.attempt(), run);
            if (other != null) {
                all.add("one attempt ran twice: " + other + " and " + run);
            }
        }
        for (List<Run> of : byRequest.values()) {
            of.sort(Comparator.comparingLong(Run::from));
            for (int k = 1; k < of.size(); k++) {
                if (of.get(k).from() < of.get(k - 1).to()) {
                    all.add("it ran twice at a moment: " + of.get(k - 1) + " and " + of.get(k));
                }
            }
        }
        byServer.forEach((server, of) -> {
            long most = most(of, demands);
            if (most > capacity) {
                all.add("server " + server + " held " + most + " of " + capacity);
            }
        });
        return all;
    }

    /** The most that ran at a moment; what stops and what starts within one hundredth follow each other. */
    private static long most(List<Run> of, Map<String, Long> demands) {
        TreeMap<Long, Long> changes = new TreeMap<>();
        for (Run run : of) {
            long demand = demands.getOrDefault(run.request(), 0L);
            changes.merge(run.from(), demand, Long::sum);
            changes.merge(run.to(), -demand, Long::sum);
        }
        long most = 0;
        long now = 0;
        for (long change : changes.values()) {
            now += change;
            most = Math.max(most, now);
        }
        return most;
    }
}
