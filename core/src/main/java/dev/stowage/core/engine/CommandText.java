package dev.stowage.core.engine;

import dev.stowage.core.engine.Command.Kind;
import dev.stowage.core.model.Constraints;
import dev.stowage.core.model.Labels;
import dev.stowage.core.model.Spread;
import dev.stowage.core.policy.PolicySpec;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** The text form of commands: a line of words {@code name=value}; each member of a gang follows a {@code +}. */
final class CommandText {
    private static final String NEXT_MEMBER = "+";

    private CommandText() {}

    static String of(Command command) {
        StringBuilder line =
                new StringBuilder(command.kind().text).append(" at=").append(command.at());
        long subject = command.subject();
        List<Long> amounts = command.amounts();
        switch (command.kind()) {
            case ARRIVE -> line.append(" id=").append(subject).append(" type=").append(command.type());
            case ARRIVE_WITH, ADOPT -> {
                appendRequest(line, command);
                if (command.kind() == Kind.ADOPT) {
                    line.append(" server=").append(command.server());
                    appendIfAny(line, " devices=", devices(command.devices()));
                }
            }
            case GANG -> {
                for (Command member : command.members()) {
                    line.append(' ').append(NEXT_MEMBER);
                    appendRequest(line, member);
                }
            }
            case LEAVE, LEAVE_TOGETHER, STARTED, START_FAILED, STOP, STOPPED, EVICT ->
                line.append(" id=").append(subject);
            case TICK, ROUND -> {}
            case RENEW_LEASES -> line.append(" from=").append(amounts.get(0));
            case ADD_SERVER -> {
                line.append(" site=").append(subject).append(" capacity=").append(text(amounts));
                appendIfAny(line, " name=", command.name());
                appendIfAny(line, " labels=", command.labels().toString());
            }
            case RESIZE -> {
                line.append(" server=").append(subject).append(" capacity=").append(text(amounts));
                appendIfAny(line, " devices=", devices(command.devices()));
            }
            case LABEL ->
                line.append(" server=").append(subject).append(" labels=").append(command.labels());
            case ADD_SITE -> line.append(" pooled=").append(text(command.pooled()));
            case DRAIN, RETURN, REMOVE, LOSE -> line.append(" server=").append(subject);
            case DRAIN_MOVING ->
                line.append(" server=").append(subject).append(" gap=").append(amounts.get(0));
            case HEARTBEAT ->
                line.append(" server=")
                        .append(subject)
                        .append(" incarnation=")
                        .append(amounts.get(0))
                        .append(" lease=")
                        .append(amounts.get(1))
                        .append(" grace=")
                        .append(amounts.get(2));
            case REPORT ->
                line.append(" server=")
                        .append(subject)
                        .append(" incarnation=")
                        .append(amounts.get(0))
                        .append(" ids=")
                        .append(text(amounts.subList(1, amounts.size())));
            case SET_POLICY -> {
                line.append(" policy=").append(command.policy().name());
                command.policy()
                        .parameters()
                        .forEach((name, value) ->
                                line.append(" -").append(name).append('=').append(value));
            }
        }
        return line.toString();
    }

    private static void appendRequest(StringBuilder line, Command request) {
        Constraints constraints = request.constraints();
        line.append(" id=").append(request.subject()).append(" type=").append(request.type());
        line.append(" demand=")
                .append(text(request.amounts()))
                .append(" pooled=")
                .append(text(request.pooled()));
        line.append(" reward=").append(request.rewardMicros());
        appendIfAny(line, " sites=", text(constraints.sites()));
        appendIfAny(line, " require=", constraints.termsText());
        appendIfAny(line, " avoid=", text(constraints.avoid()));
        appendIfAny(
                line,
                " spread=",
                constraints.spread().stream().map(Spread::toString).collect(Collectors.joining(",")));
        appendIfAny(line, " penalty=", constraints.penalty());
        appendIfAny(line, " priority=", request.priority() == 0 ? "" : Integer.toString(request.priority()));
        appendIfAny(line, " agent=", request.agent() ? "yes" : "");
        appendIfAny(line, " expected=", request.expectedNanos() == 0 ? "" : Long.toString(request.expectedNanos()));
    }

    private static void appendIfAny(StringBuilder line, String name, String value) {
        if (!value.isEmpty()) {
            line.append(name).append(value);
        }
    }

