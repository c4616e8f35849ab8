package dev.stowage.cli.size;

import dev.stowage.cli.answer.AnswerParts;
import dev.stowage.cli.answer.CertificateFile;
import dev.stowage.cli.answer.ReportOption;
import dev.stowage.cli.answer.SeveralAnswers;
import dev.stowage.cli.text.Console;
import dev.stowage.cli.text.Data;
import dev.stowage.cli.text.NotEnoughException;
import dev.stowage.cli.text.StatusLine;
import dev.stowage.policies.Policies;
import dev.stowage.report.AnswerPage;
import dev.stowage.report.SizeAnswer;
import dev.stowage.sim.experiment.Experiment;
import dev.stowage.sim.experiment.LabelledPolicy;
import dev.stowage.sim.experiment.SizeQuestion;
import dev.stowage.sim.result.Estimate;
import dev.stowage.sim.result.Remark;
import dev.stowage.study.size.SizedRuns;
import dev.stowage.study.size.Sizing;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.DoubleSummaryStatistics;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Shows how many servers the policies of an experiment need. */
final class SizeOverview {
    /** Begins the titles of pages. */
    static final String TITLE = "How many servers for ";

    private static final int MOST_MINUTES = 10;

    private final Console console;
    private final StatusLine progress;
    private final SizeSettings settings;
    private final RealHosts hosts;
    private final boolean kindsAlone;
    /** Remarks that were made: some are about requests, not about a policy. */
    private final Set<String> said = new HashSet<>();

    SizeOverview(Console console, StatusLine progress, SizeSettings settings, RealHosts hosts, boolean kindsAlone) {
        this.hosts = hosts;
        this.kindsAlone = kindsAlone;
        this.console = console;
        this.progress = progress;
        this.settings = settings;
    }

    /**
     * The output for a policy.
     *
     * @param servers null if no number of servers is enough
     * @param kinds of the first replication: how many of each kind of server, by its capacity in words
     * @param sites the same by site; empty where there is one
     * @param byReplication 0 if none was found
     * @param shown interval of the answer in the mean over all runs; null if not requested
     * @param resampled needs of traces that are resampled from this one; null if there are none
     * @param gap servers above the bound; null if either is unknown
     * @param hindsight servers that suffice if all requests are known, and how many of each kind; null where no such
     *     schedule is sought
     * @param alone of an inventory for which the servers of several kinds that are there are not enough: how many of
     *     each kind alone suffice; 0 if no number was found
     * @param unmoved of a plan: what best fit needs, which moves nothing; 0 if no number was found, or as many of
     *     other kinds; null of a policy
     * @param binds what decides the bound of the first replication; null if that is not a moment
     * @param hours server-hours of the first replication; null if servers are of several kinds
     * @param deciding the minutes that decide; empty if not requested
     * @param stops of an inventory: what cannot run, by type, if one more server is lost than the answer bears, of
     *     those that are there where they are more than the answer has
     * @param stopsWithout the same for each site, if all of it is lost; empty where there is one
     * @param stopsNow the same of those that are there now, where any site may be lost; else empty. By a plan, with the
     *     servers of the others lost that may be
     * @param stopsOfThere where those that are there are too few and no site may be lost: what cannot run on them, by
     *     type, for some numbers of them that are lost; else empty
     * @param fewer of an inventory: what cannot run, by type, with one server less than the answer; empty if not
     *     requested
     */
    record Sized(
            String policy,
            @Nullable Estimate servers,
            Estimate bound,
            Map<String, Long> kinds,
            Map<String, Map<String, Long>> sites,
            List<Long> byReplication,
            List<Long> boundBy,
            Sizing.@Nullable Shown shown,
            @Nullable Resampled resampled,
            @Nullable Double gap,
            Sizing.@Nullable Schedule hindsight,
            Map<String, Long> alone,
            @Nullable Long unmoved,
            Sizing.@Nullable Binding binds,
            SizedRuns.@Nullable Hours hours,
            List<SizedRuns.Deciding> deciding,
            Map<String, Integer> stops,
            Map<String, Map<String, Integer>> stopsWithout,
            Map<String, Map<String, Integer>> stopsNow,
            Map<Integer, Map<String, Integer>> stopsOfThere,
            Map<String, Integer> fewer) {
        private Sized with(Sizing.@Nullable Schedule schedule) {
            return with(schedule, kinds, sites, alone);
        }

        /** With kinds of servers as they are, in place of what counts of them. */
        private Sized as(RealHosts hosts) {
            Map<String, Map<String, Long>> named = new LinkedHashMap<>();
            sites.forEach((site, its) -> named.put(site, hosts.named(its)));
            return with(
                    hindsight == null ? null : new Sizing.Schedule(hindsight.servers(), hosts.named(hindsight.kinds())),
                    hosts.named(kinds),
                    named,
                    hosts.named(alone));
        }

        private Sized with(
                Sizing.@Nullable Schedule schedule,
                Map<String, Long> ofKinds,
                Map<String, Map<String, Long>> ofSites,
                Map<String, Long> ofEachAlone) {
            return new Sized(
                    policy,
                    servers,
                    bound,
                    ofKinds,
                    ofSites,
                    byReplication,
                    boundBy,
                    shown,
                    resampled,
                    gap,
                    schedule,
                    ofEachAlone,
                    unmoved,
                    binds,
                    hours,
                    deciding,
                    stops,
                    stopsWithout,
                    stopsNow,
                    stopsOfThere,
                    fewer);
        }
    }

