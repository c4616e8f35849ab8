package dev.stowage.core.engine;

import dev.stowage.core.policy.PolicySpec;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * One command to an engine as a value, with a text form of one line that {@link #parse} reads back, e.g. {@code arrive
 * at=5 id=1 type=0}. Fields that a kind does not use have their neutral value.
 *
 * @param kind which command
 * @param at its time, nanoseconds
 * @param subject request id, server or site
 * @param type request type, -1 for none
 * @param amounts demand or capacity; may be wrong on purpose
 * @param pooled pooled demand or capacity; may be wrong on purpose
 * @param rewardMicros reward of a request with its own demand
 * @param sites sites that a request with its own demand is limited to, none for every site
 * @param policy the policy of {@link Kind#SET_POLICY}
 */
public record Command(
        Kind kind,
        long at,
        long subject,
        int type,
        List<Long> amounts,
        List<Long> pooled,
        long rewardMicros,
        List<Integer> sites,
        PolicySpec policy) {
    private static final PolicySpec NO_POLICY = PolicySpec.of("");

    /** The commands of {@link Commands}. */
    public enum Kind {
        /** A request of a type arrives. */
        ARRIVE("arrive"),
        /** A request arrives with its own demand. */
        ARRIVE_WITH("arrive-with"),
        /** A request ends. */
        LEAVE("leave"),
        /** Time passes. */
        TICK("tick"),
        /** A slot ends. */
        ROUND("round"),
        /** A server joins. */
        ADD_SERVER("add-server"),
        /** A site joins. */
        ADD_SITE("add-site"),
        /** A server takes no new requests. */
        DRAIN("drain"),
        /** A server is up again. */
        RETURN("return"),
        /** An empty server is taken away. */
        REMOVE("remove"),
        /** A server died. */
        LOSE("lose"),
        /** Another policy takes over. */
        SET_POLICY("set-policy");

        private final String text;

        Kind(String text) {
            this.text = text;
        }

        private static Kind of(String text) {
            for (Kind kind : values()) {
                if (kind.text.equals(text)) {
                    return kind;
                }
            }
            throw new IllegalArgumentException("unknown command '" + text + "'");
        }
    }

    /** Takes copies. */
    public Command {
        amounts = List.copyOf(amounts);
        pooled = List.copyOf(pooled);
        sites = List.copyOf(sites);
    }

    /** A request of a type arrives. */
    public static Command arrive(long at, long id, int type) {
        return new Command(Kind.ARRIVE, at, id, type, List.of(), List.of(), 0, List.of(), NO_POLICY);
    }

    /** A request arrives with its own demand. */
    public static Command arriveWith(long at, long id, int type, List<Long> demand, List<Long> pooled, long reward) {
        return new Command(Kind.ARRIVE_WITH, at, id, type, demand, pooled, reward, List.of(), NO_POLICY);
    }

    /** The same limited to sites; only of {@link #arriveWith}. */
    public Command limitedTo(List<Integer> newSites) {
        if (kind != Kind.ARRIVE_WITH) {
            throw new IllegalArgumentException("only an arrival with its own demand is limited to sites, not " + this);
        }
        return new Command(kind, at, subject, type, amounts, pooled, rewardMicros, newSites, policy);
    }

    /** A command that names only a request, server or nothing: the kinds without amounts. */
    public static Command plain(Kind kind, long at, long subject) {
        return new Command(kind, at, subject, -1, List.of(), List.of(), 0, List.of(), NO_POLICY);
    }

    /** A server joins. */
    public static Command addServer(long at, int site, List<Long> capacity) {
        return new Command(Kind.ADD_SERVER, at, site, -1, capacity, List.of(), 0, List.of(), NO_POLICY);
    }

    /** A site joins. */
    public static Command addSite(long at, List<Long> pooledCapacity) {
        return new Command(Kind.ADD_SITE, at, -1, -1, List.of(), pooledCapacity, 0, List.of(), NO_POLICY);
    }

    /** Another policy takes over. */
    public static Command setPolicy(long at, PolicySpec policy) {
        return new Command(Kind.SET_POLICY, at, -1, -1, List.of(), List.of(), 0, List.of(), policy);
    }

    /** The same at another time. */
    public Command withAt(long newAt) {
        return new Command(kind, newAt, subject, type, amounts, pooled, rewardMicros, sites, policy);
    }

    /** The same about another request, server or site. */
    public Command withSubject(long newSubject) {
        return new Command(kind, at, newSubject, type, amounts, pooled, rewardMicros, sites, policy);
    }

    /** The same with other amounts. */
    public Command withAmounts(List<Long> newAmounts, List<Long> newPooled) {
        return new Command(kind, at, subject, type, newAmounts, newPooled, rewardMicros, sites, policy);
    }

    /** Whether a request arrives. */
    public boolean isArrival() {
        return kind == Kind.ARRIVE || kind == Kind.ARRIVE_WITH;
    }

    /** Gives the command to an engine. */
    public void send(Commands engine) {
        int number = (int) subject;
        switch (kind) {
            case ARRIVE -> engine.arrive(at, subject, type);
            case ARRIVE_WITH ->
                engine.arrive(at, subject, type, array(amounts), array(pooled), rewardMicros, numbers(sites));
            case LEAVE -> engine.leave(at, subject);
            case TICK -> engine.tick(at);
            case ROUND -> engine.round(at);
            case ADD_SERVER -> engine.addServer(at, number, array(amounts));
            case ADD_SITE -> engine.addSite(at, array(pooled));
            case DRAIN -> engine.drainServer(at, number);
            case RETURN -> engine.returnServer(at, number);
            case REMOVE -> engine.removeServer(at, number);
            case LOSE -> engine.loseServer(at, number);
            case SET_POLICY -> engine.setPolicy(at, policy);
        }
    }

    /** The text form. */
    @Override
    public String toString() {
        StringBuilder line = new StringBuilder(kind.text).append(" at=").append(at);
        switch (kind) {
            case ARRIVE -> line.append(" id=").append(subject).append(" type=").append(type);
            case ARRIVE_WITH -> {
                line.append(" id=").append(subject).append(" type=").append(type);
                line.append(" demand=").append(text(amounts)).append(" pooled=").append(text(pooled));
                line.append(" reward=").append(rewardMicros);
                if (!sites.isEmpty()) {
                    line.append(" sites=").append(text(sites));
                }
            }
            case LEAVE -> line.append(" id=").append(subject);
            case TICK, ROUND -> {}
            case ADD_SERVER ->
                line.append(" site=").append(subject).append(" capacity=").append(text(amounts));
            case ADD_SITE -> line.append(" pooled=").append(text(pooled));
            case DRAIN, RETURN, REMOVE, LOSE -> line.append(" server=").append(subject);
            case SET_POLICY -> {
                line.append(" policy=").append(policy.name());
                policy.parameters()
                        .forEach((name, value) ->
                                line.append(" -").append(name).append('=').append(value));
            }
        }
        return line.toString();
    }

    /**
     * The command of a line.
     *
     * @throws IllegalArgumentException if the line is not one
     */
    public static Command parse(String line) {
        List<String> words = List.of(line.strip().split("\\s+", -1));
        Map<String, String> fields = new LinkedHashMap<>();
        for (String word : words.subList(1, words.size())) {
            int equals = word.indexOf('=');
            if (equals < 0) {
                throw new IllegalArgumentException("'" + word + "' in '" + line + "' is not name=value");
            }
            fields.put(word.substring(0, equals), word.substring(equals + 1));
        }
        Kind kind = Kind.of(words.get(0));
        long at = number(fields, "at", line);
        return switch (kind) {
            case ARRIVE -> arrive(at, number(fields, "id", line), (int) number(fields, "type", line));
            case ARRIVE_WITH ->
                arriveWith(
                                at,
                                number(fields, "id", line),
                                (int) number(fields, "type", line),
                                numbers(fields, "demand", line),
                                numbers(fields, "pooled", line),
                                number(fields, "reward", line))
                        .limitedTo(sites(fields, line));
            case LEAVE -> plain(kind, at, number(fields, "id", line));
            case TICK, ROUND -> plain(kind, at, -1);
            case ADD_SERVER -> addServer(at, (int) number(fields, "site", line), numbers(fields, "capacity", line));
            case ADD_SITE -> addSite(at, numbers(fields, "pooled", line));
            case DRAIN, RETURN, REMOVE, LOSE -> plain(kind, at, number(fields, "server", line));
            case SET_POLICY -> setPolicy(at, PolicySpec.of(field(fields, "policy", line), parameters(fields)));
        };
    }

    private static Map<String, String> parameters(Map<String, String> fields) {
        Map<String, String> parameters = new LinkedHashMap<>();
        fields.forEach((name, value) -> {
            if (name.startsWith("-")) {
                parameters.put(name.substring(1), value);
            }
        });
        return parameters;
    }

    private static String field(Map<String, String> fields, String name, String line) {
        String value = fields.get(name);
        if (value == null) {
            throw new IllegalArgumentException("'" + line + "' has no " + name + "=");
        }
        return value;
    }

    private static long number(Map<String, String> fields, String name, String line) {
        return Long.parseLong(field(fields, name, line));
    }

    private static List<Long> numbers(Map<String, String> fields, String name, String line) {
        String value = field(fields, name, line);
        return value.isEmpty()
                ? List.of()
                : List.of(value.split(",", -1)).stream().map(Long::valueOf).toList();
    }

    private static List<Integer> sites(Map<String, String> fields, String line) {
        return fields.containsKey("sites")
                ? numbers(fields, "sites", line).stream().map(Math::toIntExact).toList()
                : List.of();
    }

    private static String text(List<? extends Number> numbers) {
        return numbers.stream().map(String::valueOf).collect(Collectors.joining(","));
    }

    private static int[] numbers(List<Integer> numbers) {
        return numbers.stream().mapToInt(Integer::intValue).toArray();
    }

    private static long[] array(List<Long> numbers) {
        return numbers.stream().mapToLong(Long::longValue).toArray();
    }
}
