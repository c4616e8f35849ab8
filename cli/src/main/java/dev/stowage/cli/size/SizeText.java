package dev.stowage.cli.size;

import dev.stowage.cli.answer.AnswerParts;
import dev.stowage.cli.text.Columns;
import dev.stowage.cli.text.Console;
import dev.stowage.core.model.Resource;
import dev.stowage.core.model.ResourceWords;
import dev.stowage.core.model.ServerBlock;
import dev.stowage.report.AnswerPage;
import dev.stowage.sim.experiment.Experiment;
import dev.stowage.sim.experiment.SizeQuestion;
import dev.stowage.sim.workload.RequestStream;
import dev.stowage.sim.workload.Workload;
import dev.stowage.study.buy.Offers;
import dev.stowage.study.size.InventoryFit;
import dev.stowage.study.size.SizeWords;
import dev.stowage.study.size.SizedRuns;
import dev.stowage.study.size.Sizing;
import dev.stowage.study.size.Unfit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The answer as tables and sentences. */
final class SizeText {
    private static final int MONTHS = 12;
    private static final double PERCENT = 100;
    private static final int FEW = 3;
    private static final int MINUTES_PER_HOUR = 60;
    private static final long MINUTE_NANOS = 60_000_000_000L;

    /** Of two that are drawn alike, each needs more with the same probability. */
    private static final String ONE_TRACE =
            "With a probability of one half, another period of the same length and kind needs no more"
                    + " than this trace; --resample 20 shows how much depends on which of its days come.";

    private final Console console;
    private final Experiment point;
    private final SizeQuestion question;
    private final Sizing sizing;
    private final RealHosts hosts;
    private final KindsText kinds;

    SizeText(
            Console console,
            Experiment point,
            SizeQuestion question,
            Sizing sizing,
            RealHosts hosts,
            boolean kindsAlone) {
        this.hosts = hosts;
        kinds = new KindsText(point, hosts, kindsAlone);
        this.console = console;
        this.point = point;
        this.question = question;
        this.sizing = sizing;
    }

    void into(AnswerParts answer, List<SizeOverview.Sized> all) {
        String hopeless = sizing.hopeless();
        if (!hopeless.isEmpty()) {
            answer.first(hopeless);
            answer.say("Asked: " + subject(point.workload().isInventory()) + question.phrase() + ".");
            return;
        }
        boolean shown = all.stream().anyMatch(one -> one.shown() != null);
        boolean inventory = point.workload().isInventory();
        boolean hours = !inventory && all.stream().anyMatch(one -> one.hours() != null);
        boolean several = all.get(0).byReplication().size() > 1;
        List<String> header = new ArrayList<>(List.of("policy", "servers"));
        if (several) {
            header.add("mean");
        }
        if (shown) {
            header.addAll(List.of("too few", "enough"));
        }
        header.addAll(List.of("least", "above it"));
        if (hours) {
            header.addAll(List.of("hours", "idle"));
        }
        boolean cost = hours
                && all.stream()
                        .anyMatch(one -> one.hours() != null && one.hours().cost() > 0);
        if (cost) {
            header.add("cost");
        }
        Columns columns = new Columns(header);
        for (SizeOverview.Sized one : all) {
            List<String> row = new ArrayList<>();
            row.add(one.policy());
            row.add(SizeOverview.range(one.byReplication()));
            if (several) {
                row.add(one.servers() == null ? "-" : SizeOverview.text(one.servers()));
            }
            if (shown) {
                row.add(one.shown() == null ? "-" : number(one.shown().fails()));
                row.add(
                        one.shown() == null || one.shown().holds() == 0
                                ? "-"
                                : number(one.shown().holds()));
            }
            row.add(SizeOverview.range(one.boundBy()));
            row.add(SizeOverview.above(one));
            if (hours) {
                row.add(hours(one.hours()));
                row.add(
                        one.hours() == null
                                ? "-"
                                : number(Math.round(one.hours().idleServers())));
            }
            if (cost) {
                row.add(
                        one.hours() == null
                                ? "-"
                                : String.format(Locale.ROOT, "%.4g", one.hours().cost()));
            }
            columns.row(row);
        }
        if (inventory) {
            all.forEach(one -> answer.firstOfPage(
                    inventory(point) + "Servers needed for " + question.phrase() + ": " + number(one)));
        } else {
            answer.firstOfPage(answer(all));
        }
        onConsole(answer, subject(inventory) + question.phrase() + ":");
        answer.gap();
        if (inventory && all.size() == 1) {
            onConsole(answer, number(all.get(0)));
        } else {
            answer.table(columns);
            answer.say(bound(hours, cost));
            answer.say(stranded(all));
        }
        if (inventory) {
            answer.say(kinds.more(
                    all.get(0).kinds(), all.get(0).sites(), all.get(0).alone()));
        }
        answer.say(HindsightText.of(all, inventory, hosts));
        if (inventory) {
            answer.say(use(all.get(0)));
            answer.say(loss(all.get(0)));
            answer.say(fewer(all.get(0)));
            if (!all.get(0).stopsWithout().isEmpty()) {
                answer.say(sites(all.get(0)));
            }
        }
        if (shown) {
            answer.say(shown(all));
        }
        ResampledText.into(all, answer);
        if (!inventory) {
            String next = SizeOverview.next(all, sizing.isGiven());
            onConsole(answer, next.isEmpty() && sizing.isGiven() ? ONE_TRACE : next);
        }
        all.forEach(one -> deciding(one, answer));
    }