    /** Needs of traces that are drawn from one, and the bound of any policy for them. */
    record Resampled(
            @Nullable Estimate servers,
            Estimate bound,
            List<Long> byReplication,
            List<Long> boundBy,
            Sizing.@Nullable Shown shown) {}

    void show(AnswerParts answer, Experiment point, SizeQuestion question, List<Remark> warnings) {
        progress.step("bound for any policy");
        Sizing given = new Sizing(point, question, new Policies());
        Sizing sizing = kindsAlone ? given : given.extended();
        @Nullable
        Sizing drawn =
                settings.asked().resample == 0 ? null : new Sizing(settings.resampled(point), question, new Policies());
        // The answer says it.
        said.add(sizing.hopeless());
        List<Sized> sized = new ArrayList<>();
        for (LabelledPolicy policy : point.policies()) {
            sized.add(sized(policy, sizing.point(), question, sizing, drawn, given));
        }
        progress.step("a schedule in hindsight");
        Sizing.Schedule schedule = sizing.hasPlan()
                ? null
                : HindsightText.least(sized).flatMap(sizing::hindsight).orElse(null);
        List<Sized> all = sized.stream().map(one -> one.with(schedule)).toList();
        progress.clear();
        Sized best = all.get(0);
        long now = there(point);
        answer.sum("servers now", SizeText.number(now), now);
        answer.sum("needed", range(best.byReplication()), SizeText.single(best.byReplication()));
        answer.sum(SeveralAnswers.LEAST, range(best.boundBy()), SizeText.single(best.boundBy()));
        answer.sum(
                "decided by",
                SizeText.decidedBy(sizing.decides(), sizing.least().get(0) > 0));
        new SizeText(console, point, question, sizing, hosts, kindsAlone).into(answer, all);
        answer.say(CertificateFile.scope(settings.asked().certificate, point));
        answer.print(
                settings.format(),
                () -> Data.jsonOfServers(all.stream().map(one -> one.as(hosts)).toList(), warnings),
                () -> csv(all));
        if (settings.asked().certificate != null) {
            CertificateFile.write(settings.asked().certificate, point, sizing.certificate(), console);
        }
        draw(
                point,
                question,
                sizing,
                given,
                all,
                answer,
                new InventoryText(point, question, sizing, hosts, new KindsText(point, hosts, kindsAlone)));
        progress.clear();
        settings.report().write(answer, TITLE + point.name(), settings.facts(point, question));
        if (all.stream().allMatch(one -> one.servers() == null)) {
            throw new NotEnoughException(
                    sizing.hopeless().isEmpty()
                            ? "the target is not met by any policy, with any number of servers that was tried"
                            : "some requests fit no server");
        }
    }

    private long there(Experiment point) {
        return new KindsText(point, hosts, kindsAlone).present();
    }

    private static @Nullable Double gap(Sizing.Need need, Sizing sizing) {
        double least = sizing.estimate(sizing.least()).mean();
        return need.known() && least > 0 ? sizing.estimate(need.servers()).mean() - least : null;
    }

