package dev.stowage.cli.size;

import dev.stowage.cli.answer.AnswerParts;
import dev.stowage.cli.text.Columns;
import dev.stowage.cli.text.Console;
import dev.stowage.core.model.ResourceWords;
import dev.stowage.core.model.ServerBlock;
import dev.stowage.sim.experiment.Experiment;
import dev.stowage.sim.experiment.SizeQuestion;
import dev.stowage.sim.workload.Workload;
import dev.stowage.study.buy.Offers;
import dev.stowage.study.size.InventoryFit;
import dev.stowage.study.size.SizeWords;
import dev.stowage.study.size.SizedRuns;
import dev.stowage.study.size.Sizing;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;
import org.jspecify.annotations.Nullable;

/** The answer as tables and sentences. */
final class SizeText {
    private static final int MONTHS = 12;
    private static final double PERCENT = 100;
    /** A larger part is shown as all of it. */
    private static final double MOST_PART = .995;

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
    private final InventoryText text;

    SizeText(
            Console console,
            Experiment point,
            SizeQuestion question,
            Sizing sizing,
            RealHosts hosts,
            boolean kindsAlone) {
        this.hosts = hosts;
        kinds = new KindsText(point, hosts, kindsAlone);
        text = new InventoryText(point, question, sizing, hosts, kinds);
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
            header.addAll(List.of("server-hours", "idle"));
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
            all.forEach(one -> answer.firstOfPage(number(one)));
            answer.firstOfPage(inventory(point).strip());
        } else {
            answer.firstOfPage(answer(all));
        }
        if (inventory && all.size() == 1) {
            onConsole(answer, number(all.get(0)) + " " + inventory(point).strip());
        } else {
            onConsole(answer, subject(inventory) + question.phrase() + ":");
            answer.gap();
            answer.table(columns);
            answer.say(bound(hours, cost));
            answer.say(stranded(all));
        }
        if (inventory) {
            answer.say(kinds.more(
                    all.get(0).kinds(),
                    all.get(0).sites(),
                    all.get(0).alone(),
                    sizing.listed() > kinds.present(),
                    sizing.least().get(0) > kinds.present()));
        }
        answer.say(HindsightText.of(all, inventory, hosts));
        if (inventory) {
            answer.sayOfAll(text.use(all.get(0)));
            answer.sayOfAll(text.loss(all.get(0)));
            answer.sayOfAll(text.nowAlone(all.get(0)));
            answer.say(text.fewer(all.get(0).byReplication().get(0), all.get(0).fewer()));
            if (!all.get(0).stopsWithout().isEmpty()) {
                answer.sayOfAll(text.sites(all.get(0)));
                answer.sayOfAll(text.now(all.get(0)));
            }
        }
        if (shown) {
            answer.say(shown(all));
        }
        resampled(all, answer);
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

    /**
     * {@code Needed: 5 servers (3 are there) for all of it to run, with best-fit. No policy needs fewer than 4, proven;
     * it is decided by memory.}
     */
    private String number(SizeOverview.Sized one) {
        String servers = one.servers() == null ? "" : SizeOverview.text(one.servers());
        String least = SizeOverview.text(one.bound());
        return (one.servers() == null
                        ? "Needed: unknown. No number of" + kinds.asked(0) + " that was tried is enough"
                        : "Needed: " + servers
                                + kinds.asked(Math.round(one.servers().mean())))
                + " for " + question.phrase()
                + (sizing.hasPlan() ? moved(one) : ", with " + one.policy())
                + ". "
                + binding()
                        .replaceFirst(
                                "^Least: if (.*?) no fewer are enough(.*?), proven",
                                "Proven: if $1 no fewer" + (servers.equals(least) ? "" : " than " + least)
                                        + " are enough$2")
                        .replaceFirst(
                                "^Least: no (policy.*?) needs fewer",
                                one.bound().mean() >= Integer.MAX_VALUE
                                        ? "No $1 can do with any number"
                                        : "No $1 needs fewer" + (servers.equals(least) ? "" : " than " + least));
    }

