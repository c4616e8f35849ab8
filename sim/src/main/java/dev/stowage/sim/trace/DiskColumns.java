package dev.stowage.sim.trace;

import java.util.List;
import java.util.regex.Pattern;

/** Columns about disks, which have the units of memory and are never taken for it. */
final class DiskColumns {
    /** The name says that it is about disks. */
    private static final Pattern DISK =
            Pattern.compile("disk|storage|\\b(ssd|hdd|san|nas|vmdk)\\b|space|volume|datastore"
                    + "|platte|speicherplatz|disque|stockage|espace|disco|almacenamiento|espacio|armazenamento|espaco"
                    + "|archiviazione|spazio|schijf|opslag|ruimte|uloziste|dysk|masowa|przestrzen|lagring|utrymme");
    /** So does a name without a word for memory: RVTools' Provisioned MiB, In Use MiB and Unshared MiB are of disks. */
    private static final Pattern AMOUNT = Pattern.compile("provision|\\bin use\\b|unshared|capacity|data|backup"
            + "|bereitgestellt|belegt|verwendet|kapazitat|capacite|capacidad");

    private static final Pattern GIGABYTES = Pattern.compile("\\b([gm]i?b|[gm]o)$");

    private DiskColumns() {}

    /** The columns that are not about disks. */
    static List<String> without(List<String> header) {
        return without(DISK, header);
    }

    /** Of these, those of which only the unit says that they may be memory. */
    static List<String> maybeMemory(List<String> header) {
        return OwnColumns.with(GIGABYTES, without(AMOUNT, header));
    }

    private static List<String> without(Pattern word, List<String> header) {
        return header.stream()
                .filter(column -> !word.matcher(OwnColumns.words(column, " ")).find())
                .toList();
    }
}