    private Sized sized(
            LabelledPolicy policy,
            Experiment point,
            SizeQuestion question,
            Sizing sizing,
            @Nullable Sizing drawn,
            Sizing given) {
        boolean inventory = point.workload().isInventory();
        int spare = question.spareServers();
        progress.step(policy.label() + ": bisection");
        Sizing.Need need = sizing.need(policy.spec());
        progress.clear();
        need.notes().stream().filter(said::add).forEach(note -> console.warn("stowage: " + note));
        Sizing.@Nullable Shown shown = null;
        if (need.known() && settings.asked().runs > 0 && sizing.canShow()) {
            progress.step(policy.label() + ": runs around "
                    + Math.round(sizing.estimate(need.servers()).mean()));
            shown = sizing.shown(policy.spec(), need, settings.asked().runs);
        }
        @Nullable Resampled resampled = null;
        if (drawn != null && need.known()) {
            progress.step(policy.label() + ": " + settings.asked().resample + " traces of blocks");
            Sizing.Need needs = drawn.need(policy.spec());
            resampled = new Resampled(
                    needs.known() ? drawn.estimate(needs.servers()) : null,
                    drawn.estimate(drawn.least()),
                    needs.servers(),
                    drawn.least(),
                    needs.known() && settings.asked().runs > 0 && drawn.canShow()
                            ? drawn.shown(policy.spec(), needs, settings.asked().runs)
                            : null);
        }
        long first = need.servers().get(0);
        boolean explained = settings.asked().explain && first > 0;
        long most = first == 0 ? 0 : Math.max(first, there(given.point()));
        return new Sized(
                policy.label(),
                need.known() ? sizing.estimate(need.servers()) : null,
                sizing.estimate(sizing.least()),
                first == 0 ? Map.of() : sizing.kinds(first),
                first == 0 ? Map.of() : sizing.bySite(first),
                need.servers(),
                sizing.least(),
                shown,
                resampled,
                gap(need, sizing),
                null,
                inventory && (sizing != given || sizing.isOneKind() || first > sizing.listed())
                        ? sizing.alone(policy.spec())
                        : Map.of(),
                sizing.hasPlan() ? unmoved(policy, point, question, sizing, first) : null,
                sizing.binds(),
                first == 0 || sizing.hasPlan() ? null : sizing.runs().hours(policy.spec(), first),
                explained && !inventory ? sizing.runs().deciding(policy.spec(), first, MOST_MINUTES) : List.of(),
                inventory && most > spare + 1 ? sizing.runs().stops(policy.spec(), most, spare + 1) : Map.of(),
                inventory && first > 0 ? sizing.runs().stopsWithout(policy.spec(), first, 0) : Map.of(),
                inventory && sizing.mayLoseSites()
                        ? given.runs().stopsWithout(policy.spec(), given.listed(), given.hasPlan() ? spare : 0)
                        : Map.of(),
                inventory && !sizing.mayLoseSites() && first > there(given.point())
                        ? stopsOfThere(policy, given, there(given.point()), Math.max(1, spare))
                        : Map.of(),
                explained && inventory && first > spare + 1
                        ? sizing.runs().stops(policy.spec(), first - 1, spare)
                        : Map.of());
    }

    /** With none of them lost, and with so many. */
    private static Map<Integer, Map<String, Integer>> stopsOfThere(
            LabelledPolicy policy, Sizing given, long there, int lost) {
        Map<Integer, Map<String, Integer>> stops = new LinkedHashMap<>();
        for (int some : there == 0 ? new int[0] : there > lost ? new int[] {0, lost} : new int[] {0}) {
            stops.put(some, given.runs().stops(policy.spec(), there, some));
        }
        return stops;
    }

    /** What best fit needs, which moves nothing: as many, or, by its own choice of kinds, more. */
    private static long unmoved(
            LabelledPolicy policy, Experiment point, SizeQuestion question, Sizing sizing, long planned) {
        if (question.spareServers() > 1 && !sizing.isOneKind()) {
            // A run loses servers of one kind at a time.
            return 0;
        }
        if (planned > 0 && sizing.holdsUnmoved(policy.spec(), planned)) {
            return planned;
        }
        long own = new Sizing(point, question.movable(false), new Policies())
                .need(policy.spec())
                .servers()
                .get(0);
        // As many of other kinds are no answer to whether these need moves.
        return own > planned ? own : 0;
    }

    private void draw(
            Experiment point,
            SizeQuestion question,
            Sizing sizing,
            Sizing given,
            List<Sized> all,
            AnswerParts answer,
            InventoryText text) {
        boolean inventory = point.workload().isInventory();
        if (settings.report().asked() && inventory) {
            progress.step("report");
            text.onPage(all, given, answer);
        }
        if (settings.asked().picture != null || (settings.report().asked() && !inventory)) {
            progress.step("picture");
            AnswerPage.Chart chart = SizePicture.chart(point, question, sizing, all);
            answer.onPage(chart);
            if (settings.asked().picture != null) {
                progress.clear();
                ReportOption.write(Path.of(settings.asked().picture), chart.svg("size"), console);
            }
        }
        if (settings.report().asked() && !inventory) {
            progress.step("report: the week");
            SizePicture.week(point, sizing, all).ifPresent(answer::onPage);
        }
    }

    private static String csv(List<Sized> all) {
        Data.Csv csv = new Data.Csv("policy", "sample", "replication", "servers", "bound", "above", "fails", "holds");
        for (Sized one : all) {
            rows(csv, one.policy(), "given", one.byReplication(), one.boundBy(), one.shown());
            if (one.resampled() != null) {
                rows(
                        csv,
                        one.policy(),
                        "resampled",
                        one.resampled().byReplication(),
                        List.of(),
                        one.resampled().shown());
            }
        }
        return csv.text();
    }