    static Command parse(String line) {
        List<String> words = List.of(line.strip().split("\\s+", -1));
        int members = words.indexOf(NEXT_MEMBER);
        Map<String, String> fields = fields(words.subList(1, members < 0 ? words.size() : members), line);
        Kind kind = Kind.of(words.get(0));
        long at = number(fields, "at", line);
        return switch (kind) {
            case ARRIVE -> Command.arrive(at, number(fields, "id", line), (int) number(fields, "type", line));
            case ARRIVE_WITH -> request(at, fields, line);
            case ADOPT ->
                request(at, fields, line)
                        .adoptedOn((int) number(fields, "server", line))
                        .onDevices(devices(fields, line));
            case GANG ->
                Command.gang(at, members < 0 ? List.of() : members(at, words.subList(members, words.size()), line));
            case LEAVE, LEAVE_TOGETHER, STARTED, START_FAILED, STOP, STOPPED, EVICT ->
                Command.plain(kind, at, number(fields, "id", line));
            case TICK, ROUND -> Command.plain(kind, at, -1);
            case RENEW_LEASES -> Command.renewLeases(at, number(fields, "from", line));
            case ADD_SERVER ->
                Command.addServer(at, (int) number(fields, "site", line), numbers(fields, "capacity", line))
                        .named(fields.getOrDefault("name", ""), Labels.parse(fields.getOrDefault("labels", "")));
            case RESIZE ->
                Command.resize(at, number(fields, "server", line), numbers(fields, "capacity", line))
                        .onDevices(devices(fields, line));
            case LABEL ->
                Command.label(at, number(fields, "server", line), Labels.parse(field(fields, "labels", line)));
            case ADD_SITE -> Command.addSite(at, numbers(fields, "pooled", line));
            case DRAIN, RETURN, REMOVE, LOSE -> Command.plain(kind, at, number(fields, "server", line));
            case DRAIN_MOVING -> Command.drain(at, number(fields, "server", line), number(fields, "gap", line));
            case HEARTBEAT ->
                Command.heartbeat(
                        at,
                        number(fields, "server", line),
                        number(fields, "incarnation", line),
                        number(fields, "lease", line),
                        number(fields, "grace", line));
            case REPORT ->
                Command.report(
                        at,
                        number(fields, "server", line),
                        number(fields, "incarnation", line),
                        numbers(fields, "ids", line));
            case SET_POLICY -> Command.setPolicy(at, PolicySpec.of(field(fields, "policy", line), parameters(fields)));
        };
    }

    private static Command request(long at, Map<String, String> fields, String line) {
        return Command.arriveWith(
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
                                : List.of(),
                        fields.getOrDefault("penalty", "")))
                .withTraits(
                        fields.containsKey("priority") ? Math.toIntExact(number(fields, "priority", line)) : 0,
                        agent(fields, line),
                        fields.containsKey("expected") ? number(fields, "expected", line) : 0);
    }

    private static boolean agent(Map<String, String> fields, String line) {
        String value = fields.getOrDefault("agent", "no");
        if (!value.equals("yes") && !value.equals("no")) {
            throw new IllegalArgumentException("agent=" + value + " in '" + line + "' is neither yes nor no");
        }
        return value.equals("yes");
    }

    /** Each begins with {@link #NEXT_MEMBER}. */
    private static List<Command> members(long at, List<String> words, String line) {
        List<Command> members = new ArrayList<>();
        for (int from = 0; from < words.size(); ) {
            int more = words.subList(from + 1, words.size()).indexOf(NEXT_MEMBER);
            int to = more < 0 ? words.size() : from + 1 + more;
            members.add(request(at, fields(words.subList(from + 1, to), line), line));
            from = to;
        }
        return members;
    }

    private static Map<String, String> fields(List<String> words, String line) {
        Map<String, String> fields = new LinkedHashMap<>();
        for (String word : words) {
            int equals = word.indexOf('=');
            if (equals < 0) {
                throw new IllegalArgumentException("'" + word + "' in '" + line + "' is not name=value");
            }
            fields.put(word.substring(0, equals), word.substring(equals + 1));
        }
        return fields;
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

    private static String devices(long bits) {
        return IntStream.range(0, Long.SIZE)
                .filter(device -> (bits >>> device & 1) != 0)
                .mapToObj(Integer::toString)
                .collect(Collectors.joining(","));
    }

    private static long devices(Map<String, String> fields, String line) {
        long bits = 0;
        for (int device : integers(fields, "devices", line)) {
            if (device < 0 || device >= Long.SIZE) {
                throw new IllegalArgumentException("device " + device + " in '" + line + "' is not one of 0..63");
            }
            bits |= 1L << device;
        }
        return bits;
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
}
