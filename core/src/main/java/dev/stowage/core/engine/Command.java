package dev.stowage.core.engine;

import dev.stowage.core.model.Constraints;
import dev.stowage.core.model.Labels;
import dev.stowage.core.model.Spread;
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
 * @param constraints which servers a request with its own demand may use
 * @param server where a request that is adopted runs, -1 for none
 * @param name name of a new server, empty for none
 * @param labels labels of a server
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
        Constraints constraints,
        int server,
        String name,
        Labels labels,
        PolicySpec policy) {
    private static final PolicySpec NO_POLICY = PolicySpec.of("");

    /** The commands of {@link Commands}. */
    public enum Kind {
        /** A request of a type arrives. */
        ARRIVE("arrive"),
        /** A request arrives with its own demand. */
        ARRIVE_WITH("arrive-with"),
        /** A request that runs already is brought in. */
        ADOPT("adopt"),
        /** A request ends. */
        LEAVE("leave"),
        /** Time passes. */
        TICK("tick"),
        /** A slot ends. */
        ROUND("round"),
        /** A server joins. */
        ADD_SERVER("add-server"),
        /** A server has another capacity. */
        RESIZE("resize"),
        /** A server has other labels. */
        LABEL("label"),
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
    }

    /** A command without constraints, name and labels. */
    public Command(
            Kind kind,
            long at,
            long subject,
            int type,
            List<Long> amounts,
            List<Long> pooled,
            long rewardMicros,
            PolicySpec policy) {
        this(kind, at, subject, type, amounts, pooled, rewardMicros, Constraints.NONE, -1, "", Labels.NONE, policy);
    }

    /** A request of a type arrives. */
    public static Command arrive(long at, long id, int type) {
        return new Command(Kind.ARRIVE, at, id, type, List.of(), List.of(), 0, NO_POLICY);
    }

    /** A request arrives with its own demand. */
    public static Command arriveWith(long at, long id, int type, List<Long> demand, List<Long> pooled, long reward) {
        return new Command(Kind.ARRIVE_WITH, at, id, type, demand, pooled, reward, NO_POLICY);
    }

    /** The same limited to sites; only of {@link #arriveWith}. */
    public Command limitedTo(List<Integer> newSites) {
        return constrained(constraints.withSites(newSites));
    }

    /** The same with constraints; only of {@link #arriveWith} and what is made of it. */
    public Command constrained(Constraints newConstraints) {
        if (kind != Kind.ARRIVE_WITH && kind != Kind.ADOPT) {
            throw new IllegalArgumentException("only an arrival with its own demand has constraints, not " + this);
        }
        return with(kind, at, subject, amounts, pooled, newConstraints, server, name, labels);
    }

    /** The same request, of {@link #arriveWith}, running on a server already. */
    public Command adoptedOn(int newServer) {
        return with(Kind.ADOPT, at, subject, amounts, pooled, constraints, newServer, name, labels);
    }

    /** The new server of {@link #addServer} with a name and labels. */
    public Command named(String newName, Labels newLabels) {
        return with(kind, at, subject, amounts, pooled, constraints, server, newName, newLabels);
    }

    private Command with(
            Kind newKind,
            long newAt,
            long newSubject,
            List<Long> newAmounts,
            List<Long> newPooled,
            Constraints newConstraints,
            int newServer,
            String newName,
            Labels newLabels) {
        return new Command(
                newKind,
                newAt,
                newSubject,
                type,
                newAmounts,
                newPooled,
                rewardMicros,
                newConstraints,
                newServer,
                newName,
                newLabels,
                policy);
    }

    /** A command that names only a request, server or nothing: the kinds without amounts. */
    public static Command plain(Kind kind, long at, long subject) {
        return new Command(kind, at, subject, -1, List.of(), List.of(), 0, NO_POLICY);
    }

    /** A server joins. */
    public static Command addServer(long at, int site, List<Long> capacity) {
        return new Command(Kind.ADD_SERVER, at, site, -1, capacity, List.of(), 0, NO_POLICY);
    }

    /** A server has another capacity. */
    public static Command resize(long at, long server, List<Long> capacity) {
        return new Command(Kind.RESIZE, at, server, -1, capacity, List.of(), 0, NO_POLICY);
    }

    /** A server has other labels. */
    public static Command label(long at, long server, Labels labels) {
        return new Command(Kind.LABEL, at, server, -1, List.of(), List.of(), 0, NO_POLICY).named("", labels);
    }

    /** A site joins. */
    public static Command addSite(long at, List<Long> pooledCapacity) {
        return new Command(Kind.ADD_SITE, at, -1, -1, List.of(), pooledCapacity, 0, NO_POLICY);
    }

    /** Another policy takes over. */
    public static Command setPolicy(long at, PolicySpec policy) {
        return new Command(Kind.SET_POLICY, at, -1, -1, List.of(), List.of(), 0, policy);
    }

    /** The same at another time. */
    public Command withAt(long newAt) {
        return with(kind, newAt, subject, amounts, pooled, constraints, server, name, labels);
    }

    /** The same about another request, server or site. */
    public Command withSubject(long newSubject) {
        return with(kind, at, newSubject, amounts, pooled, constraints, server, name, labels);
    }

    /** The same with other amounts. */
    public Command withAmounts(List<Long> newAmounts, List<Long> newPooled) {
        return with(kind, at, subject, newAmounts, newPooled, constraints, server, name, labels);
    }

    /** Whether a request comes into the system. */
    public boolean isArrival() {
        return kind == Kind.ARRIVE || kind == Kind.ARRIVE_WITH || kind == Kind.ADOPT;
    }

    /** Gives the command to an engine. */
    public void send(Commands engine) {
        int number = (int) subject;
        switch (kind) {
            case ARRIVE -> engine.arrive(at, subject, type);
            case ARRIVE_WITH ->
                engine.arrive(at, subject, type, array(amounts), array(pooled), rewardMicros, constraints);
            case ADOPT ->
                engine.adopt(at, subject, type, array(amounts), array(pooled), rewardMicros, constraints, server);
            case LEAVE -> engine.leave(at, subject);
            case TICK -> engine.tick(at);
            case ROUND -> engine.round(at);
            case ADD_SERVER -> engine.addServer(at, number, array(amounts), name, labels);
            case RESIZE -> engine.resizeServer(at, number, array(amounts));
            case LABEL -> engine.labelServer(at, number, labels);
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
            case ARRIVE_WITH, ADOPT -> {
                line.append(" id=").append(subject).append(" type=").append(type);
                line.append(" demand=").append(text(amounts)).append(" pooled=").append(text(pooled));
                line.append(" reward=").append(rewardMicros);
                appendIfAny(line, " sites=", text(constraints.sites()));
                appendIfAny(line, " require=", constraints.termsText());
                appendIfAny(line, " avoid=", text(constraints.avoid()));
                appendIfAny(
                        line,
                        " spread=",
                        constraints.spread().stream().map(Spread::toString).collect(Collectors.joining(",")));
                if (kind == Kind.ADOPT) {
                    line.append(" server=").append(server);
                }
            }
            case LEAVE -> line.append(" id=").append(subject);
            case TICK, ROUND -> {}
            case ADD_SERVER -> {
                line.append(" site=").append(subject).append(" capacity=").append(text(amounts));
                appendIfAny(line, " name=", name);
                appendIfAny(line, " labels=", labels.toString());
            }
            case RESIZE ->
                line.append(" server=").append(subject).append(" capacity=").append(text(amounts));
            case LABEL ->
                line.append(" server=").append(subject).append(" labels=").append(labels);
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

    private static void appendIfAny(StringBuilder line, String name, String value) {
        if (!value.isEmpty()) {
            line.append(name).append(value);
        }
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
            case ARRIVE_WITH -> request(at, fields, line);
            case ADOPT -> request(at, fields, line).adoptedOn((int) number(fields, "server", line));
            case LEAVE -> plain(kind, at, number(fields, "id", line));
            case TICK, ROUND -> plain(kind, at, -1);
            case ADD_SERVER ->
                addServer(at, (int) number(fields, "site", line), numbers(fields, "capacity", line))
                        .named(fields.getOrDefault("name", ""), Labels.parse(fields.getOrDefault("labels", "")));
            case RESIZE -> resize(at, number(fields, "server", line), numbers(fields, "capacity", line));
            case LABEL -> label(at, number(fields, "server", line), Labels.parse(field(fields, "labels", line)));
            case ADD_SITE -> addSite(at, numbers(fields, "pooled", line));
            case DRAIN, RETURN, REMOVE, LOSE -> plain(kind, at, number(fields, "server", line));
            case SET_POLICY -> setPolicy(at, PolicySpec.of(field(fields, "policy", line), parameters(fields)));
        };
    }

    private static Command request(long at, Map<String, String> fields, String line) {
        return arriveWith(
                        at,
                        number(fields, "id", line),
                        (int) number(fields, "type", line),
                        numbers(fields, "demand", line),
                        numbers(fields, "pooled", line),
                        number(fields, "reward", line))
                .constrained(new Constraints(
                        integers(fields, "sites", line),
                        Constraints.parseTerms(fields.getOrDefault("require", "")),
                        integers(fields, "avoid", line),
                        fields.containsKey("spread")
                                ? List.of(field(fields, "spread", line).split(",", -1)).stream()
                                        .map(Spread::parse)
                                        .toList()
                                : List.of()));
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

    private static List<Integer> integers(Map<String, String> fields, String name, String line) {
        return fields.containsKey(name)
                ? numbers(fields, name, line).stream().map(Math::toIntExact).toList()
                : List.of();
    }

    private static String text(List<? extends Number> numbers) {
        return numbers.stream().map(String::valueOf).collect(Collectors.joining(","));
    }

    private static long[] array(List<Long> numbers) {
        return numbers.stream().mapToLong(Long::longValue).toArray();
    }
}