    private static void rows(
            Data.Csv csv,
            String policy,
            String sample,
            List<Long> servers,
            List<Long> bounds,
            Sizing.@Nullable Shown shown) {
        for (int r = 0; r < servers.size(); r++) {
            csv.row(
                    policy,
                    sample,
                    Integer.toString(r),
                    cell(servers.get(r)),
                    bounds.isEmpty() || bounds.get(r) >= Integer.MAX_VALUE ? "" : Long.toString(bounds.get(r)),
                    bounds.isEmpty() || servers.get(r) == 0 || bounds.get(r) == 0
                            ? ""
                            : Long.toString(servers.get(r) - bounds.get(r)),
                    shown == null ? "" : Long.toString(shown.fails()),
                    shown == null || shown.holds() == 0 ? "" : Long.toString(shown.holds()));
        }
    }

    /** A number of servers in a CSV; empty where none is known or none is enough. */
    static String cell(long servers) {
        return servers == 0 || servers >= Integer.MAX_VALUE ? "" : Long.toString(servers);
    }

    /** A mean with its interval; without one where the runs, whose range stands beside it, are too unlike for it. */
    static String text(Estimate estimate) {
        Double half = estimate.halfWidth();
        return half == null || half > SizeAnswer.SKEWED * estimate.mean()
                ? String.format(Locale.ROOT, half == null ? "%,.0f" : "%,.1f", estimate.mean())
                : String.format(Locale.ROOT, "%,.1f +- %,.1f", estimate.mean(), half);
    }

    /**
     * The least and the greatest by replication: {@code 210 to 292}, of one replication its number; 0 is unknown, and
     * {@link Integer#MAX_VALUE} is the bound where no number is enough.
     */
    static String range(List<Long> numbers) {
        long least = numbers.stream().mapToLong(Long::longValue).min().orElse(0);
        long most = numbers.stream().mapToLong(Long::longValue).max().orElse(0);
        return least == 0 ? "-" : most >= Integer.MAX_VALUE ? "no number" : span(least, most);
    }

    /** The same where 0 is a number. */
    static String span(List<Long> numbers) {
        return span(Collections.min(numbers), Collections.max(numbers));
    }

    private static String span(long least, long most) {
        return least == most
                ? String.format(Locale.ROOT, "%,d", least)
                : String.format(Locale.ROOT, "%,d to %,d", least, most);
    }

    /**
     * What the policy that needs least in the mean needs for the next such period, in the words of {@code run}; empty
     * if the one trace was not resampled.
     */
    static String next(List<Sized> all, boolean given) {
        List<Sized> known = all.stream()
                .filter(one -> one.servers() != null)
                .sorted(Comparator.comparingDouble(
                        one -> Objects.requireNonNull(one.servers()).mean()))
                .toList();
        if (known.isEmpty()) {
            return "";
        }
        Resampled drawn = known.get(0).resampled();
        if (drawn != null) {
            return drawn.servers() == null
                    ? ""
                    : SizeAnswer.another("trace", "traces of its blocks", needed(known, SizeOverview::ofDrawn));
        }
        return known.get(0).byReplication().size() > 1
                ? SizeAnswer.another(
                        given ? SizeAnswer.DRAW : "run", given ? "draws" : "runs", needed(known, Sized::byReplication))
                : "";
    }

    /** What was needed in the traces of blocks; empty where it is not known. */
    private static List<Long> ofDrawn(Sized one) {
        Resampled drawn = one.resampled();
        return drawn == null || drawn.servers() == null ? List.of() : drawn.byReplication();
    }

    private static Map<String, double[]> needed(List<Sized> known, Function<Sized, List<Long>> of) {
        Map<String, double[]> needed = new LinkedHashMap<>();
        known.stream()
                .filter(each -> !of.apply(each).isEmpty())
                .forEach(each -> needed.put(
                        each.policy(),
                        of.apply(each).stream().mapToDouble(Long::doubleValue).toArray()));
        return needed;
    }

    /** By how much a policy is above the bound, run by run: {@code 19 (24.7 %)}, {@code 0 to 2 (0.0 to 14.3 %)}. */
    static String above(Sized one) {
        List<Long> more = new ArrayList<>();
        DoubleSummaryStatistics parts = new DoubleSummaryStatistics();
        for (int r = 0; r < one.boundBy().size(); r++) {
            long servers = one.byReplication().get(r);
            long bound = one.boundBy().get(r);
            if (bound == 0 || servers < bound) {
                return "-";
            }
            more.add(servers - bound);
            parts.accept(100.0 * (servers - bound) / bound);
        }
        return parts.getMin() == parts.getMax()
                ? String.format(Locale.ROOT, "%s (%.1f %%)", span(more), parts.getMax())
                : String.format(Locale.ROOT, "%s (%.1f to %.1f %%)", span(more), parts.getMin(), parts.getMax());
    }
}
