package dev.stowage.cli.size;

import dev.stowage.cli.experiment.ExperimentSource;
import dev.stowage.cli.text.BadInputException;
import dev.stowage.cli.text.ServerArgument;
import dev.stowage.core.model.Amounts;
import dev.stowage.core.model.Resource;
import dev.stowage.core.model.ResourceWords;
import dev.stowage.core.model.Site;
import dev.stowage.sim.experiment.Experiment;
import dev.stowage.sim.experiment.ReadExperiment;
import dev.stowage.sim.result.Remark;
import dev.stowage.sim.trace.MissingFile;
import dev.stowage.sim.trace.ServerList;
import dev.stowage.sim.trace.ServerListReader;
import dev.stowage.study.buy.Offers;
import dev.stowage.study.size.SizeWords;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Reads which kinds of servers are on offer. */
final class OffersReader {
    private static final String BUY = "--buy";
    /** What is said of --servers does not hold for the kinds on offer, but this. */
    private static final String NO_LEAD = "--server-columns lead=";

    private static final String SITE_IGNORED = " is ignored, any request may run";

    private static final String ANY = "may be bought for any of them";

    private OffersReader() {}

    /** Kinds on offer, with notes on how they were read. */
    record Read(Offers offers, List<Remark> notes) {}

    /**
     * Kinds in words, or a file with a row for each.
     *
     * @param prices as given; empty for those of the file
     * @param source the experiment, whose overcommitment and reserve hold for these servers too
     * @param point the same, read
     */
    static Read read(String text, List<String> prices, ExperimentSource source, Experiment point) {
        if (!Files.exists(Path.of(text)) && !ServerArgument.describes(ServerArgument.oneOfEach(text))) {
            throw new BadInputException("--buy: " + text + ": " + MissingFile.why(Path.of(text)));
        }
        boolean alone = source.serversOption().equals(BUY);
        ExperimentSource offers = source.withKinds(BUY, text);
        ReadExperiment read = offers.experiment();
        Experiment offered = read.points().get(0);
        List<Resource> wanted = point.cluster().resources();
        List<Amounts> capacity = Offers.blocks(offered).stream()
                .map(block -> as(wanted, offered.cluster().resources(), block.capacity()))
                .toList();
        int kinds = capacity.size();
        RealHosts hosts = RealHosts.of(offers, offered);
        List<String> names = new ArrayList<>(
                SizeWords.kinds(offered).stream().map(hosts::both).toList());
        double[] price = new double[kinds];
        List<Double> lead = new ArrayList<>(Collections.nCopies(kinds, Double.NaN));
        List<String> sites = new ArrayList<>(Collections.nCopies(kinds, ""));
        if (Files.exists(Path.of(text))) {
            List<String> order =
                    offered.cluster().sites().stream().map(Site::name).toList();
            List<ServerList.Block> list =
                    ServerListReader.read(Path.of(text), offers.serverColumns()).servers().blocks().stream()
                            .sorted(Comparator.comparingInt(block -> order.indexOf(block.site())))
                            .toList();
            // Servers that do not say where they are may be at any of these sites.
            boolean anywhere = point.cluster().sites().stream()
                    .allMatch(site -> site.name().equals(ServerList.DEFAULT_SITE));
            for (int l = 0; l < kinds; l++) {
                price[l] = list.get(l).price();
                lead.set(l, list.get(l).leadTimeDays());
                String site = list.get(l).site();
                sites.set(l, anywhere || site.equals(ServerList.DEFAULT_SITE) ? "" : site);
                String name = list.get(l).kind().isEmpty()
                        ? String.join("/", list.get(l).names())
                        : list.get(l).kind();
                names.set(
                        l,
                        name.isEmpty()
                                ? names.get(l)
                                : name + " (" + names.get(l).replace(" (", "; ").replace(")", "") + ")");
            }
        }
        String currency = KindsText.currency(offered);
        if (!prices.isEmpty()) {
            price = SizeSettings.priceOf(prices, kinds);
            currency = SizeSettings.currencyOf(prices);
        }
        double[] all = price;
        long given = IntStream.range(0, kinds).filter(l -> all[l] > 0).count();
        if (given > 0 && given < kinds) {
            throw new BadInputException("--buy " + text + ": " + (kinds - given) + " of " + kinds
                    + " kinds have no price; give all a price, or none to get the fewest servers");
        }
        List<Remark> notes = read.notes().stream()
                .filter(note -> note.of().startsWith("server list ")
                        && (note.kind() == Remark.Kind.NOT_COUNTED
                                || !note.text().contains("--server-columns")
                                || note.text().contains(NO_LEAD)))
                .filter(note -> !alone || !note.text().contains(SITE_IGNORED))
                .map(note -> note.text().contains(SITE_IGNORED)
                        ? note.saying(note.text().substring(0, note.text().indexOf(SITE_IGNORED))
                                + " is ignored: each kind on offer may be bought for any of them. If it is the site,"
                                + " --spare-site=COLUMN says so, if both lists have this column")
                        : note)
                .map(note ->
                        note.text().contains(ANY) ? Remark.warning(note.text()).about(note.of()) : note)
                .map(note -> note.kind() == Remark.Kind.COLUMNS && note.text().contains("(guessed)")
                        ? new Remark(Remark.Kind.GUESSED, note.of(), note.text(), note.rows())
                        : note)
                .collect(Collectors.toCollection(ArrayList::new));
        Offers kindsOnOffer = new Offers(
                names,
                capacity,
                IntStream.range(0, kinds)
                        .mapToObj(l -> given == 0 ? 1.0 : all[l])
                        .toList(),
                given > 0,
                currency,
                sites,
                lead);
        return new Read(
                atSites(kindsOnOffer, point.cluster().sites(), text, notes).worthwhile(), notes);
    }

    /** Those that may be bought for a site that is there; says of which there is none, and for which there is none. */
    private static Offers atSites(Offers all, List<Site> there, String file, List<Remark> notes) {
        Offers some = all.forSites(there);
        String of = "server list " + Path.of(file).getFileName();
        int others = all.names().size() - some.names().size();
        if (some.names().isEmpty()) {
            throw new BadInputException("--buy " + file + ": nothing is offered for "
                    + there.stream().map(Site::name).collect(Collectors.joining(", ")) + ", but for "
                    + all.sites().stream().distinct().collect(Collectors.joining(", ")));
        }
        if (others > 0) {
            notes.add(new Remark(
                    Remark.Kind.NOT_COUNTED,
                    of,
                    others + (others == 1 ? " row" : " rows") + " on offer for other sites",
                    others));
        }
        String without = there.stream()
                .map(Site::name)
                .filter(site -> !some.sites().contains("") && !some.sites().contains(site))
                .collect(Collectors.joining(", "));
        if (!without.isEmpty()) {
            notes.add(Remark.warning("nothing is offered for " + without).about(of));
        }
        return some;
    }

    private static Amounts as(List<Resource> wanted, List<Resource> there, Amounts capacity) {
        long[] amounts = new long[wanted.size()];
        for (int r = 0; r < amounts.length; r++) {
            int at = names(there).indexOf(wanted.get(r).name());
            if (at < 0) {
                throw new BadInputException("--buy: the servers on offer have no "
                        + ResourceWords.resource(wanted.get(r).name()) + ", which the present servers have");
            }
            amounts[r] = capacity.get(at);
        }
        return Amounts.of(amounts);
    }

    private static List<String> names(List<Resource> resources) {
        return resources.stream().map(Resource::name).toList();
    }
}
