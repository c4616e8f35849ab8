package dev.stowage.cli.size;

import dev.stowage.cli.answer.AnswerParts;
import dev.stowage.cli.answer.CertificateFile;
import dev.stowage.cli.text.BadInputException;
import dev.stowage.cli.text.Columns;
import dev.stowage.cli.text.Console;
import dev.stowage.cli.text.Data;
import dev.stowage.cli.text.NotEnoughException;
import dev.stowage.cli.text.StatusLine;
import dev.stowage.policies.Policies;
import dev.stowage.sim.experiment.Experiment;
import dev.stowage.sim.experiment.LabelledPolicy;
import dev.stowage.sim.experiment.SizeQuestion;
import dev.stowage.sim.result.Remark;
import dev.stowage.study.size.InventoryFit;
import dev.stowage.study.size.PricedSizing;
import dev.stowage.study.size.SizeWords;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Shows the cheapest mix of kinds of servers. */
final class PriceOverview {
    private final Console console;
    private final StatusLine progress;
    private final SizeSettings settings;
    private final RealHosts hosts;

    private final String currency;

    PriceOverview(Console console, StatusLine progress, SizeSettings settings, RealHosts hosts) {
        this.hosts = hosts;
        this.console = console;
        this.progress = progress;
        this.settings = settings;
        currency = SizeSettings.currencyOf(settings.asked().prices);
    }

    /**
     * The output for a policy.
     *
     * @param servers by kind; empty if no mix that was run meets the target
     * @param tried mixes that were run, in order, and whether each met the target
     * @param ranOut whether the search ended because it had run as many mixes as it may
     */
    record Priced(String policy, List<Long> servers, double cost, double bound, List<Tried> tried, boolean ranOut) {}

    /** A mix that was run. */
    record Tried(List<Long> servers, boolean holds) {}

    void show(AnswerParts answer, Experiment point, SizeQuestion question, List<Remark> warnings) {
        List<String> names = SizeWords.kinds(point);
        double[] price = SizeSettings.priceOf(settings.asked().prices, names.size());
        if (new LinkedHashSet<>(names).size() < names.size()) {
            throw new BadInputException("--price: two kinds of servers are alike: " + String.join("; ", names));
        }
        progress.step("bound for any policy");
        PricedSizing sizing = new PricedSizing(point, question, new Policies(), price);
        double least = sizing.leastToBuy();
        List<Priced> all = new ArrayList<>();
        for (LabelledPolicy policy : point.policies()) {
            progress.step(
                    policy.label() + (names.size() == 1 ? ": how many" : ": mixes of " + names.size() + " kinds"));
            PricedSizing.Cheapest found = sizing.cheapest(policy.spec());
            all.add(new Priced(
                    policy.label(),
                    found.servers(),
                    found.cost(),
                    least,
                    found.tried().entrySet().stream()
                            .map(entry -> new Tried(entry.getKey(), entry.getValue()))
                            .toList(),
                    found.ranOut()));
        }
        progress.clear();
        all.stream().filter(Priced::ranOut).forEach(one -> console.warn(ranOut(one)));
        answer(answer, point, question, names, price, sizing.least(), all);
        answer.say(CertificateFile.scope(settings.asked().certificate, point));
        answer.print(
                settings.format(),
                () -> Data.json(
                        new TreeMap<>(Map.of(
                                "kinds",
                                names.stream().map(hosts::amounts).toList(),
                                "least",
                                least,
                                "program",
                                sizing.least(),
                                "policies",
                                all)),
                        warnings),
                () -> csv(all));
        settings.report().write(answer, "The cheapest servers for " + point.name(), settings.facts(point, question));
        if (settings.asked().certificate != null) {
            CertificateFile.write(settings.asked().certificate, point, sizing.certificate(), console);
        }
        if (all.stream().allMatch(one -> one.servers().isEmpty())) {
            throw new NotEnoughException("the target is not met by any policy, with any mix that was tried");
        }
    }

    private static String ranOut(Priced one) {
        return "stowage: " + one.policy() + ": the search ended after "
                + one.tried().size() + " mixes, "
                + (one.servers().isEmpty() ? "none of which meets the target; others may" : "others may cost less");
    }