    /** What the first sentence of the page says, too. */
    private void onConsole(AnswerParts answer, String text) {
        answer.onConsole(console.wrapped("", text));
    }

    /** What each policy needs, and what is proven. */
    private String answer(List<SizeOverview.Sized> all) {
        boolean several = all.get(0).byReplication().size() > 1;
        List<String> parts = new ArrayList<>();
        for (SizeOverview.Sized one : all) {
            parts.add(one.policy()
                    + (one.servers() == null
                            ? ": no number that was tried"
                            : (several ? " needed " : " needs ") + SizeOverview.range(one.byReplication())));
        }
        String bound = SizeOverview.range(all.get(0).boundBy());
        String next = SizeOverview.next(all, sizing.isGiven());
        return "Servers needed for " + question.phrase() + ": " + String.join(", ", parts)
                + (bound.equals("-")
                        ? "; no bound is known. "
                        : (several ? "; proven for each run, no policy" : "; no policy")
                                + (sizing.isBoundOfAll() ? "" : " that decides immediately")
                                + " needs fewer than " + bound + ". ")
                + (next.isEmpty() && sizing.isGiven() ? ONE_TRACE : next);
    }

    /** {@code : first-fit} in headings; empty for a plan. */
    static String under(String policy) {
        return policy.equals(InventoryFit.PLAN) ? "" : ": " + policy;
    }

    /** What is asked, and of which servers. */
    private String subject(boolean inventory) {
        return (inventory ? inventory(point) : "") + kinds.asked() + " needed for ";
    }

    /** {@code 5, with best-fit. No policy needs fewer than 4, proven; it is decided by memory.} */
    private String number(SizeOverview.Sized one) {
        String servers = one.servers() == null ? "No number that was tried" : SizeOverview.text(one.servers());
        String least = SizeOverview.text(one.bound());
        return servers
                + (sizing.hasPlan() ? moved(one) : ", with " + one.policy())
                + ". "
                + binding()
                        .replaceFirst(
                                "^Least: no (policy.*?) needs fewer",
                                one.bound().mean() >= Integer.MAX_VALUE
                                        ? "No $1 can do with any number"
                                        : "No $1 needs fewer" + (servers.equals(least) ? "" : " than " + least));
    }

    /** A time from now in a table, {@code 1 y 3 mo}. */
    static String in(double years) {
        return years == 0 ? "today" : time(years, " y", " y", " mo");
    }