    /** A time from now in a table, {@code 1 y 3 mo}. */
    static String in(double years) {
        return years == 0 ? "today" : time(years, " y", " y", " mo", " mo");
    }

    /** The same in a sentence, {@code 1 year 3 months}. */
    static String inWords(double years) {
        return years == 0 ? "today" : time(years, " year", " years", " month", " months");
    }

    private static String time(double years, String year, String more, String month, String months) {
        long whole = (long) years;
        long rest = Math.round((years - whole) * MONTHS);
        return (whole == 0 ? "" : whole + (whole == 1 ? year : more))
                + (whole > 0 && rest > 0 ? " " : "")
                + (rest == 0 ? "" : rest + (rest == 1 ? month : months));
    }

    /** {@code today} or {@code within 1 year 3 months}. */
    static String within(double years) {
        return (years == 0 ? "" : "within ") + inWords(years);
    }

    /** Says for a table of several answers when the first servers must be bought: the first of these, if any. */
    static void firstNeeded(AnswerParts answer, DoubleStream years) {
        OptionalDouble first = years.findFirst();
        answer.sum("first needed by", first.isPresent() ? in(first.getAsDouble()) : "-");
        answer.firstNeeded(first);
    }

    /** What decides a bound, for a table: words also where no single resource does, if it is known. */
    static String decidedBy(String what, boolean known) {
        return !what.isEmpty() ? what : known ? "what must be added" : "-";
    }

    /** What a list of what runs now is taken for; empty for a trace. */
    static String inventory(Experiment point) {
        return point.workload().isInventory() ? "An inventory: all of it runs now and does not end. " : "";
    }

    /** Whether that takes moves, and what best fit needs, which moves nothing. */
    private String moved(SizeOverview.Sized one) {
        if (one.byReplication().get(0).equals(one.unmoved())) {
            return ". Best fit places it anew, wherever it runs today"
                    + (InventoryText.loses(question)
                            ? "; after a loss only what ran on the lost servers is restarted"
                            : ", and moves nothing later");
        }
        return ", wherever it runs today" + InventoryText.ifMoved(question)
                + (one.unmoved() == null || one.unmoved() == 0
                        ? ""
                        : "; " + number(one.unmoved()) + " with best fit, which moves nothing");
    }

    /** The number that {@link SizeOverview#range} shows; NaN if it shows none, or several. */
    static double single(List<Long> numbers) {
        long first = numbers.get(0);
        return first > 0 && first < Integer.MAX_VALUE && numbers.stream().allMatch(each -> each == first)
                ? first
                : Double.NaN;
    }

    static String number(long servers) {
        return String.format(Locale.ROOT, "%,d", servers);
    }

    /** Hours in use as a percentage of the least; empty if nothing has to be held. */
    static String hours(SizedRuns.@Nullable Hours hours) {
        return hours == null || hours.least() == 0
                ? "-"
                : String.format(Locale.ROOT, "%.1f %% of least", PERCENT * hours.occupied() / hours.least());
    }

