package dev.stowage.cli.size;

import dev.stowage.cli.answer.AnswerParts;
import dev.stowage.core.model.Resource;
import dev.stowage.core.model.ResourceWords;
import dev.stowage.core.model.ServerBlock;
import dev.stowage.policies.Policies;
import dev.stowage.report.AnswerPage;
import dev.stowage.report.Picture;
import dev.stowage.sim.experiment.Experiment;
import dev.stowage.sim.experiment.LabelledPolicy;
import dev.stowage.sim.experiment.SizeQuestion;
import dev.stowage.sim.workload.RequestStream;
import dev.stowage.study.buy.Offers;
import dev.stowage.study.size.SizeWords;
import dev.stowage.study.size.Sizing;
import dev.stowage.study.size.Unfit;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** What an inventory takes of the servers of an answer, and what stops without some of them. */
record InventoryText(Experiment point, SizeQuestion question, Sizing sizing, RealHosts hosts, KindsText kinds) {
    private static final double PERCENT = 100;
    /** Rows of the page of none, one, two and more servers that fail at once; more only until something stops. */
    private static final int LOST = 6;
    /** What stops if as many fail as there are. */
    static final String ALL = "all";

    private static final int MOST_LOST = 11;
    /** Heading of what stops then. */
    static final String FAILURES = "What stops when servers fail";

    static final String ANEW =
            "Whichever fail at the same time, everything is placed anew on the others, the largest first, as far as there"
                    + " is room. A system that restarts only what ran there, as vSphere HA does, may leave other VMs,"
                    + " and more or fewer of them, without a place: 'stowage advise' says which, where the list says on which host"
                    + " each runs.";

    /** Of the servers that are there, and of what fits any of them; empty where nothing does. */
    static Optional<InventoryText> ofPresent(Experiment whole, SizeQuestion question) {
        Unfit unfit = Unfit.of(whole);
        if (!whole.workload().isInventory() || (unfit.count() > 0 && !unfit.leavesSome())) {
            return Optional.empty();
        }
        Experiment point = unfit.count() > 0 ? unfit.without() : whole;
        RealHosts hosts = new RealHosts(Set.of(), Map.of(), Map.of(), Map.of());
        return Optional.of(new InventoryText(
                point,
                question,
                new Sizing(point, question, new Policies()),
                hosts,
                new KindsText(point, hosts, false)));
    }

    /** What all of it that fits a server takes of the servers of the answer, by resource. */
    String use(SizeOverview.Sized one) {
        long servers = one.byReplication().get(0);
        return servers == 0
                ? ""
                : (servers == 1 ? "On this server" : "On these " + SizeText.number(servers)) + kinds(one)
                        + " the requests use "
                        + use(servers).stream()
                                .map(row -> row.get(1) + " of " + row.get(2) + " (" + row.get(3) + ")")
                                .collect(Collectors.joining(", "))
                        + "."
                        + ofWhole(one)
                        + kinds.cost(one.kinds())
                        + kinds.bySite(one.sites());
    }