    /** The same in a sentence, {@code 1 year 3 months}. */
    static String inWords(double years) {
        return years == 0 ? "today" : time(years, " year", " years", " months");
    }

    /** Of quarters of a year, so that there is no single month. */
    private static String time(double years, String year, String more, String months) {
        long whole = (long) years;
        long rest = Math.round((years - whole) * MONTHS);
        return (whole == 0 ? "" : whole + (whole == 1 ? year : more))
                + (whole > 0 && rest > 0 ? " " : "")
                + (rest == 0 ? "" : rest + months);
    }

    /** What a list of what runs now is taken for; empty for a trace. */
    static String inventory(Experiment point) {
        return point.workload().isInventory() ? "An inventory: all of it runs now and does not end. " : "";
    }

    /** What all of it that fits a server takes of the servers of the answer, by resource. */
    private String use(SizeOverview.Sized one) {
        long servers = one.byReplication().get(0);
        return servers == 0
                ? ""
                : (servers == 1 ? "On this server" : "On these " + number(servers)) + kinds(one) + " the requests use "
                        + use(servers).stream()
                                .map(row -> row.get(1) + " of " + row.get(2) + " (" + row.get(3) + ")")
                                .collect(Collectors.joining(", "))
                        + "."
                        + kinds.cost(one.kinds())
                        + kinds.bySite(one.sites());
    }

    /** {@code  (2 x 64 vCPU, 1 TiB + 1 x 32 vCPU, 512 GiB)}; empty where they are all alike. */
    private String kinds(SizeOverview.Sized one) {
        return sizing.isOneKind() ? "" : " (" + hosts.of(one.kinds()) + ")";
    }

    /** The same as a table; how many servers a resource alone takes is known where all are of one kind. */
    AnswerPage.CellRows used(long servers) {
        List<String> header = List.of("resource", "in use", "of", "fraction", "servers for this alone, none to spare");
        int columns = SizeWords.kinds(point).stream().distinct().count() == 1 ? header.size() : header.size() - 1;
        return new AnswerPage.CellRows(
                header.subList(0, columns),
                use(servers).stream().map(row -> row.subList(0, columns)).toList());
    }

    /** The same with its parts: resource, taken, of all, as a part, servers that hold that much of it. */
    private List<List<String>> use(long servers) {
        long[] sum = new long[point.workload().resources().size()];
        RequestStream stream = Unfit.of(point).without().workload().open(0);
        while (stream.next()) {
            for (int r = 0; r < sum.length; r++) {
                sum[r] += stream.demand(r);
            }
        }
        List<List<String>> rows = new ArrayList<>();
        double[] there = sizing.capacity(servers);
        List<Resource> resources = point.cluster().resources();
        for (int r = 0; r < there.length; r++) {
            String name = resources.get(r).name();
            int of = point.workload().resources().indexOf(name);
            if (of >= 0 && there[r] > 0) {
                rows.add(List.of(
                        ResourceWords.resource(name),
                        ResourceWords.amount(name, sum[of]),
                        ResourceWords.amount(name, (long) there[r]),
                        String.format(Locale.ROOT, "%.0f %%", PERCENT * sum[of] / there[r]),
                        number(sizing.servers(r, (double) sum[of]))));
            }
        }
        return rows;
    }

    /** Whether that takes moves, and what best fit needs, which moves nothing. */
    private String moved(SizeOverview.Sized one) {
        if (one.byReplication().get(0).equals(one.unmoved())) {
            return ", without moving anything";
        }
        return ", if everything may be moved"
                + (question.spareServers() > 0 || question.spareSite() ? ", also after a loss" : "")
                + (one.unmoved() == null || one.unmoved() == 0
                        ? ""
                        : "; " + number(one.unmoved()) + " with best fit, which moves nothing");
    }