    private String bound(boolean hours, boolean cost) {
        return binding()
                + (hours
                        ? " Server-hours: those in use, of the least that can hold all requests if each"
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
        if (sizing.least().get(0) == 0) {
            String why = sizing.obstacle();
            return "Least: no bound is known for such a target" + (why.isEmpty() ? "." : ": " + why + ".");
        }
        long there = Offers.blocks(point).stream().mapToLong(ServerBlock::count).sum();
        long least = sizing.least().get(0);
        String which;
        boolean anySite = sizing.isOneKind() && sizing.mayLoseSites() && least > there && least < Integer.MAX_VALUE;
        if (sizing.isOneKind()) {
            which = sizing.mayLoseSites() && least <= there && !isEven() ? " of those that are there" : "";
        } else if (sizing.listed() > there) {
            which = " of these kinds, if all that is there stays";
        } else {
            which = least <= there && point.workload().isInventory()
                    ? " of those that are there"
                    : " of this list, repeated with the largest first";
        }
        return (sizing.isBoundOfAll()
                        ? "Least: "
                                + (anySite
                                        ? "if the servers that are there stay, no fewer are enough, however they are"
                                                + " divided over the sites"
                                        : "no policy needs fewer" + which)
                                + ", proven"
                                + (point.workload().isConstrained()
                                        ? " without regard to who may run where, except for spread"
                                        : "")
                        : "Least: no policy that decides immediately needs fewer")
                + (sizing.decides().isEmpty()
                        ? ""
                        : (sizing.isGiven() ? "; it is decided by " : "; in the first replication it is decided by ")
                                + sizing.decides())
                + "." + binds();
    }

    /** Whether all sites have as many servers. */
    private boolean isEven() {
        return point.cluster().sites().stream()
                        .map(site -> site.servers().stream()
                                .mapToInt(ServerBlock::count)
                                .sum())
                        .distinct()
                        .count()
                == 1;
    }

    /** {@code  Of all CPU asked for, db asks for 36 %.} Empty where one type asks for all of it, or none is known. */
    private String binds() {
        Sizing.Binding binds = sizing.binds();
        return binds == null || PERCENT * binds.part() < 1 || binds.part() > MOST_PART
                ? ""
                : String.format(
                        Locale.ROOT,
                        " Of all %s asked for%s, %s asks for %.0f %%.",
                        ResourceWords.resource(binds.resource()),
                        point.workload().isInventory() ? "" : " then",
                        binds.type(),
                        PERCENT * binds.part());
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

    /** What traces need that are drawn from one. */
    private static void resampled(List<SizeOverview.Sized> all, AnswerParts answer) {
        if (all.stream().allMatch(one -> one.resampled() == null)) {
            return;
        }
        Columns columns = new Columns("policy", "servers", "mean", "too few", "enough", "bound for any policy");
        int traces = 0;
        for (SizeOverview.Sized one : all) {
            SizeOverview.Resampled drawn = one.resampled();
            if (drawn == null) {
                continue;
            }
            traces = drawn.byReplication().size();
            Sizing.Shown shown = drawn.shown();
            columns.row(
                    one.policy(),
                    SizeOverview.range(drawn.byReplication()),
                    drawn.servers() == null ? "-" : SizeOverview.text(drawn.servers()),
                    shown == null ? "-" : number(shown.fails()),
                    shown == null || shown.holds() == 0 ? "-" : number(shown.holds()),
                    SizeOverview.range(drawn.boundBy()));
        }
        answer.heading("The trace as one sample of many");
        answer.say(traces + " traces of randomly drawn blocks of it need:");
        answer.gap();
        answer.table(columns);
        answer.say("Only the choice of blocks is random; blocks are assumed to be alike and independent. None is busier"
                + " than those of this trace, but a real period as long has a busier one with a probability of one"
                + " half.");
    }

    /** Types and how many of each. */
    private static String types(Map<String, Integer> byType) {
        List<String> parts = new ArrayList<>();
        byType.forEach((type, count) -> parts.add(count + " x " + type));
        return String.join(", ", parts);
    }

    private void deciding(SizeOverview.Sized one, AnswerParts answer) {
        if (one.deciding().isEmpty()) {
            return;
        }
        Columns columns = new Columns("minute", "misses", "types");
        for (SizedRuns.Deciding each : one.deciding()) {
            columns.row(minute(point, each.minute()), Integer.toString(each.misses()), types(each.byType()));
        }
        answer.heading("Deciding minutes");
        answer.say(one.policy() + ", first replication, with one server less: the requests that miss the target arrive"
                + " at");
        answer.gap();
        answer.table(columns);
    }
}