    /** Where less or more counts than there is: what part of all that the servers really have is in use. */
    private String ofWhole(SizeOverview.Sized one) {
        List<Resource> resources = point.cluster().resources();
        double[] counted = sizing.capacity(one.byReplication().get(0));
        long[] sum = inUse();
        List<String> parts = new ArrayList<>();
        for (int r = 0; r < resources.size(); r++) {
            String name = resources.get(r).name();
            int of = point.workload().resources().indexOf(name);
            double whole = hosts.whole(one.kinds(), r);
            if (of >= 0 && whole > 0 && whole != counted[r]) {
                parts.add(
                        name.equals("cpu_milli") && whole < counted[r]
                                ? String.format(Locale.ROOT, "%.2f vCPU per physical core", sum[of] / whole)
                                : String.format(
                                        Locale.ROOT,
                                        "%.0f %% of the %s that is there",
                                        PERCENT * sum[of] / whole,
                                        ResourceWords.resource(name)));
            }
        }
        return parts.isEmpty() ? "" : " That is " + String.join(", ", parts) + ".";
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

    /** By resource of the requests, what those that fit a server take together. */
    private long[] inUse() {
        long[] sum = new long[point.workload().resources().size()];
        RequestStream stream = Unfit.of(point).without().workload().open(0);
        while (stream.next()) {
            for (int r = 0; r < sum.length; r++) {
                sum[r] += stream.demand(r);
            }
        }
        return sum;
    }

    /** The same with its parts: resource, taken, of all, as a part, servers that hold that much of it. */
    private List<List<String>> use(long servers) {
        long[] sum = inUse();
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
                        SizeText.number(sizing.servers(r, (double) sum[of]))));
            }
        }
        return rows;
    }

    /** Of how many servers some fail: of those that are there, or of those needed where these are more. */
    private long whereFailing(long needed) {
        return Math.max(needed, kinds.present());
    }

    /** What stops if one more server fails than the answer bears, of those that are there where more are. */
    String loss(SizeOverview.Sized one) {
        if (one.servers() == null) {
            return "";
        }
        int lost = question.spareServers() + 1;
        long needed = Math.round(one.servers().mean());
        long servers = whereFailing(needed);
        // A plan bears any; under a policy the fullest fail.
        String which = sizing.hasPlan() ? "" : "fullest ";
        String fail = (servers > needed ? "On the " + SizeText.number(servers) + " that are there, if " : "If ")
                + (lost == 1
                        ? (which.isEmpty() ? "one server fails" : "the fullest server fails")
                        : (which.isEmpty() ? "" : "the ") + lost + " " + which + "servers fail at the same time");
        if (servers <= lost) {
            return fail + ", nothing is left.";
        }
        Map<String, Integer> stops = one.stops();
        long all = sum(stops);
        return stops.isEmpty()
                ? fail + ", all of it runs on the others."
                : fail + (sizing.hasPlan() ? ", at worst " : ", ") + SizeText.number(all) + noPlace(all)
                        + " on the others" + (sizing.hasPlan() ? ", if the largest are placed first: " : ": ")
                        + KindsText.few(stops)
                        + "." + (question.spareServers() == 0 ? " --spare 1 shows how many servers tolerate it." : "");
    }

    /** Whether something may be lost. */
    static boolean loses(SizeQuestion question) {
        return question.spareServers() > 0 || question.spareSite();
    }

    /** What a plan needs, of which best fit was not tried or needs more. */
    static String ifMoved(SizeQuestion question) {
        return ", if everything may be moved" + (loses(question) ? ", also after a loss" : "");
    }

    /** What stops if all of a site fails, for each. */
    String sites(SizeOverview.Sized one) {
        String both = question.spareSite() && question.spareServers() > 0 && one.servers() != null && sizing.hasPlan()
                ? one.stopsWithout().keySet().stream()
                        .map(site -> both(site, one.stopsWithout().keySet()))
                        .collect(Collectors.joining(", or ", " Also, as asked, if ", ", all of it runs on the others."))
                : "";
        return "I" + without(one.stopsWithout(), false) + both;
    }

    /** {@code all of North and any one server of South fail}. */
    private String both(String site, Collection<String> sites) {
        return "all of " + site + " and any " + more() + " of "
                + sites.stream().filter(other -> !other.equals(site)).collect(Collectors.joining(" or ")) + " fail";
    }

    private String more() {
        return question.spareServers() == 1 ? "one server" : question.spareServers() + " servers";
    }

    /** Whether what is there now bears the losses that are asked, with a site; for each site, if it does not. */
    String now(SizeOverview.Sized one) {
        long needed = one.byReplication().get(0);
        return now(needed > 0 && needed <= present(), one.stopsNow());
    }

    /** The same of an answer that adds others, of what fits those that are there. */
    String sitesNow(boolean enough) {
        return now(
                enough,
                sizing.runs()
                        .stopsWithout(
                                point.policies().get(0).spec(),
                                sizing.listed(),
                                sizing.hasPlan() ? question.spareServers() : 0));
    }

    private long present() {
        return Offers.blocks(point).stream().mapToLong(ServerBlock::count).sum();
    }

    private String now(boolean enough, Map<String, Map<String, Integer>> stops) {
        if (stops.isEmpty()) {
            return "";
        }
        if (enough && (sizing.hasPlan() || stops.values().stream().allMatch(Map::isEmpty))) {
            return "What is there now suffices, whichever of these fails.";
        }
        boolean both = question.spareServers() > 0;
        String sites = "With the " + SizeText.number(present()) + " that are there now: i"
                + without(stops, both && sizing.hasPlan());
        // A run loses a site alone.
        return sites
                + (both && !sizing.hasPlan() && !enough
                        ? " That is a site alone; with " + more()
                                + " of the others failing too, as asked, these are not enough."
                        : "");
    }

    /** Where those that are there are too few: what of all finds no place on them, also if some of them fail. */
    String nowAlone(SizeOverview.Sized one) {
        List<String> parts = new ArrayList<>();
        one.stopsOfThere().forEach((lost, stops) -> {
            String fail = lost == 0 ? "" : lost == 1 ? "if one fails, " : "if " + lost + " fail at the same time, ";
            if (!stops.isEmpty()) {
                parts.add(fail + (lost > 0 && sizing.hasPlan() ? "at worst " : "") + SizeText.number(sum(stops))
                        + noPlace(sum(stops)) + " (" + KindsText.few(stops) + ")");
            } else {
                parts.add(fail + (lost == 0 ? "all of it runs" : "all of it runs on the others"));
            }
        });
        if (!parts.isEmpty() && kinds.present() <= Math.max(1, question.spareServers())) {
            parts.add(kinds.present() == 1 ? "if it fails, nothing runs" : "if all fail, nothing runs");
        }
        return parts.isEmpty()
                ? ""
                : "With the "
                        + (kinds.present() == 1 ? "one that is" : SizeText.number(kinds.present()) + " that are")
                        + " there now" + (sizing.hasPlan() ? ", if the largest are placed first" : "") + ": "
                        + String.join("; ", parts) + ".";
    }

    /** What stops without each site, or, as asked, without it and servers of the others, in the worst way. */
    private String without(Map<String, Map<String, Integer>> stops, boolean both) {
        return stops.entrySet().stream()
                .map(each -> (both ? both(each.getKey(), stops.keySet()) : "all of " + each.getKey() + " fails")
                        + (both && !each.getValue().isEmpty() ? ", at worst, if the largest are placed first, " : ", ")
                        + (each.getValue().isEmpty()
                                ? "all of it runs on the others"
                                : SizeText.number(sum(each.getValue())) + noPlace(sum(each.getValue())) + " ("
                                        + KindsText.few(each.getValue()) + ")"))
                .collect(Collectors.joining("; if ", "f ", "."));
    }

    private static long sum(Map<String, Integer> byType) {
        return byType.values().stream().mapToLong(Integer::intValue).sum();
    }

    private static String noPlace(long all) {
        return all == 1 ? " request finds no place" : " requests find no place";
    }

    /** Of an inventory: what the servers but one have of each resource, and what would not run on them. */
    String fewer(long needed, Map<String, Integer> stops) {
        if (stops.isEmpty()) {
            return "";
        }
        long servers = needed - 1;
        int spare = question.spareServers();
        List<String> parts = new ArrayList<>();
        for (List<String> row : use(servers - spare)) {
            parts.add(row.get(3) + " of the " + row.get(0));
        }
        long all = sum(stops);
        return "Why not " + SizeText.number(servers) + ": "
                + (spare == 0 ? "" : "with " + spare + " lost, ")
                + "it takes " + String.join(", ", parts) + ", and " + SizeText.number(all) + noPlace(all)
                + (sizing.hasPlan() ? ", if the largest are placed first: " : ": ") + KindsText.few(stops) + ".";
    }

    /**
     * Of what runs without an end: what each resource takes, and what stops when servers fail.
     *
     * @param given about the servers that are there
     */
    void onPage(List<SizeOverview.Sized> all, Sizing given, AnswerParts answer) {
        List<Picture.Curve> curves = new ArrayList<>();
        for (SizeOverview.Sized one : all) {
            long needed = one.byReplication().get(0);
            if (needed == 0) {
                continue;
            }
            long present = kinds.present();
            boolean few = present > 0 && present < needed;
            answer.onPage(new AnswerPage.Heading("Resources in use" + SizeText.under(one.policy())));
            if (few) {
                answer.onPage(new AnswerPage.Sentence("Shares of the " + SizeText.number(needed)
                        + " servers needed, of which " + SizeText.number(present)
                        + (present == 1 ? " is there now." : " are there now.")));
            }
            answer.onPage(used(needed));
            failures(
                    SizePicture.policy(point, one),
                    few ? given : sizing,
                    few ? present : whereFailing(needed),
                    few ? 0 : question.spareServers(),
                    Map.of(),
                    few ? "there now, of the " + SizeText.number(needed) + " needed" : present > needed ? "there" : "",
                    curves,
                    answer);
        }
        chart(curves, answer);
    }

    /**
     * What stops when some of the servers that are there now fail, on the page of an answer that adds others.
     *
     * @param enough whether they are enough for today
     * @param unfit what fits none of them and is not among the requests
     */
    void failuresNow(boolean enough, Unfit unfit, AnswerParts answer) {
        failuresNow(enough, unfit.byType(), answer);
        if (unfit.count() > 0) {
            answer.onPage(new AnswerPage.Sentence(unfit.sentence().replace("no server, even", "none of them, even")));
        }
    }

    /** The same where all fits. */
    void failuresNow(boolean enough, Map<String, Integer> unfit, AnswerParts answer) {
        if (!point.workload().isInventory() || kinds.present() == 0) {
            return;
        }
        List<Picture.Curve> curves = new ArrayList<>();
        for (LabelledPolicy policy : point.policies()) {
            int borne = enough ? question.spareServers() : 0;
            failures(policy, sizing, kinds.present(), borne, unfit, "there now", curves, answer);
        }
        chart(curves, answer);
    }

    private void failures(
            LabelledPolicy policy,
            Sizing sizing,
            long of,
            int borne,
            Map<String, Integer> unfit,
            String which,
            List<Picture.Curve> curves,
            AnswerParts answer) {
        List<List<String>> rows = new ArrayList<>();
        List<Double> stopped = new ArrayList<>();
        List<String> all = new ArrayList<>();
        for (int lost = 0; lost < Math.min(of, MOST_LOST); lost++) {
            if (lost >= LOST && stopped.get(lost - 1) > 0) {
                break;
            }
            Map<String, Integer> stops = new TreeMap<>(unfit);
            if (!sizing.hasPlan() || lost > borne) {
                sizing.runs()
                        .stops(policy.spec(), of, lost)
                        .forEach((type, some) -> stops.merge(type, some, Integer::sum));
            }
            stopped.add((double) sum(stops));
            rows.add(List.of(Integer.toString(lost), Long.toString(sum(stops)), KindsText.few(stops)));
            if (!KindsText.few(stops).equals(KindsText.all(stops))) {
                all.add((lost == 0 ? "None fails: " : lost == 1 ? "1 fails: " : lost + " fail: ") + KindsText.all(stops)
                        + ".");
            }
        }
        if (policy.equals(point.policies().get(0)) && kinds.present() > 0) {
            answer.stopsOfAll(Stream.concat(
                            stopped.stream().map(number -> SizeText.number(number.longValue())),
                            stopped.size() == of ? Stream.of(ALL) : Stream.of())
                    .toList());
        }
        answer.onPage(new AnswerPage.Heading(FAILURES + SizeText.under(policy.label())));
        answer.onPage(new AnswerPage.Sentence("This is for "
                + (which.isEmpty()
                        ? "these " + SizeText.number(of)
                        : of == 1 ? "the one that is " + which : "the " + SizeText.number(of) + " that are " + which)
                + ". "
                + (sizing.hasPlan()
                        ? ANEW
                        : "The fullest fail at the same time; what ran there is placed on the others, as far as there is"
                                + " room.")));
        answer.onPage(new AnswerPage.CellRows(List.of("servers that fail", "stop", "which"), rows));
        if (!all.isEmpty()) {
            answer.onPage(new AnswerPage.Folded("All that stop", new AnswerPage.Points(all)));
        }
        if (stopped.stream().anyMatch(number -> number > 0)) {
            curves.add(new Picture.Curve(
                    policy.label(),
                    IntStream.range(0, stopped.size()).asDoubleStream().toArray(),
                    stopped.stream().mapToDouble(Double::doubleValue).toArray(),
                    false));
        }
    }

    private static void chart(List<Picture.Curve> curves, AnswerParts answer) {
        if (!curves.isEmpty()) {
            answer.onPage(new AnswerPage.Chart(
                    FAILURES,
                    "Of all that runs, how many find no room on the servers that are left.",
                    "servers that fail at the same time",
                    "without a place",
                    curves));
        }
    }
}