    /** What stops if one more server fails than the answer bears. */
    private String loss(SizeOverview.Sized one) {
        if (one.servers() == null) {
            return "";
        }
        int lost = question.spareServers() + 1;
        long servers = Math.round(one.servers().mean());
        String fail = lost == 1 ? "If one of them fails" : "If " + lost + " of them fail at the same time";
        if (servers <= lost) {
            return fail + ", nothing is left.";
        }
        Map<String, Integer> stops = one.stops();
        long all = sum(stops);
        return stops.isEmpty()
                ? fail + ", all of it runs on the others."
                : fail + ", " + number(all) + noPlace(all) + " on the others: " + few(stops) + "."
                        + (question.spareServers() == 0 ? " --spare 1 shows how many servers tolerate it." : "");
    }

    /** What stops if all of a site fails, for each. */
    private static String sites(SizeOverview.Sized one) {
        return one.stopsWithout().entrySet().stream()
                .map(each -> "all of " + each.getKey() + " fails, "
                        + (each.getValue().isEmpty()
                                ? "all of it runs on the others"
                                : number(sum(each.getValue())) + noPlace(sum(each.getValue())) + " ("
                                        + few(each.getValue()) + ")"))
                .collect(Collectors.joining("; if ", "If ", "."));
    }

    private static long sum(Map<String, Integer> byType) {
        return byType.values().stream().mapToLong(Integer::intValue).sum();
    }

    private static String noPlace(long all) {
        return all == 1 ? " request finds no place" : " requests find no place";
    }

    static String few(Map<String, Integer> byType) {
        List<String> parts = byType.entrySet().stream()
                .sorted(Map.Entry.<String, Integer>comparingByValue().reversed())
                .map(each -> each.getValue() + " x " + each.getKey())
                .toList();
        return parts.isEmpty()
                ? "-"
                : String.join(", ", parts.subList(0, Math.min(FEW, parts.size())))
                        + (parts.size() <= FEW
                                ? ""
                                : ", and " + (parts.size() - FEW)
                                        + (parts.size() == FEW + 1 ? " other kind" : " other kinds"));
    }

    static String number(long servers) {
        return String.format(Locale.ROOT, "%,d", servers);
    }

    /** Hours in use as a percentage of the least; empty if nothing has to be held. */
    static String hours(SizedRuns.@Nullable Hours hours) {
        return hours == null || hours.least() == 0
                ? "-"
                : String.format(Locale.ROOT, "%.1f %%", PERCENT * hours.occupied() / hours.least());
    }

    private String bound(boolean hours, boolean cost) {
        return binding()
                + (hours
                        ? " Hours: server-hours in use, relative to the fewest that can hold all requests if each"
                                + " starts immediately. Idle: servers that are empty for at least an hour at a stretch, on average; they"
                                + " could be switched off."
                                + (cost ? " Cost: what the servers in use cost by their prices, on average." : "")
                        : "");
    }

    /** What each policy leaves unusable; empty where that is not known. */
    private static String stranded(List<SizeOverview.Sized> all) {
        List<String> parts = new ArrayList<>();
        for (SizeOverview.Sized one : all) {
            if (one.hours() != null && !one.hours().stranded().isEmpty()) {
                parts.add(one.policy() + " "
                        + one.hours().stranded().entrySet().stream()
                                .map(each -> String.format(
                                        Locale.ROOT,
                                        "%.1f %% of the %s",
                                        PERCENT * each.getValue(),
                                        ResourceWords.resource(each.getKey())))
                                .collect(Collectors.joining(", ")));
            }
        }
        return parts.isEmpty()
                ? ""
                : "Stranded, that is free but of no use to the median request, on average: " + String.join("; ", parts)
                        + ".";
    }