    private void answer(
            AnswerParts answer,
            Experiment point,
            SizeQuestion question,
            List<String> names,
            double[] price,
            PricedSizing.Least least,
            List<Priced> all) {
        List<String> header = new ArrayList<>(List.of("policy"));
        header.addAll(names.stream().map(hosts::of).toList());
        header.addAll(List.of("cost" + unit(), "bound for any policy", "more than that"));
        Columns columns = new Columns(header);
        for (Priced one : all) {
            List<String> row = new ArrayList<>(List.of(one.policy()));
            for (int l = 0; l < names.size(); l++) {
                row.add(
                        one.servers().isEmpty()
                                ? "-"
                                : String.format(
                                        Locale.ROOT, "%,d", one.servers().get(l)));
            }
            row.add(one.servers().isEmpty() ? "-" : KindsText.money(one.cost()));
            row.add(KindsText.money(one.bound()));
            row.add(
                    one.servers().isEmpty() || one.bound() == 0
                            ? "-"
                            : String.format(
                                    Locale.ROOT,
                                    "%s (%.1f %%)",
                                    KindsText.money(one.cost() - one.bound()),
                                    100 * (one.cost() / one.bound() - 1)));
            columns.row(row);
        }
        Columns kinds = new Columns("a server", "price" + unit(), "worth up to", "in the linear program's mix");
        for (int l = 0; l < names.size(); l++) {
            kinds.row(
                    hosts.both(names.get(l)),
                    KindsText.money(price[l]),
                    KindsText.money(least.worth().get(l)),
                    String.format(Locale.ROOT, "%,.1f", least.mix().get(l)));
        }
        answer.firstOfPage("The cheapest mix found for " + question.phrase() + ": "
                + all.stream().map(one -> cheapest(one, names)).collect(Collectors.joining("; "))
                + "."
                + (all.get(0).bound() == 0
                        ? ""
                        : " Proven: no policy can do it for less than "
                                + paid(all.get(0).bound()) + "."));
        String what = names.size() == 1
                ? "The fewest servers of " + hosts.both(names.get(0)) + ", for " + paid(price[0]) + " each,"
                : "The cheapest mix";
        answer.onConsole(console.wrapped("", what + " found for " + question.phrase() + ":") + "\n");
        answer.table(columns);
        boolean counted = point.workload().isInventory() && question.spareServers() > 0;
        String bound = "The bound for any policy is what whole servers cost"
                + (counted ? ", with those to spare" : question.spareServers() > 0 ? ", without those to spare" : "");
        if (names.size() == 1) {
            answer.say(bound + ".");
            return;
        }
        answer.gap();
        answer.table(kinds);
        answer.say(bound + ", unless more than a million combinations would have to be compared; it follows from the"
                + " linear program's mix, which may have fractions of servers. A kind"
                + " outside that mix would have to cost less than \"worth up to\" to be in it. The mix found is a local"
                + " optimum: no cheaper one that meets the target was found with fewer servers of one kind, or with some"
                + " of one kind exchanged for fewer of another; --format json lists every mix that was run.");
    }

    private String cheapest(Priced one, List<String> names) {
        return (one.policy().equals(InventoryFit.PLAN) ? "" : one.policy() + ": ")
                + (one.servers().isEmpty()
                        ? "no mix that was tried"
                        : IntStream.range(0, names.size())
                                        .filter(l -> one.servers().get(l) > 0)
                                        .mapToObj(l -> one.servers().get(l) + " x " + hosts.both(names.get(l)))
                                        .collect(Collectors.joining(" + "))
                                + " for " + paid(one.cost()));
    }

    private String unit() {
        return currency.isEmpty() ? "" : " (" + currency + ")";
    }

    private String paid(double amount) {
        return KindsText.money(amount, currency);
    }

    private static String csv(List<Priced> all) {
        Data.Csv csv = new Data.Csv("policy", "servers", "cost", "bound", "mixes_run");
        for (Priced one : all) {
            csv.row(
                    one.policy(),
                    String.join(
                            " ", one.servers().stream().map(Object::toString).toList()),
                    one.servers().isEmpty() ? "" : Double.toString(one.cost()),
                    Double.toString(one.bound()),
                    Integer.toString(one.tried().size()));
        }
        return csv.text();
    }
}