    /** What the bound says, and what decides it. */
    private String binding() {
        if (sizing.decides().isEmpty()) {
            String why = sizing.obstacle();
            return "Least: no bound is known for such a target" + (why.isEmpty() ? "." : ": " + why + ".");
        }
        long there = Offers.blocks(point).stream().mapToLong(ServerBlock::count).sum();
        String which = sizing.mayLoseSites()
                ? " of these kinds, in the order of their list, if each site has its share of them"
                        + (sizing.isOneKind() ? "" : " (other mixes may need fewer)")
                : sizing.isOneKind()
                        ? ""
                        : sizing.listed() > there
                                ? " of those that are there and were added"
                                : sizing.least().get(0) <= there
                                                && point.workload().isInventory()
                                        ? " of those that are there"
                                        : " of this list, repeated with the largest first";
        return (sizing.isBoundOfAll()
                        ? "Least: no policy needs fewer" + which + ", proven"
                                + (point.workload().isConstrained()
                                        ? " without regard to who may run where, except for spread"
                                        : "")
                        : "Least: no policy that decides immediately needs fewer")
                + (sizing.isGiven() ? "; it is decided by " : "; in the first replication it is decided by ")
                + sizing.decides()
                + binds(sizing) + ".";
    }

    /** {@code , where D4 holds 43 % of the cpu_milli}. */
    private static String binds(Sizing sizing) {
        Sizing.Binding binds = sizing.binds();
        return binds == null || PERCENT * binds.part() < 1
                ? ""
                : String.format(
                        Locale.ROOT,
                        ", where %s holds %.0f %% of the %s",
                        binds.type(),
                        PERCENT * binds.part(),
                        ResourceWords.resource(binds.resource()));
    }

    private String shown(List<SizeOverview.Sized> all) {
        int replications = 0;
        int runs = 0;
        for (SizeOverview.Sized one : all) {
            if (one.shown() != null) {
                replications = Math.max(replications, one.shown().replications());
                runs += one.shown().runs();
            }
        }
        return String.format(
                Locale.ROOT,
                "\"Servers\" is what a run like the %d here needs, from its start. Two more numbers are about the mean"
                        + " over all runs, after the warm-up: \"too few\" are shown to miss the target, \"enough\" to meet"
                        + " it, both of a policy with %.0f %% confidence (%,d more runs, at most %d per number).",
                point.replications(),
                PERCENT * point.confidence(),
                runs,
                replications);
    }

    /** When a minute of a run is: a date where that is known. */
    static String minute(Experiment point, long minute) {
        return point.workload().startNanos() == Workload.NO_DATE
                ? String.format(Locale.ROOT, "%d:%02d h", minute / MINUTES_PER_HOUR, minute % MINUTES_PER_HOUR)
                : SizeWords.moment(point.workload(), minute * MINUTE_NANOS);
    }

    /** Of an inventory: what the servers but one have of each resource, and what would not run on them. */
    private String fewer(SizeOverview.Sized one) {
        if (one.fewer().isEmpty()) {
            return "";
        }
        long servers = one.byReplication().get(0) - 1;
        int spare = question.spareServers();
        List<String> parts = new ArrayList<>();
        for (List<String> row : use(servers - spare)) {
            parts.add(row.get(3) + " of the " + row.get(0));
        }
        long all = sum(one.fewer());
        return "Why not " + number(servers) + ": "
                + (spare == 0 ? "" : "with " + spare + " lost, ")
                + "it takes " + String.join(", ", parts) + ", and " + number(all) + noPlace(all) + ": "
                + few(one.fewer()) + ".";
    }

    private void deciding(SizeOverview.Sized one, AnswerParts answer) {
        if (one.deciding().isEmpty()) {
            return;
        }
        Columns columns = new Columns("minute", "misses", "types");
        for (SizedRuns.Deciding each : one.deciding()) {
            columns.row(
                    minute(point, each.minute()), Integer.toString(each.misses()), SizeOverview.types(each.byType()));
        }
        answer.heading("Deciding minutes");
        answer.say(one.policy() + ", first replication, with one server less: the requests that miss the target arrive"
                + " at");
        answer.gap();
        answer.table(columns);
    }
}
